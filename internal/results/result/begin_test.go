package result

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAResultsFileIsKnownByItsBeginning(t *testing.T) {
	t.Parallel()
	whole := string(readBytes(t, write(t, sampleHeader(), sampleTrial())))
	for text, want := range map[string]bool{
		whole:                               true,
		whole[:len(whole)-20]:               true,
		`{"format":"rpcbench-results","ver`: true,
		`{"format": "rpcbench-results", "version": 1}`: true,
		`{"format":"rpcbench-res`:                      false,
		`{"format":"rpcbench-report"}`:                 false,
		`["format","rpcbench-results"]`:                false,
		`{"name":"format"}`:                            false,
		"":                                             false,
		"a diary\n":                                    false,
		strings.Repeat(" ", 1000) + whole:              false,
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := IsAt(path); got != want {
			t.Errorf("%.50q: %t, want %t", text, got, want)
		}
	}
	if IsAt(t.TempDir()) || IsAt(filepath.Join(t.TempDir(), "nothing")) {
		t.Error("a folder or nothing is a results file")
	}
}
