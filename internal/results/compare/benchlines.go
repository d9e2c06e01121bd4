package compare

import (
	"bufio"
	"bytes"
	"errors"
)

// benchLineMax is the length of the longest line that is read. A benchmark's is far shorter; what a test logs is as long as it
// likes.
const benchLineMax = 32 << 10

// byteOrderMark is what some editors on Windows put before a text.
var byteOrderMark = []byte("\ufeff")

// benchLines reads the output of go test without what is no line of a benchmark to its reader: longer lines, of which the
// beginning stays, and a byte order mark.
type benchLines struct {
	in    *bufio.Reader
	begun bool
	rest  []byte // of the line that is being read
}

func (l *benchLines) Read(into []byte) (n int, err error) {
	if len(l.rest) == 0 {
		if l.rest, err = l.line(); len(l.rest) == 0 {
			return 0, err
		}
	}
	n = copy(into, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line returns the next line, at most benchLineMax of it.
func (l *benchLines) line() (line []byte, err error) {
	for {
		piece, err := l.in.ReadSlice('\n')
		line = append(line, piece[:min(len(piece), benchLineMax-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.whole(line), err
		}
	}
}

// whole ends a line that was cut, and takes the mark off the first one.
func (l *benchLines) whole(line []byte) []byte {
	if !l.begun {
		line, l.begun = bytes.TrimPrefix(line, byteOrderMark), true
	}
	if len(line) == benchLineMax {
		line[len(line)-1] = '\n'
	}
	return line
}
