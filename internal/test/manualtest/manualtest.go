// Package manualtest checks tables of the manual against declarations in the code.
package manualtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Table holds the table that begins with head in a file of docs/ to rows, which begin with the line below head; with update it
// writes them anew.
func Table(t *testing.T, name, head, rows string, update bool) {
	t.Helper()
	path := filepath.Join(root(t), "docs", name)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(content), head)
	old, after, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatalf("%s has no table %s", path, head)
	}
	if update {
		if err := os.WriteFile(path, []byte(before+head+rows+"\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(old+"\n", rows); diff != "" {
		t.Errorf("%s (-is +should be; this test with -update writes it):\n%s", path, diff)
	}
}

// root is the folder of the repository.
func root(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	for ; err == nil; folder = filepath.Dir(folder) {
		if _, err = os.Stat(filepath.Join(folder, "ARCHITECTURE.md")); err == nil {
			return folder
		}
		if folder != filepath.Dir(folder) {
			err = nil
		}
	}
	t.Fatal(err)
	return ""
}
