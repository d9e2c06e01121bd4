//go:build unix

package credential_test

import (
	"os"
	"path/filepath"
	"testing"

	"rpcbench/internal/test/allocated"
	"rpcbench/internal/worker/credential"
)

// Not parallel, because it counts what the process allocates.
func TestAFileWithoutEndIsRefused(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "long"), make([]byte, 4<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, read := range map[string]func(string) ([]byte, error){
		"/dev/zero": credential.ReadFile, filepath.Join(folder, "long"): credential.ReadKey,
	} {
		allocated.AtMost(t, 64<<20, func() {
			if text, err := read(path); err == nil || err.Error() != path+" is longer than 4 MiB" {
				t.Errorf("%s: %d bytes, %v", path, len(text), err)
			}
		})
	}
}
