package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/call/plain"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/scratch"
)

// standardOutput is the name of it as a file.
const standardOutput = "-"

// A sink is an output for results that is not a file to be kept: standard output, a device such as /dev/null, a pipe. A report
// needs a file, so trials are written to a temporary one, and copied at the end.
type sink struct {
	name string // "" is none
	to   io.WriteCloser
}

// divert makes a sink of a name that is not a regular file's, and returns the name of the temporary file for it.
func divert(out string, temporary *scratch.Dir) (sink, string, error) {
	info, err := os.Stat(out)
	isFile := err != nil || info.Mode().IsRegular() || info.IsDir() // of a name that is bad, who opens it says so
	if out != standardOutput && isFile {
		return sink{}, out, nil
	}
	folder, err := temporary.Folder()
	return sink{name: out}, filepath.Join(folder, "results"+resultsEnding), err
}

// open opens the sink, so that one that can't be opened is known before anything is measured.
func (s *sink) open() error {
	var err error
	switch s.name {
	case "":
	case standardOutput:
		s.to = os.Stdout
	default:
		s.to, err = infile.OpenToWrite(s.name)
	}
	return err
}

// take passes a results file on.
func (s *sink) take(path string) error {
	if s.to == nil {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err = io.Copy(s.to, file); s.name != standardOutput {
		err = errors.Join(err, s.to.Close())
	}
	return err
}

// words name the sink in a sentence.
func (s *sink) words() string {
	if s.name == standardOutput {
		return "standard output"
	}
	return s.name
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
