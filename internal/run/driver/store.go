package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rpcbench/internal/results/evidence"
	"rpcbench/internal/worker/control"
)

// maxFiles and maxStoredBytes limit what one side of a trial may send: more than the heap of any JVM that can be read again.
// Each piece counts for at least minPiece in addition to its bytes, so empty pieces are limited too.
const (
	maxFiles       = 100
	maxStoredBytes = 64 << 30
	minPiece       = 64 << 10
)

// A store keeps the files that one side of a trial sends, under names that identify the side.
type store struct {
	folder evidence.Folder
	prefix string // of the names: "a1b2c3-client-"
	file   *os.File
	names  []string // of the files so far
	left   int64    // that may still be sent, in bytes
}

func (s *sides) newStore(stem string) *store {
	return &store{folder: evidence.Folder(s.Evidence), prefix: s.evidence.ID + "-" + stem + "-", left: maxStoredBytes}
}

// keep appends a piece to the file that it is of.
func (s *store) keep(piece *control.Piece) error {
	if err := checkName(piece.GetName()); err != nil {
		return err
	}
	s.left -= minPiece + int64(len(piece.GetData()))
	if s.left < 0 {
		return fmt.Errorf("the worker sent more than %d GiB of files", maxStoredBytes>>30)
	}
	if err := s.open(s.prefix + piece.GetName()); err != nil {
		return err
	}
	_, err := s.file.Write(piece.GetData())
	return err
}

// checkName refuses a name that would lead out of the folder.
func checkName(name string) error {
	if name == "" || strings.ContainsAny(name, `/\:`) || !filepath.IsLocal(name) {
		return fmt.Errorf("the worker sent a piece of a file with the name %q", name)
	}
	return nil
}

// open makes name the file that pieces are appended to. A file that an earlier run left is overwritten.
func (s *store) open(name string) error {
	if len(s.names) > 0 && s.names[len(s.names)-1] == name {
		return nil
	}
	if len(s.names) == maxFiles {
		return fmt.Errorf("the worker sent more than %d files", maxFiles)
	}
	if err := s.close(); err != nil {
		return err
	}
	file, err := s.folder.Create(name)
	if err != nil {
		return err
	}
	s.file, s.names = file, append(s.names, name)
	return nil
}

// close closes the last file.
func (s *store) close() error {
	if s.file == nil {
		return nil
	}
	file := s.file
	s.file = nil
	return file.Close()
}
