// Package evidence manages the folder for what trials leave outside the results file: profiles, dumps, output of servers. It is
// next to the results file, where others may have write access. So the folder and its files are accessible to its user only, and
// links in their place are not followed.
package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// FolderOf returns the path of the folder that belongs to a results file.
func FolderOf(results string) string { return strings.TrimSuffix(results, ".jsonl") + ".evidence" }

// DumpMark is the number of bytes at the beginning of a file that IsHeapDump needs.
const DumpMark = 18

// IsHeapDump reports whether a file of the folder holds the memory of a process, with its keys and payloads, by its name or by
// its first bytes. Workers name their files, but a JVM may write a dump by itself.
func IsHeapDump(name string, begin []byte) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	if base == "core" || strings.HasPrefix(base, "core.") {
		return true
	}
	for _, ending := range []string{".hprof", ".phd", ".heapsnapshot", ".core", ".dmp", ".mdmp", ".heapdump"} {
		if strings.HasSuffix(base, ending) {
			return true
		}
	}
	return bytes.HasPrefix(begin, []byte("JAVA PROFILE")) || bytes.HasPrefix(begin, []byte("go1.7 heap dump")) || isCore(begin)
}

// isCore reports whether a file begins like an ELF core dump, whose type is 4 in either byte order.
func isCore(begin []byte) bool {
	return len(begin) >= DumpMark && bytes.HasPrefix(begin, []byte("\x7fELF")) &&
		begin[16]+begin[17] == 4 && begin[16]*begin[17] == 0
}

// A Folder is the path of one. It is made when the first file is.
type Folder string

const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
)

// Create creates a file. It replaces an existing one of that name, such as a link, rather than writing to it.
func (f Folder) Create(name string) (*os.File, error) {
	root, err := f.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, f.in(err)
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	return file, f.in(err)
}

// Append opens a file for reading and appending. It fails if the name is a link.
func (f Folder) Append(name string) (*os.File, error) {
	root, err := f.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, fileMode)
	if err != nil {
		return nil, f.in(err)
	}
	opened, err := file.Stat()
	if err == nil && !opened.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", filepath.Join(string(f), name))
	}
	if err == nil {
		err = f.same(root, name, opened)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// open makes the folder if it is not there, and opens it.
func (f Folder) open() (*os.Root, error) {
	above, name := filepath.Dir(string(f)), filepath.Base(string(f))
	if err := os.MkdirAll(above, 0o777); err != nil {
		return nil, err
	}
	parent, err := os.OpenRoot(above)
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	if err := parent.Mkdir(name, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, f.in(err)
	}
	root, err := parent.OpenRoot(name)
	if err != nil {
		return nil, f.in(err)
	}
	opened, err := root.Stat(".")
	if err == nil {
		err = f.same(parent, name, opened)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// same returns an error if a name is a link to the opened file.
func (f Folder) same(root *os.Root, name string, opened fs.FileInfo) error {
	named, err := root.Lstat(name)
	if err == nil && !os.SameFile(named, opened) {
		err = fmt.Errorf("%s is a link, which is not followed", filepath.Join(root.Name(), name))
	}
	return err
}

// in adds the folder to an error that names only a file of it.
func (f Folder) in(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", string(f), err)
}
