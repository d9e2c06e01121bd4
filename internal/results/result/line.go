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
	last   int64 // bytes of the line that next returned last
}

// next returns io.EOF with the last line if that lacks its line feed, and without one at the end. What ReadLine cuts, it cuts.
func (l *lineReader) next() ([]byte, error) {
	line, size, err := ReadLine(l.reader)
	if errors.Is(err, ErrLineTooLong) {
		return nil, fmt.Errorf("%s: line %d: %w", l.name, l.number+1, err)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", l.name, plain.Cause(err))
	}
	if len(line) > 0 || l.number == 0 {
		l.number++
		l.whole.size += size
		l.last = size
		l.whole.unended = err != nil
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// ErrLineTooLong is ReadLine's error for a line of more than LineBytesMax.
var ErrLineTooLong = fmt.Errorf("it has more than %d bytes", LineBytesMax)

// ReadLine returns the next line with its line feed, and its size. One that lacks it is returned with io.EOF. Of a long line that
// is no JSON object only the beginning is returned, which is none either.
func ReadLine(from *bufio.Reader) (line []byte, size int64, err error) {
	return readLine(from, LineBytesMax)
}

func readLine(from *bufio.Reader, most int64) (line []byte, size int64, err error) {
	keeps := true
	for {
		part, err := from.ReadSlice('\n')
		if size += int64(len(part)); size > most {
			return nil, size, ErrLineTooLong
		}
		if keeps {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, size, err
		}
		keeps = keeps && mayBeObject(line, part)
	}
}

// mayBeObject reports whether the beginning of a line, of which the last part is new, may be that of a JSON object, which has no
// zeros, as a crash or truncate(1) adds to files.
func mayBeObject(line, part []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line[:min(len(line), 16)], " \t\r"), []byte("{")) && bytes.IndexByte(part, 0) < 0
}

// dropLast takes back the line that next returned last, which had no line feed.
func (l *lineReader) dropLast() { l.whole = extent{size: l.whole.size - l.last} }

func (l *lineReader) where() string {
	return fmt.Sprintf("%s:%d", l.name, l.number)
}
