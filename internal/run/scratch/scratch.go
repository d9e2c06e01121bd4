// Package scratch makes folders for the temporary files of this process and of its workers. They go when the process ends;
// where it is killed, the next one finds that their owner is gone and removes them.
package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"
)

const (
	// pattern is of the folders, beside other programs' in the system's folder for temporary files.
	pattern = "rpcbench-*"
	// lockName is the file in a folder that its owner has locked for as long as it lives.
	lockName = "owner.lock"
	// attempts is how often a folder is created if another process removes it as one without an owner.
	attempts = 10
)

// A Dir is the folder of this process. It is made when it is first needed. Nil is none: its folders are the system's.
type Dir struct {
	mu   sync.Mutex
	path string // empty until it is made
	lock *flock.Flock
}

// Path returns the folder's path, and makes it if it is not there.
func (d *Dir) Path() (string, error) {
	if d == nil {
		return os.TempDir(), nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path != "" {
		return d.path, nil
	}
	sweep()
	for range attempts {
		path, lock, err := create()
		if err != nil {
			return "", fmt.Errorf("make a folder for temporary files: %w", err)
		}
		if lock != nil {
			d.path, d.lock = path, lock
			return path, nil
		}
	}
	return "", errors.New("make a folder for temporary files: other processes remove it")
}

// Folder makes a folder within.
func (d *Dir) Folder() (string, error) {
	path, err := d.Path()
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(path, "")
}

// Remove removes the folder with all that is in it. The Dir can be used again.
func (d *Dir) Remove() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path == "" {
		return nil
	}
	err := errors.Join(d.lock.Close(), os.RemoveAll(d.path)) // on Windows what is open can't be removed
	d.path, d.lock = "", nil
	return err
}

// create makes a folder and locks it. The lock is nil if another process was faster, and has removed the folder.
func create() (path string, lock *flock.Flock, err error) {
	if path, err = os.MkdirTemp("", pattern); err != nil {
		return "", nil, err
	}
	lock = flock.New(filepath.Join(path, lockName), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!locked || !exists(lock.Path())) {
		return "", nil, lock.Close()
	}
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(path))
	}
	return path, lock, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// sweep removes the folders of this user whose owners are gone. Folders that can't be removed stay.
func sweep() {
	paths, err := filepath.Glob(filepath.Join(os.TempDir(), pattern))
	if err != nil {
		return
	}
	for _, path := range paths {
		if isMine(path, fs.ModeDir) && isMine(filepath.Join(path, lockName), 0) {
			removeUnowned(path)
		}
	}
}

func removeUnowned(path string) {
	lock := flock.New(filepath.Join(path, lockName), flock.SetFlag(os.O_RDWR))
	locked, err := lock.TryLock()
	lock.Close() // on Windows what is open can't be removed; and an owner that is gone does not come back
	if err == nil && locked {
		_ = os.RemoveAll(path)
	}
}

// isMine reports whether a file of this type exists, is not a symbolic link, and belongs to this user.
func isMine(path string, kind fs.FileMode) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().Type() == kind && belongs(info)
}
