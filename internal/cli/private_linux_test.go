package cli_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAServersSocketIsItsUsersAlone(t *testing.T) {
	t.Parallel()
	for _, stack := range []string{"grpc-go", "connect-go", "http-json-go", "tcp"} {
		p := start(t, t.TempDir(), "serve", "--stack", stack, "--listen", "unix:s")
		var info os.FileInfo
		waitUntil(t, "a socket", func() (found bool) {
			var err error
			info, err = os.Stat(filepath.Join(p.folder, "s"))
			return err == nil
		})
		if mode := info.Mode(); mode.Perm()&0o077 != 0 {
			t.Errorf("%s: others may use the socket: %v", stack, mode)
		}
	}
}
