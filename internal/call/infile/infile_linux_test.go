package infile

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
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
