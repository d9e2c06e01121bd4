package pipe

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	binary := filepath.Join(folder, "rpcbench")
	m := shellMachine(folder, binary)
	write(t, filepath.Join(folder, "bin/sha256sum"), "#!/bin/sh\necho \"$1\" >>"+folder+"/read\nexec "+sum+" \"$1\"\n")
	other := func() { write(t, filepath.Join(folder, "cache/rpcbench/other/rpcbench"), "another version") }
	write(t, binary, "this version")
	hash, err := hashOf(binary)
	if err != nil {
		t.Fatal(err)
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

// A copy may be older than a month, and yet in use by another run.
func TestACopyThatIsUsedIsNotRemoved(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	binary := filepath.Join(folder, "rpcbench")
	m := shellMachine(folder, binary)
	copies := filepath.Join(folder, "cache/rpcbench")
	provided := func(text string) (copied string) {
		write(t, binary, text)
		hash, err := hashOf(binary)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.provide(t.Context()); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return filepath.Join(copies, hash)
	}
	used, unused := provided("used"), provided("unused")
	long := time.Now().AddDate(0, 0, -40)
	for _, copied := range []string{used, unused} {
		if err := os.Chtimes(copied, long, long); err != nil {
			t.Fatal(err)
		}
	}
	provided("used")
	provided("another version")
	if got, err := os.ReadFile(filepath.Join(used, "rpcbench")); err != nil || string(got) != "used" {
		t.Errorf("the copy in use: %q, %v", got, err)
	}
	if _, err := os.Stat(unused); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy that nobody has used for 40 days: %v", err)
	}
}

// shellMachine is this machine with a cache in a folder, and with programs of its own in bin.
func shellMachine(folder, binary string) Machine {
	return Machine{
		Shell: func(script string) []string {
			path := folder + "/bin:" + os.Getenv("PATH")
			return []string{"env", "PATH=" + path, "XDG_CACHE_HOME=" + folder + "/cache", "sh", "-c", script}
		},
		Binary: func(string, string) (string, error) { return binary, nil },
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	programtest.Write(t, path, text)
}
