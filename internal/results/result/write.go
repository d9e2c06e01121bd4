package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A Writer appends trials to a results file. It is not for concurrent use.
type Writer struct {
	file *os.File
	size int64 // of the whole lines; what stands behind them is undone
}

// Create makes a results file and writes its header, whose Format and Version it sets. It refuses a path that exists.
func Create(path string, header Header) (*Writer, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s exists already: choose another name, or resume it: %w", path, fs.ErrExist)
	}
	if err != nil {
		return nil, err
	}
	header.Format, header.Version = Format, Version
	writer := &Writer{file: file}
	if err := writer.line(header); err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	return writer, nil
}

// OpenAppend opens a results file to be continued, and returns what it holds. A last line that was cut off is removed
// from the file; the File's Warnings name it.
func OpenAppend(path string) (*Writer, *File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, nil, err
	}
	content, whole, err := read(file, path)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	writer := &Writer{file: file, size: whole.size}
	if err := writer.mend(whole.unended); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return writer, content, nil
}

// Append writes one trial as one line and returns when it is on the disk.
func (w *Writer) Append(trial Trial) error {
	return w.line(trial)
}

// Close closes the file.
func (w *Writer) Close() error {
	return w.file.Close()
}

// mend makes the file end with a whole line.
func (w *Writer) mend(unended bool) error {
	if err := w.file.Truncate(w.size); err != nil {
		return err
	}
	if !unended {
		return nil
	}
	return w.write([]byte("\n"))
}

func (w *Writer) line(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s: %w", w.file.Name(), err)
	}
	return w.write(append(line, '\n'))
}

// write appends in one write and syncs. A write that failed half-way is undone, or the next line would be glued to it.
func (w *Writer) write(line []byte) error {
	if _, err := w.file.Write(line); err != nil {
		return errors.Join(err, w.file.Truncate(w.size))
	}
	w.size += int64(len(line))
	return w.file.Sync()
}
