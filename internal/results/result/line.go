package result

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"rpcbench/internal/call/jsonbound"
	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan"
)

// LineBytesMax is the length of a line that is read. It holds twice the longest course of a trial that is kept, and the header of
// the longest plan.
const LineBytesMax = 1 << 30

// Bounds of a line, checked before it is decoded.
var (
	headerLimits = jsonbound.Limits{Depth: 32, Members: plan.TrialsMax, Values: 80 * plan.TrialsMax}
	trialLimits  = jsonbound.Limits{Depth: 32, Members: 1 << 22, Values: 1 << 25, Shallow: 1 << 10, ObjectBytes: 32}
)

// A lineReader returns lines without their line feed, and counts the bytes it has returned.
type lineReader struct {
	reader *bufio.Reader
	name   string
	number int
	whole  extent
}

// next returns io.EOF with the last line if that lacks its line feed, and without one at the end.
func (l *lineReader) next() ([]byte, error) {
	line, err := ReadLine(l.reader)
	if errors.Is(err, ErrLineTooLong) {
		return nil, fmt.Errorf("%s: line %d: %w", l.name, l.number+1, err)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", l.name, plain.Cause(err))
	}
	if len(line) > 0 || l.number == 0 {
		l.number++
		l.whole.size += int64(len(line))
		l.whole.unended = err != nil
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// ErrLineTooLong is ReadLine's error for a line of more than LineBytesMax.
var ErrLineTooLong = fmt.Errorf("it has more than %d bytes", LineBytesMax)

// ReadLine returns the next line with its line feed. One that lacks it is returned with io.EOF.
func ReadLine(from *bufio.Reader) ([]byte, error) { return readLine(from, LineBytesMax) }

func readLine(from *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := from.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, ErrLineTooLong
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// dropLast takes back the line that next returned last, which had no line feed.
func (l *lineReader) dropLast(line []byte) {
	l.whole = extent{size: l.whole.size - int64(len(line))}
}

func (l *lineReader) where() string {
	return fmt.Sprintf("%s:%d", l.name, l.number)
}
