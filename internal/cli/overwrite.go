package cli

import (
	"fmt"

	"rpcbench/internal/results/result"
	"rpcbench/internal/run/place"
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
		case !place.Same(output.path, other.path):
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

// arguments returns files given without a flag.
func arguments(paths []string) []namedFile {
	var files []namedFile
	for _, path := range paths {
		files = append(files, namedFile{"", path})
	}
	return files
}
