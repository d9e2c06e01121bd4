package program

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// An output is a program's output. All of it is passed on to standard error, which the worker's last words come from.
type output struct {
	wanted string        // in the line that says that the program is ready; "" waits for none
	seen   chan struct{} // closed by that line
	childs *os.File      // the program's end
}

// listen makes an output.
func listen(wanted string) (*output, error) {
	ours, childs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	o := &output{wanted: wanted, seen: make(chan struct{}), childs: childs}
	go o.pass(ours)
	return o, nil
}

// maxLine limits how much of a line is examined at once.
const maxLine = 64 << 10

// pass passes all on until the last process that has the other end is gone.
func (o *output) pass(ours *os.File) {
	defer ours.Close()
	lines, seen := bufio.NewReaderSize(ours, maxLine), o.wanted == ""
	for {
		piece, err := lines.ReadSlice('\n')
		_, _ = os.Stderr.Write(piece) // who started the worker may not listen any more
		if !seen && strings.Contains(string(piece), o.wanted) {
			seen = true
			close(o.seen)
		}
		if err != nil && err != bufio.ErrBufferFull { //nolint:errorlint // ReadSlice returns it as it is
			return
		}
	}
}
