package cli

import (
	"path/filepath"
	"testing"

	"rpcbench/internal/results/result"
)

func TestWhatAnotherRpcbenchWritesIsNotReplaced(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	writer, err := result.Create(path, result.Header{})
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	want := "--overwrite: " + path + ": another rpcbench is writing it: wait until that has ended"
	if err := (&outputFlags{overwrite: true, out: path}).clear(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
