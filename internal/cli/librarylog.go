package cli

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"rpcbench/internal/call/plain"
)

// A libraryLog takes what libraries write to Go's log, whose authors expect developers to read it, and says it to users. There is
// no other way to learn of it.
type libraryLog struct {
	to   io.Writer
	said atomic.Int64
}

// libraryLines is the maximum number of lines that are passed on: each connection may write one. Another line says that there are
// more.
const libraryLines = 3

// unsolicited is how net/http begins a line about an idle connection of HTTP/1.1 on which the server has sent something. The
// beginning of it follows, quoted, and the error of reading it, if any.
const unsolicited, readError = "Unsolicited response received on idle HTTP channel starting with ", "; err="

// Write takes one line, and never fails.
func (l *libraryLog) Write(line []byte) (int, error) {
	switch said := l.said.Add(1); {
	case said == libraryLines+1:
		fmt.Fprintln(l.to, "warning: further such lines are left out")
		return len(line), nil
	case said > libraryLines:
		return len(line), nil
	}
	text := string(line)
	if bytes, ok := strings.CutPrefix(text, unsolicited); ok {
		if end := strings.LastIndex(bytes, readError); end >= 0 {
			bytes = bytes[:end]
		}
		text = "the server sent bytes that answer no request: " + bytes
	}
	fmt.Fprintf(l.to, "warning: %s\n", plain.Short(text, plain.Example))
	return len(line), nil
}
