package credential

import (
	"errors"
	"fmt"
	"io/fs"

	"rpcbench/internal/call/infile"
)

// ReadKey reads a file with a private key. Like OpenSSH, it refuses a file of this user that others can read or change. It waits
// for input from a pipe.
func ReadKey(path string) ([]byte, error) {
	file, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if mode := info.Mode().Perm(); mode&forOthers != 0 && isMine(info) {
		return nil, &OpenKeyError{path, mode}
	}
	return infile.ReadFrom(file, path, fileBytesMax)
}

// fileBytesMax is the most that a file of keys, certificates or permissions may have. The authorities of a whole system have
// less than a tenth of it.
const fileBytesMax = 4 << 20

// ReadFile reads a file of certificates or permissions.
func ReadFile(path string) ([]byte, error) { return infile.Read(path, fileBytesMax) }

// forOthers are the permissions of a file's group and of everybody.
const forOthers fs.FileMode = 0o077

// An OpenKeyError is a private key that others may have read.
type OpenKeyError struct {
	Path string
	Mode fs.FileMode
}

func (e *OpenKeyError) Error() string {
	return fmt.Sprintf("%s is a private key that other users can access (mode %04o): chmod 600 %[1]s", e.Path, e.Mode)
}

// readKeyFile is ReadKey for a folder of credentials, which must have the file.
func readKeyFile(path string) ([]byte, error) {
	text, err := ReadKey(path)
	if _, open := errors.AsType[*OpenKeyError](err); open {
		return nil, err
	}
	return ofFolder(path, text, err)
}
