package cli

import (
	"errors"
	"fmt"
	"os"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/call/plain"
	"rpcbench/internal/results/result"
)

// A namedFile is a file that a command line names.
type namedFile struct {
	flag string // "" is an argument
	path string
}

// checkOverwrite refuses an output that is one of the other files, or any results file, which writing it would destroy.
func checkOverwrite(output namedFile, others []namedFile) error {
	for _, other := range others {
		switch {
		case !infile.IsSame(output.path, other.path):
		case other.flag == "":
			return fmt.Errorf("%s: %s is an input, and would be overwritten: choose another name", output.flag, output.path)
		default:
			return fmt.Errorf("%s: %s is the file of %s too: choose another name", output.flag, output.path, other.flag)
		}
	}
	if result.IsAt(output.path) {
		return fmt.Errorf("%s: %s holds results, which would be overwritten: choose another name", output.flag, output.path)
	}
	return nil
}

// checkWritable refuses, before anything is measured, a file that could not be written then. It leaves nothing behind.
func checkWritable(output namedFile) error {
	info, err := os.Stat(output.path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s: %s is a directory, not a file", output.flag, output.path)
	case err == nil && !info.Mode().IsRegular():
		return nil // a pipe waits for its reader
	}
	file, opening := os.OpenFile(output.path, os.O_WRONLY|os.O_CREATE, 0o666)
	if opening != nil {
		return fmt.Errorf("%s %s: %w", output.flag, output.path, plain.Cause(opening))
	}
	closing := file.Close()
	if err != nil { // it was not there
		closing = errors.Join(closing, os.Remove(output.path))
	}
	return closing
}

// arguments returns files given without a flag.
func arguments(paths []string) []namedFile {
	var files []namedFile
	for _, path := range paths {
		files = append(files, namedFile{"", path})
	}
	return files
}
