package infile

import (
	"os"
	"path/filepath"
)

// IsSame reports whether two names lead to one file, or would when it is there. A device, such as /dev/null, has nothing to lose.
func IsSame(one, two string) bool {
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

// placeOf returns an absolute path without symbolic links, as far as its folder exists.
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
