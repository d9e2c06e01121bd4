package point

import (
	"fmt"
	"strings"
)

// maxBinaryPath limits the length of a path.
const maxBinaryPath = 4096

// binary accepts NAME=PATH.
func binary(text string) (string, error) {
	word, path, ok := strings.Cut(text, "=")
	if !ok {
		return "", fmt.Errorf("%q is not NAME=PATH, such as old=./rpcbench-old", text)
	}
	if _, err := label(word); err != nil {
		return "", fmt.Errorf("%q of %q is not a name: use letters, digits, . _ and -, at most %d characters", word, text, labelMax)
	}
	if path == "" || len(path) > maxBinaryPath || strings.ContainsFunc(path, isControl) {
		return "", fmt.Errorf("%q has no path to a program after =", text)
	}
	return text, nil
}

// BinaryName and BinaryPath are the parts of Binary, "" where there is none.
func (s Spec) BinaryName() string {
	name, _, _ := strings.Cut(s.Binary, "=")
	return name
}

// BinaryPath returns the path of the program.
func (s Spec) BinaryPath() string {
	_, path, _ := strings.Cut(s.Binary, "=")
	return path
}

// binaryHashShown is the number of digits of a hash that are shown to distinguish builds.
const binaryHashShown = 12

// binaryBuild is NAME@HASH: two builds of one name are two points.
func binaryBuild(s Spec) string {
	if s.BinaryHash == "" {
		return s.BinaryName()
	}
	return s.BinaryName() + "@" + s.BinaryHash[:min(len(s.BinaryHash), binaryHashShown)]
}

// maxBinaryVersion limits the length of a version.
const maxBinaryVersion = 200

// checkBinary checks the description of a binary.
func (s Spec) checkBinary() error {
	switch {
	case s.Binary == "" && s.BinaryHash+s.BinaryVersion != "":
		return Errorf("", "binary: there is none, and something is known of it")
	case s.BinaryHash != "" && (len(s.BinaryHash) != 64 || strings.Trim(s.BinaryHash, "0123456789abcdef") != ""):
		return Errorf("", "binary_sha256: %q is not a SHA-256", s.BinaryHash)
	case s.BinaryVersion != "" && !strings.Contains(s.BinaryVersion, "go1"), len(s.BinaryVersion) > maxBinaryVersion,
		strings.ContainsFunc(s.BinaryVersion, isControl):
		return Errorf("", "binary_version: %q is not the version of a Go program", s.BinaryVersion)
	default:
		return nil
	}
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
