package infile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/iotest"
	"time"
)

func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAPipeWhoseOtherEndNobodyOpensIsRefused(t *testing.T) {
	t.Parallel()
	for _, w := range []way{reading, writing} {
		path := pipe(t)
		_, err := w.open(path, time.Millisecond)
		if want := path + ": it is a pipe that no process " + w.other; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		other, err := os.OpenFile(path, os.O_RDWR, 0) // ends the wait of who was given up
		if err != nil {
			t.Fatal(err)
		}
		other.Close()
	}
}

func TestAPipeIsReadOnce(t *testing.T) {
	t.Parallel()
	path := pipe(t)
	go func() { _ = os.WriteFile(path, []byte("text"), 0) }()
	file, err := reading.open(path, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got, err := io.ReadAll(file); err != nil || string(got) != "text" {
		t.Errorf("%q, %v", got, err)
	}
	once := ", and results are read more than once: write them to a file first"
	for path, want := range map[string]string{
		path: "a pipe" + once, "/dev/null": "a device" + once, "-": "standard input" + once, t.TempDir(): "a directory, not a file",
	} {
		if _, err := OpenAgain(path); err == nil || err.Error() != path+" is "+want {
			t.Errorf("got %v, want %s is %s", err, path, want)
		}
	}
}

func TestAPipeIsWrittenTo(t *testing.T) {
	t.Parallel()
	path := pipe(t)
	read := make(chan string, 1)
	go func() {
		got, _ := os.ReadFile(path)
		read <- string(got)
	}()
	file, err := writing.open(path, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = file.WriteString("text")
	file.Close()
	if got := <-read; got != "text" {
		t.Errorf("%q", got)
	}
}

func TestAFileIsReadUpToItsLimit(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	if err := os.WriteFile(path, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := Read(path, 1<<20); err != nil || len(text) != 1<<20 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	long, cut := bytes.NewReader(make([]byte, 1<<20+1)), iotest.ErrReader(errors.New("it is cut"))
	for want, read := range map[string]func() ([]byte, error){
		path + " is longer than 64 KiB":                        func() ([]byte, error) { return Read(path, 64<<10) },
		"stdin is longer than 1 MiB":                           func() ([]byte, error) { return ReadFrom(long, "stdin", 1<<20) },
		"cannot read " + folder + ": is a directory":           func() ([]byte, error) { return Read(folder, 9) },
		"cannot open " + path + "s: no such file or directory": func() ([]byte, error) { return Read(path+"s", 9) },
		"cannot read stdin: it is cut":                         func() ([]byte, error) { return ReadFrom(cut, "stdin", 9) },
	} {
		if text, err := read(); err == nil || err.Error() != want || text != nil {
			t.Errorf("%d bytes, %v, want %s", len(text), err, want)
		}
	}
}

func TestAFileIsOpened(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, open := range []func(string) (*os.File, error){Open, OpenAgain} {
		file, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(file); err != nil || string(got) != "text" {
			t.Errorf("%q, %v", got, err)
		}
		file.Close()
		if _, err := open(path + "s"); !os.IsNotExist(err) {
			t.Errorf("got %v", err)
		}
	}
}
