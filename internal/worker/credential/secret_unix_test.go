//go:build unix

package credential

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestAKeyThatOthersCanReadIsRefused(t *testing.T) {
	t.Parallel()
	for _, mode := range []fs.FileMode{0o644, 0o640, 0o660, 0o602, 0o604, 0o610} {
		dir := created(t)
		key := filepath.Join(dir, "client-key.pem")
		must(t, os.Chmod(key, mode))
		want := key + " is a private key that other users can access (mode " + octal(mode) + "): chmod 600 " + key
		_, whole := Open(dir)
		_, client := OpenClient(dir, "")
		_, alone := ReadKey(key)
		for from, err := range map[string]error{"folder": whole, "client": client, "file": alone} {
			if err == nil || err.Error() != want {
				t.Errorf("%s: got %v, want %s", from, err, want)
			}
		}
	}
	dir := created(t)
	must(t, os.Chmod(filepath.Join(dir, "ca-key.pem"), 0o644))
	if _, err := AddClient(dir, "root:alice"); err == nil {
		t.Error("an authority's key that everybody can read signed a client")
	}
}

func octal(mode fs.FileMode) string {
	const digits = "01234567"
	return string([]byte{'0', digits[mode>>6&7], digits[mode>>3&7], digits[mode&7]})
}

func TestAKeyThatOnlyItsOwnerCanReadIsRead(t *testing.T) {
	t.Parallel()
	for _, mode := range []fs.FileMode{0o400, 0o600, 0o700} {
		dir := created(t)
		must(t, os.Chmod(filepath.Join(dir, "client-key.pem"), mode))
		must(t, os.Chmod(filepath.Join(dir, "client.pem"), 0o644))
		if _, err := Open(dir); err != nil {
			t.Errorf("mode %v: %v", mode, err)
		}
	}
}
