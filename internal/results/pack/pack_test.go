package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var modified = time.Date(2026, 9, 1, 12, 0, 0, 5, time.UTC)

// unpack reads an archive back: "NAME=CONTENT" in its order.
func unpack(t *testing.T, name string) []string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for in := tar.NewReader(zip); ; {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil || !head.ModTime.Equal(modified.Truncate(time.Second)) || head.Mode != 0o644 || head.Uid != 0 {
			t.Errorf("%+v, %v", head, err)
		}
		found = append(found, head.Name+"="+string(content))
	}
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestTheSameFilesMakeTheSameBytesWhateverTheDiskSays(t *testing.T) {
	t.Parallel()
	var packed [][]byte
	for i := range 2 {
		folder := t.TempDir()
		results := write(t, folder+"/r.jsonl", "results")
		write(t, folder+"/r.evidence/b.pprof", "b")
		write(t, folder+"/r.evidence/a/a.txt", "a")
		if err := os.Chtimes(results, time.Unix(int64(i), 0), time.Unix(int64(i), 0)); err != nil {
			t.Fatal(err)
		}
		evidence, err := Under(folder+"/r.evidence", "r.evidence")
		if err != nil {
			t.Fatal(err)
		}
		files := slices.Concat(evidence,
			[]File{{Name: "r.jsonl", Path: results}, {Name: "README.txt", Bytes: []byte("read")}, {Name: "z.txt"}})
		if i == 1 {
			slices.Reverse(files)
		}
		name := folder + "/r.tar.gz"
		if err := Create(t.Context(), name, Archive{Folder: "r", Modified: modified, Files: files}); err != nil {
			t.Fatal(err)
		}
		want := []string{"r/README.txt=read", "r/r.evidence/a/a.txt=a", "r/r.evidence/b.pprof=b", "r/r.jsonl=results", "r/z.txt="}
		if got := unpack(t, name); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		bytes, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		packed = append(packed, bytes)
	}
	if !bytes.Equal(packed[0], packed[1]) {
		t.Error("the same files made other bytes")
	}
}

func TestAFolderThatIsNotThereHasNoFiles(t *testing.T) {
	t.Parallel()
	if files, err := Under(t.TempDir()+"/none", "none"); err != nil || len(files) > 0 {
		t.Errorf("got %v, %v", files, err)
	}
}

func TestWhatIsNoFileIsNamed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Symlink("/", folder+"/link"); err != nil {
		t.Skip(err)
	}
	_, err := Under(folder, "x")
	if err == nil || !strings.HasSuffix(err.Error(), "link is neither a file nor a directory") {
		t.Errorf("got %v", err)
	}
}

func TestAnArchiveIsNeverOverwritten(t *testing.T) {
	t.Parallel()
	name := write(t, t.TempDir()+"/r.tar.gz", "mine")
	if err := Create(t.Context(), name, Archive{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	if kept, err := os.ReadFile(name); string(kept) != "mine" {
		t.Errorf("got %q, %v", kept, err)
	}
}

func TestNothingIsLeftOfAnArchiveThatFailed(t *testing.T) {
	t.Parallel()
	name := t.TempDir() + "/r.tar.gz"
	err := Create(t.Context(), name, Archive{Folder: "r", Files: []File{{Name: "gone", Path: t.TempDir() + "/gone"}}})
	if err == nil || !strings.HasPrefix(err.Error(), "pack gone: ") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the archive is still there: %v", err)
	}
}

// A file that grows while it is read has a size that differs from its content.
func TestAFileThatGrowsIsNotPacked(t *testing.T) {
	t.Parallel()
	name := t.TempDir() + "/r.tar.gz"
	pipe := t.TempDir() + "/growing"
	write(t, pipe, strings.Repeat("x", 1000))
	grow := File{Name: "growing", Path: "/proc/self/status"} // its size is 0, and it has content
	if _, err := os.Stat(grow.Path); err != nil {
		t.Skip(err)
	}
	err := Create(t.Context(), name, Archive{Folder: "r", Files: []File{grow}})
	if err == nil || err.Error() != "pack growing: its size changed while it was packed: another process may "+
		"still write to it" {
		t.Errorf("got %v", err)
	}
}

// Anyone who can write to the folder of evidence may replace a file by a link between listing and packing.
func TestALinkThatComesLaterIsNotFollowed(t *testing.T) {
	t.Parallel()
	secret := write(t, t.TempDir()+"/secret", "secret")
	folder := t.TempDir()
	listed := write(t, folder+"/threads.txt", "x")
	files, err := Under(folder, "r.evidence")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(listed); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, listed); err != nil {
		t.Skip(err)
	}
	if err := Create(t.Context(), folder+"/r.tar.gz", Archive{Folder: "r", Files: files}); err == nil {
		t.Errorf("packed %q", unpack(t, folder+"/r.tar.gz"))
	}
}
func TestAnInterruptionLeavesNoArchive(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	folder := t.TempDir()
	name := filepath.Join(folder, "r.tar.gz")
	err := Create(ctx, name, Archive{Folder: "r", Files: []File{{Name: "a", Bytes: []byte("a")}}})
	if _, left := os.Stat(name); !errors.Is(err, context.Canceled) || !errors.Is(left, fs.ErrNotExist) {
		t.Errorf("%v, and the file: %v; want none", err, left)
	}
}
