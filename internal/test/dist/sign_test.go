package dist

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAKeySignsTheChecksums(t *testing.T) {
	t.Parallel()
	printed := run(t, "-n", "dist", "minisign_key=key")
	signed := "/key " + absolute(t, "dist") + "/SHA256SUMS\n"
	if !strings.Contains(printed, "\ngo -C tools run ./sign ") || !strings.HasSuffix(printed, signed) {
		t.Errorf("make dist ends with %q", printed[max(0, len(printed)-300):])
	}
	if printed := run(t, "-n", "dist"); strings.Contains(printed, "./sign") {
		t.Errorf("without a key it signs: %s", printed)
	}
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
