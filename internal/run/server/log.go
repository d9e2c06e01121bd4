package server

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"rpcbench/internal/call/secret"
)

const (
	// headBytes is the length of the beginning of a server's output that is kept.
	headBytes = 1 << 20
	// tailBytes is the length of its end that is kept, in which a crash is looked for.
	tailBytes = 64 << 10
	// lastWordsBytes is the length of the last words.
	lastWordsBytes = 1 << 10
)

// A Log keeps the beginning and the end of a server's output, however much that prints. It is safe for concurrent use.
type Log struct {
	to   io.Writer
	room int // for the beginning

	mu      sync.Mutex
	tail    []byte // at least the last tailBytes of all
	printed int64
	written int64 // to
	err     error // of writing, the first
}

// NewLog returns a Log that writes the beginning of an output as it comes, and its end when that is over. room limits how much
// is written.
func NewLog(to io.Writer, room int64) *Log {
	return &Log{to: to, room: int(min(max(room-tailBytes, 0), headBytes))}
}

// Write implements io.Writer. It never fails: a server does not stand still because a disk is full.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.printed += int64(len(b))
	if l.tail = append(l.tail, b...); len(l.tail) > 2*tailBytes {
		l.tail = append(l.tail[:0], l.tail[len(l.tail)-tailBytes:]...)
	}
	if head := b[:min(len(b), l.room)]; len(head) > 0 {
		l.room -= len(head)
		l.write(head)
	}
	return len(b), nil
}

func (l *Log) write(b []byte) {
	if l.err != nil {
		return
	}
	_, l.err = l.to.Write(b)
	l.written += int64(len(b))
}

// End writes the end of an output of which not all is written. It returns the first error of writing.
func (l *Log) End() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	missing := l.printed - l.written
	if missing <= 0 || l.written == 0 {
		return l.err
	}
	rest := l.tail[max(int64(len(l.tail))-min(missing, tailBytes), 0):]
	if left := missing - int64(len(rest)); left > 0 {
		l.write(fmt.Appendf(nil, "\n[rpcbench left out %d bytes]\n", left))
	}
	l.write(rest)
	return l.err
}

// Cut says what of the output is not kept; "" is nothing.
func (l *Log) Cut() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch missing := l.printed - l.written; {
	case l.err != nil:
		return l.err.Error()
	case missing > 0 && l.written == 0:
		return fmt.Sprintf("it printed %d bytes, for which there is no room left", l.printed)
	case missing > tailBytes:
		return fmt.Sprintf("it printed %d bytes, of which the first %d and the last %d are kept", l.printed, l.written, tailBytes)
	default:
		return ""
	}
}

// LastWords returns the end of the output as one line, without apparent secrets. Of a Go program that has crashed it is the
// reason, which a trace follows.
func (l *Log) LastWords() string {
	l.mu.Lock()
	text := bytes.Clone(l.tail[max(0, len(l.tail)-tailBytes):])
	l.mu.Unlock()
	return secret.Text(strings.Join(strings.Fields(strings.ToValidUTF8(string(lastWords(text)), "?")), " "))
}

// crash is the line with which a Go program says why it ends.
var crash = regexp.MustCompile(`(?m)^(panic|fatal error): `)

// lastWords are the end of an output, or what it says from its last crash on.
func lastWords(output []byte) []byte {
	if crashes := crash.FindAllIndex(output, -1); len(crashes) > 0 {
		output = output[crashes[len(crashes)-1][0]:]
		return output[:min(len(output), lastWordsBytes)]
	}
	return output[max(0, len(output)-lastWordsBytes):]
}
