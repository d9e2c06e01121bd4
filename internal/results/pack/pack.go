// Package pack packs files into one archive, for somebody who was not there: a tar compressed by gzip, of one folder.
//
// The same files make the same bytes, wherever and whenever they are packed: names are sorted, and owners, permissions and
// times are not those of the disk. A file that is packed while it is written makes an error, and so does what is neither a
// file nor a folder: nothing is left out silently. The package knows nothing of what the files say.
package pack

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// An Archive describes what to pack.
type Archive struct {
	Folder   string    // that everything is in
	Modified time.Time // of every file; whole seconds count
	Private  bool      // only its user may read the archive, and what is unpacked from it
	Files    []File
}

// mode is the file mode of the archive and of every file in it.
func (a Archive) mode() fs.FileMode {
	if a.Private {
		return 0o600
	}
	return 0o644
}

// A File is a file of an archive: the content of Path or, if that is empty, Bytes.
type File struct {
	Name  string // in the archive's folder, with slashes
	Path  string
	Below string // a folder that no link in Path leads out of; with it Path begins there. Empty follows every link
	Bytes []byte
}

// Under lists the files below a folder of the disk, under a name in the archive. A folder that is not there has none.
func Under(folder, name string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(folder, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && at == folder && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil || entry.IsDir() && at != folder:
			return err
		case entry.IsDir():
			return nil
		case !entry.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a directory", at)
		}
		below, err := filepath.Rel(folder, at)
		files = append(files, File{Name: path.Join(name, filepath.ToSlash(below)), Path: below, Below: folder})
		return err
	})
	return files, err
}

// Create packs an archive into a new file. If it fails, or the context ends, it removes the incomplete file.
func Create(ctx context.Context, name string, a Archive) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, a.mode())
	if err != nil {
		return err
	}
	if err := errors.Join(a.write(whileWanted{ctx, file}), file.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// whileWanted writes until its context ends.
type whileWanted struct {
	ctx context.Context //nolint:containedctx // io.Writer has none
	to  io.Writer
}

func (w whileWanted) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.to.Write(b)
}

func (a Archive) write(w io.Writer) error {
	zip, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zip)
	files := slices.SortedFunc(slices.Values(a.Files), func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range files {
		if err := a.add(out, f); err != nil {
			return fmt.Errorf("pack %s: %w", f.Name, err)
		}
	}
	return errors.Join(out.Close(), zip.Close())
}

func (a Archive) add(out *tar.Writer, f File) error {
	content, size, err := f.open()
	if err != nil {
		return err
	}
	defer content.Close()
	head := &tar.Header{
		Typeflag: tar.TypeReg, Name: path.Join(a.Folder, f.Name), Mode: int64(a.mode()), Size: size,
		ModTime: a.Modified.Truncate(time.Second), Format: tar.FormatPAX,
	}
	if err := out.WriteHeader(head); err != nil {
		return err
	}
	n, err := io.Copy(out, content)
	if errors.Is(err, tar.ErrWriteTooLong) || err == nil && n < size {
		return errors.New("its size changed while it was packed: another process may still write to it")
	}
	return err
}

// open returns a file's content and its size.
func (f File) open() (io.ReadCloser, int64, error) {
	if f.Path == "" {
		return io.NopCloser(bytes.NewReader(f.Bytes)), int64(len(f.Bytes)), nil
	}
	file, err := f.file()
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && f.Below != "" && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file any more")
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// Begin returns a file's first bytes, or all if it has fewer.
func (f File) Begin(most int64) ([]byte, error) {
	content, _, err := f.open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return io.ReadAll(io.LimitReader(content, most))
}

func (f File) file() (*os.File, error) {
	if f.Below == "" {
		return os.Open(f.Path)
	}
	return os.OpenInRoot(f.Below, f.Path)
}
