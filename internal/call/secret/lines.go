package secret

import (
	"bytes"
	"io"
	"sync"
)

// lineBytesMost is how long a line may be before its beginning is written: a program may print without an end of line.
const lineBytesMost = 64 << 10

// Lines writes what a program prints line by line, without what looks like a secret. It may be written to from several
// goroutines.
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
	if end == 0 && len(l.rest) > lineBytesMost {
		end = len(l.rest)
	}
	l.write(end)
	return len(b), nil
}

// End writes a line that has no end yet. What comes later is dropped.
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
