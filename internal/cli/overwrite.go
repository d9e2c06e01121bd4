package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// A namedFile is a file that a command line names.
type namedFile struct {
	flag string // "" is an argument
	path string
}

// checkOverwrite refuses an output that is one of the other files, which writing it would destroy.
func checkOverwrite(output namedFile, others []namedFile) error {
	for _, other := range others {
		switch {
		case !isSameFile(output.path, other.path):
		case other.flag == "":
			return fmt.Errorf("%s: %s is what is read, and would be overwritten: choose another name", output.flag, output.path)
		default:
			return fmt.Errorf("%s: %s is the file of %s too: choose another name", output.flag, output.path, other.flag)
		}
	}
	return nil
}

// isSameFile tells whether two names lead to one file, or would when it is there. A device, such as /dev/null, has
// nothing to lose.
func isSameFile(one, two string) bool {
	first, err := os.Stat(one)
	if err == nil && !first.Mode().IsRegular() {
		return false
	}
	second, otherErr := os.Stat(two)
	if err == nil && otherErr == nil {
		return os.SameFile(first, second)
	}
	return placeOf(one) == placeOf(two)
}

// placeOf is a path without detours, as far as its folder is there.
func placeOf(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	folder, name := filepath.Split(whole)
	if straight, err := filepath.EvalSymlinks(folder); err == nil {
		folder = straight
	}
	return filepath.Join(folder, name)
}

// arguments are files that stand on a command line without a flag.
func arguments(paths []string) []namedFile {
	var files []namedFile
	for _, path := range paths {
		files = append(files, namedFile{"", path})
	}
	return files
}
