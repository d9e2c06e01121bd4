package evidence

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// precious makes a file that no evidence may touch.
func precious(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "precious")
	must(t, os.WriteFile(path, []byte("gold"), 0o600))
	t.Cleanup(func() {
		if text, err := os.ReadFile(path); err != nil || string(text) != "gold" {
			t.Errorf("it was written to: %q, %v", text, err)
		}
	})
	return path
}

// keep writes a file, if it can be opened.
func keep(open func(string) (*os.File, error), name, text string) error {
	file, err := open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.WriteString(file, text)
	return err
}

func TestEvidenceIsItsUsersAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a mode says nothing of who may read")
	}
	folder := Folder(filepath.Join(t.TempDir(), "r.evidence"))
	must(t, keep(folder.Create, "heap.hprof", "x"))
	must(t, keep(folder.Append, "server.log", "x"))
	for path, want := range map[string]os.FileMode{
		"": 0o700, "heap.hprof": 0o600, "server.log": 0o600,
	} {
		info, err := os.Stat(filepath.Join(string(folder), path))
		must(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%q has mode %v, want %v", path, got, want)
		}
	}
}

func TestAFileIsMadeAnewOrContinued(t *testing.T) {
	t.Parallel()
	folder := Folder(filepath.Join(t.TempDir(), "deep", "r.evidence"))
	for range 2 {
		must(t, keep(folder.Create, "anew", "x"))
		must(t, keep(folder.Append, "continued", "x"))
	}
	for name, want := range map[string]string{"anew": "x", "continued": "xx"} {
		if text, err := os.ReadFile(filepath.Join(string(folder), name)); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v; want %q", name, text, err, want)
		}
	}
}

func TestAFilesLinkIsNotFollowed(t *testing.T) {
	t.Parallel()
	target := precious(t)
	folder := Folder(t.TempDir())
	link := filepath.Join(string(folder), "threads.txt")
	must(t, os.Symlink(target, link))
	if err := keep(folder.Append, "threads.txt", "x"); err == nil {
		t.Error("a file outside was continued")
	}
	must(t, keep(folder.Create, "threads.txt", "x"))
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link is still there: %v, %v", info, err)
	}
	must(t, os.WriteFile(filepath.Join(string(folder), "inside"), nil, 0o600))
	must(t, os.Symlink("inside", filepath.Join(string(folder), "server.log")))
	want := filepath.Join(string(folder), "server.log") + " is a link, which is not followed"
	if err := keep(folder.Append, "server.log", "x"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestTheFoldersLinkIsNotFollowed(t *testing.T) {
	t.Parallel()
	for _, target := range []string{t.TempDir(), "beside"} {
		here := t.TempDir()
		must(t, os.Mkdir(filepath.Join(here, "beside"), 0o700))
		folder := Folder(filepath.Join(here, "r.evidence"))
		must(t, os.Symlink(target, string(folder)))
		for _, open := range []func(string) (*os.File, error){folder.Create, folder.Append} {
			if err := keep(open, "threads.txt", "x"); err == nil || !strings.Contains(err.Error(), "r.evidence") {
				t.Errorf("to %s: %v", target, err)
			}
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(here, target)
		}
		if files, err := os.ReadDir(target); err != nil || len(files) > 0 {
			t.Errorf("%s has %v, %v", target, files, err)
		}
	}
}

func TestANameLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	folder := Folder(filepath.Join(t.TempDir(), "r.evidence"))
	for _, name := range []string{"../x", "/x", "..", ".", "", "a/../../x"} {
		for _, open := range []func(string) (*os.File, error){folder.Create, folder.Append} {
			if err := keep(open, name, "x"); err == nil {
				t.Errorf("%q was opened", name)
			}
		}
	}
}

func TestHeapDumpsAreKnownByNameAndContent(t *testing.T) {
	t.Parallel()
	elf := func(kind string) string { return "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9) + kind }
	for name, c := range map[string]struct {
		begin string
		want  bool
	}{
		"a1-server-heap.hprof":    {"", true},
		"A1-SERVER-HEAP.HPROF":    {"", true},
		"java_pid1.hprof.gz":      {"", true},
		"x.evidence/core":         {"", true},
		"x.evidence/core.1234":    {"", true},
		"x.heapsnapshot":          {"", true},
		"a1-server-memory":        {"JAVA PROFILE 1.0.2\x00", true},
		"a1-server-objects":       {"go1.7 heap dump\n", true},
		"a1-server-little":        {elf("\x04\x00"), true},
		"a1-server-big":           {elf("\x00\x04"), true},
		"a1-server-program":       {elf("\x02\x00"), false},
		"a1-server-short":         {"\x7fELF", false},
		"a1-server-heap.pprof":    {"\x1f\x8b", false},
		"a1-server-recording.jfr": {"FLR\x00", false},
		"a1-score.txt":            {"", false},
	} {
		if got := IsHeapDump(name, []byte(c.begin)); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
