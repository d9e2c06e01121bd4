package result

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A Writer appends trials to a results file, which is its own until it is closed. It is not for concurrent use.
type Writer struct {
	file     *os.File
	size     int64 // of the whole lines; what stands behind them is undone
	occasion int   // that trials are stamped with; 0 is the first
}

// Create makes a results file and writes its header, whose Format and Version it sets. It refuses a path that exists, unless that
// is an empty file.
func Create(path string, header Header) (*Writer, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644) // Windows locks what can be read
	isNew := err == nil
	if errors.Is(err, fs.ErrExist) {
		file, err = openEmpty(path)
	}
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(lock(file), checkEmpty(path, file.Stat)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	header.Format, header.Version = Format, Version
	writer := &Writer{file: file}
	if err := writer.line(header); err != nil {
		err = errors.Join(err, file.Close())
		if isNew {
			err = errors.Join(err, os.Remove(path))
		}
		return nil, err
	}
	return writer, nil
}

// openEmpty opens a file that has nothing to lose, such as one of mktemp.
func openEmpty(path string) (*os.File, error) {
	if err := checkEmpty(path, func() (fs.FileInfo, error) { return os.Lstat(path) }); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
}

func checkEmpty(path string, stat func() (fs.FileInfo, error)) error {
	info, err := stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() > 0) {
		err = fmt.Errorf("%s exists already: choose another name, or resume it: %w", path, fs.ErrExist)
	}
	return err
}

// Remove removes a results file, also one that is cut off in its header, or an empty file, and nothing else. It refuses a file
// that a Writer has open.
func Remove(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	err = lock(file)
	if err == nil {
		_, err = Read(file, path)
	}
	if errors.Is(err, ErrEmpty) || errors.Is(err, ErrCut) {
		err = nil
	}
	if err := errors.Join(err, file.Close()); err != nil { // Windows removes no file that is open
		return err
	}
	return os.Remove(path)
}

// OpenAppend opens a results file to continue it, and returns its content. It removes a truncated last line from the file, which
// the File's Warnings report. It refuses a file that another Writer has open.
func OpenAppend(path string) (*Writer, *File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, nil, err
	}
	writer := &Writer{file: file}
	content, err := writer.resume(path)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return writer, content, nil
}

// resume reads the file, and makes it end with a whole line.
func (w *Writer) resume(path string) (*File, error) {
	if err := lock(w.file); err != nil {
		return nil, err
	}
	content, whole, err := read(w.file, path)
	if err != nil {
		return nil, err
	}
	end, err := w.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	w.size, w.occasion = whole.size, 2
	for _, t := range content.Trials {
		w.occasion = max(w.occasion, t.Occasion+1)
	}
	if whole.size < end {
		if err := w.cut(end); err != nil {
			return nil, err
		}
	}
	if whole.unended {
		return content, w.write([]byte("\n"))
	}
	return content, nil
}

// cut removes what follows the whole lines, unless the file has grown beyond end: others wrote that.
func (w *Writer) cut(end int64) error {
	info, err := w.file.Stat()
	switch {
	case err != nil:
		return err
	case info.Size() != end:
		return fmt.Errorf("%s has grown by what this rpcbench did not write", w.file.Name())
	default:
		return w.truncate(info)
	}
}

// truncate truncates the file described by info to its whole lines. Windows does not allow this for a file opened to append.
func (w *Writer) truncate(info os.FileInfo) error {
	file, err := os.OpenFile(w.file.Name(), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	found, err := file.Stat()
	switch {
	case err != nil:
	case !os.SameFile(found, info):
		err = fmt.Errorf("%s is another file now, which is left as it is", w.file.Name())
	default:
		err = file.Truncate(w.size)
	}
	return errors.Join(err, file.Close())
}

// Append writes one trial as one line, with the occasion on which it was measured, and returns when it is on the disk.
func (w *Writer) Append(trial Trial) error {
	trial.Occasion = w.occasion
	return w.line(trial)
}

// Close closes the file.
func (w *Writer) Close() error {
	return w.file.Close()
}

// line writes a value as a line. A trial may be long, so the encoder passes on its output in one write without a copy.
func (w *Writer) line(value any) error {
	var written error
	encoder := json.NewEncoder(writeFunc(func(line []byte) { written = w.write(line) }))
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	return written
}

// A writeFunc is an io.Writer that can't fail.
type writeFunc func([]byte)

func (f writeFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

// write appends in one write and syncs. A write that failed half-way is undone, or the next line would be glued to it.
func (w *Writer) write(line []byte) error {
	if n, err := w.file.Write(line); err != nil {
		return errors.Join(err, w.cut(w.size+int64(n)))
	}
	w.size += int64(len(line))
	return w.file.Sync()
}
