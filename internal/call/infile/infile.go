// Package infile opens and reads files that users name. It refuses, in one sentence, a pipe whose other end nobody opens, because
// opening it would block forever, a pipe that would have to be read twice, and a file that is too long to be what was meant.
// It also tells whether two names lead to one file.
package infile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// patience limits the wait for somebody to open a pipe's other end. A shell starts both ends at about the same time.
const patience = 10 * time.Second

// Open opens a file that is read once. A pipe works if a writer opens it within ten seconds.
func Open(path string) (*os.File, error) { return reading.open(path, patience) }

// OpenToWrite opens what is there already to write to it, such as a device. A pipe works if a reader opens it within ten seconds.
func OpenToWrite(path string) (*os.File, error) { return writing.open(path, patience) }

// A way is how a file is opened.
type way struct {
	flag  int
	other string // what somebody does who opens a pipe's other end
}

var reading, writing = way{os.O_RDONLY, "writes to"}, way{os.O_WRONLY, "reads from"}

func (w way) open(path string, patience time.Duration) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return w.openFile(path)
	}
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened)
	givenUp := make(chan struct{})
	go func() {
		file, err := w.openFile(path)
		select {
		case done <- opened{file, err}:
		case <-givenUp:
			if err == nil {
				file.Close()
			}
		}
	}()
	select {
	case o := <-done:
		return o.file, o.err
	case <-time.After(patience):
		close(givenUp)
		return nil, fmt.Errorf("%s: it is a pipe that no process %s", path, w.other)
	}
}

// Read returns what is in a file that is read once, and refuses one of more than that many bytes.
func Read(path string, most int) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadFrom(file, path, most)
}

// ReadFrom is Read of an open file, or of what else a name stands for.
func ReadFrom(from io.Reader, name string, most int) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(from, int64(most)+1))
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	case len(content) > most && most%(1<<20) == 0:
		return nil, fmt.Errorf("%s is longer than %d MiB", name, most>>20)
	case len(content) > most:
		return nil, fmt.Errorf("%s is longer than %d KiB", name, most>>10)
	}
	return content, nil
}

// standardInput is its name in command lines, unless there is a file of that name.
const standardInput = "-"

// OpenAgain opens a file that is read more than once, such as a results file: first to identify it, then to load it. It refuses
// pipes, devices, folders and standard input, which can't be read twice.
func OpenAgain(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a directory, not a file", path)
	}
	const once = "%s is %s, and results are read more than once: write them to a file first"
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf(once, path, kind(info.Mode()))
	}
	if err != nil && path == standardInput {
		return nil, fmt.Errorf(once, path, "standard input")
	}
	return reading.openFile(path)
}

// openFile is os.OpenFile with a readable error: "cannot open NAME: why".
func (w way) openFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, w.flag, 0)
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		failed.Op = "cannot open"
	}
	return file, err
}

func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	default:
		return "a device"
	}
}
