package pipe

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/test/programtest"
)

// A cache may have many copies, of other versions: they are not read, and the one that is used is.
func TestOnlyTheCopyThatIsUsedIsRead(t *testing.T) {
	t.Parallel()
	sum, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "bin/sha256sum"), "#!/bin/sh\necho \"$1\" >>"+folder+"/read\nexec "+sum+" \"$1\"\n")
	other := func() { write(t, filepath.Join(folder, "cache/rpcbench/other/rpcbench"), "another version") }
	binary := filepath.Join(folder, "rpcbench")
	write(t, binary, "this version")
	hash, err := hashOf(binary)
	if err != nil {
		t.Fatal(err)
	}
	m := Machine{
		Shell: func(script string) []string {
			path := folder + "/bin:" + os.Getenv("PATH")
			return []string{"env", "PATH=" + path, "XDG_CACHE_HOME=" + folder + "/cache", "sh", "-c", script}
		},
		Binary: func(string, string) (string, error) { return binary, nil },
	}
	copied := filepath.Join(folder, "cache/rpcbench", hash, "rpcbench")
	for _, c := range []struct {
		name   string
		before func()
		read   func(string) bool // of the path of what is hashed
	}{
		{"copied, to a host that has no cache yet", func() {}, func(path string) bool { return strings.Contains(path, "/.copy-") }},
		{"there already", other, func(path string) bool { return path == copied }},
		{"damaged there", func() { write(t, copied, "this versio") }, func(path string) bool {
			return path == copied || strings.Contains(path, "/.copy-")
		}},
	} {
		c.before()
		_ = os.Remove(folder + "/read")
		if _, err := m.provide(t.Context()); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		read, err := os.ReadFile(folder + "/read")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for path := range strings.Lines(string(read)) {
			if !c.read(strings.TrimSpace(path)) {
				t.Errorf("%s: %s was read", c.name, path)
			}
		}
		if got, err := os.ReadFile(copied); err != nil || string(got) != "this version" {
			t.Errorf("%s: there is %q, %v", c.name, got, err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	programtest.Write(t, path, text)
}
