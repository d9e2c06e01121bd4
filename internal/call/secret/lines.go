package secret

import (
	"bytes"
	"io"
	"sync"
)

// maxLineBytes is the length from which a line is written before its end, since a program may print without line ends.
const maxLineBytes = 64 << 10

// Lines writes the output of a program line by line, without apparent secrets. It is safe for concurrent use.
type Lines struct {
	To io.Writer

	mu   sync.Mutex
	rest []byte
}

// Write implements io.Writer. It takes everything: a program is not held up by one who can't write.
func (l *Lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, b...)
	end := bytes.LastIndexByte(l.rest, '\n') + 1
	if end == 0 && len(l.rest) > maxLineBytes {
		end = len(l.rest)
	}
	l.write(end)
	return len(b), nil
}

// End writes an unfinished line. Later output is dropped.
func (l *Lines) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(len(l.rest))
	l.To = io.Discard
}

func (l *Lines) write(end int) {
	for line := range bytes.Lines(l.rest[:end]) {
		text, ended := bytes.CutSuffix(line, []byte("\n"))
		told := Text(string(text))
		if ended {
			told += "\n"
		}
		_, _ = io.WriteString(l.To, told)
	}
	l.rest = append(l.rest[:0], l.rest[end:]...)
}
