package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/call/plain"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/scratch"
)

// standardOutput is the name of it as a file.
const standardOutput = "-"

// A sink is an output for results that is not a file to be kept: standard output, a device such as /dev/null, a pipe. A report
// needs a file, so trials are written to a temporary one, and copied at the end, however that comes.
type sink struct {
	name string // "" is none

	*handover // nil where there is none
}

// A handover copies the temporary file to the sink, once, whoever comes to it first: the end of the run or a second Ctrl-C.
type handover struct {
	from string

	mu    sync.Mutex
	to    io.WriteCloser // nil until it is open
	once  sync.Once
	err   error
	bytes atomic.Int64 // that were taken
}

// divert makes a sink of a name that is not a regular file's, and returns the name of the temporary file for it.
func divert(out string, temporary *scratch.Dir) (sink, string, error) {
	info, err := os.Stat(out)
	isFile := err != nil || info.Mode().IsRegular() || info.IsDir() // of a name that is bad, who opens it says so
	if out != standardOutput && isFile {
		return sink{}, out, nil
	}
	folder, err := temporary.Folder()
	path := filepath.Join(folder, "results"+resultsEnding)
	return sink{name: out, handover: &handover{from: path}}, path, err
}

// open opens the sink, so that one that can't be opened is known before anything is measured.
func (s sink) open() error {
	if s.name == "" {
		return nil
	}
	var to io.WriteCloser = keptOpen{os.Stdout}
	if s.name != standardOutput {
		var err error
		if to, err = infile.OpenToWrite(s.name); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = to
	return nil
}

// keptOpen is a file that others use after this.
type keptOpen struct{ io.Writer }

// Close implements io.Closer.
func (keptOpen) Close() error { return nil }

// take passes the results on, unless that was done.
func (s sink) take() error {
	if s.name == "" {
		return nil
	}
	s.once.Do(func() { s.err = s.copy() })
	if s.err != nil {
		return fmt.Errorf("--out: %w", s.err)
	}
	return nil
}

func (h *handover) copy() error {
	h.mu.Lock()
	to := h.to
	h.mu.Unlock()
	if to == nil {
		return nil // nothing was measured yet
	}
	file, err := os.Open(h.from)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(io.MultiWriter(to, counted{&h.bytes}), file)
	return errors.Join(err, to.Close())
}

// counted counts bytes.
type counted struct{ bytes *atomic.Int64 }

// Write implements io.Writer.
func (c counted) Write(b []byte) (int, error) {
	c.bytes.Add(int64(len(b)))
	return len(b), nil
}

// rescuePatience is how long a sink may take nothing before a process that is to end at once gives it up.
const rescuePatience = 2 * time.Second

// rescue is take for a process that is to end at once: it waits no longer for a sink that takes nothing.
func (s sink) rescue() error {
	if s.name == "" {
		return nil
	}
	taken := make(chan error, 1)
	go func() { taken <- s.take() }()
	for {
		before := s.bytes.Load()
		select {
		case err := <-taken:
			return err
		case <-time.After(rescuePatience):
			if s.bytes.Load() == before {
				return fmt.Errorf("--out: %s takes no more, so trials are lost", s.words())
			}
		}
	}
}

// rescued is rescue as the last thing that a process does.
func (s sink) rescued() {
	if err := s.rescue(); err != nil {
		sayAtOnce("rpcbench: " + err.Error())
	}
}

// words name the sink in a sentence.
func (s sink) words() string {
	if s.name == standardOutput {
		return "standard output"
	}
	return s.name
}

// goesOn says in a sentence where the trials before it go.
func (s sink) goesOn() string {
	if s.name == "" {
		return ""
	}
	return ", and those before it go to " + s.words()
}

// reporting returns an env whose reports go to standard error where results take standard output.
func (e *env) reporting(f *outputFlags) *env {
	if f.sink.name != standardOutput {
		return e
	}
	elsewhere := *e
	elsewhere.out, elsewhere.screen = e.err, e.err
	return &elsewhere
}

// clear removes a results file that --overwrite allows to be replaced. It removes nothing else.
func (f *outputFlags) clear() error {
	if !f.overwrite {
		return nil
	}
	if _, err := os.Lstat(f.out); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	err := result.Remove(f.out)
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("--overwrite: %s: %w", f.out, plain.Cause(failed))
	}
	if errors.Is(err, result.ErrLocked) {
		return fmt.Errorf("--overwrite: %w", err)
	}
	if err != nil {
		return fmt.Errorf("--overwrite replaces results files only: %w; choose another name, or remove the file", err)
	}
	return nil
}
