package reporttest

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update is -update of `go test`.
var Update = flag.Bool("update", false, "rewrite the golden files")

// Golden compares output with testdata/name.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *Update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// A FullDisk accepts a number of bytes and then fails.
type FullDisk int

func (f *FullDisk) Write(p []byte) (int, error) {
	if len(p) > int(*f) {
		return 0, errors.New("disk full")
	}
	*f -= FullDisk(len(p))
	return len(p), nil
}
