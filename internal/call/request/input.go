package request

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"rpcbench/internal/call/infile"
)

// Limits of an input: requests are kept in memory, ready to be sent.
const (
	InputBytesMax = 64 << 20
	RequestsMax   = 1_000_000
)

// Formats of an input.
const (
	FormatJSON   = "json"   // a message, or several behind each other, or an array of them
	FormatLines  = "jsonl"  // a message, or a stream's array of them, on each line
	FormatCSV    = "csv"    // a message in each row; the header has the paths of fields
	FormatBinary = "binary" // one message as protobuf encodes it
)

// endings are the formats of files that say none.
var endings = map[string]string{
	".jsonl": FormatLines, ".ndjson": FormatLines, ".csv": FormatCSV, ".binpb": FormatBinary, ".bin": FormatBinary,
}

// An Input is the source of requests.
type Input struct {
	Name   string // what sentences call it: "--data", "stdin" or a file's path
	Format string // one of the formats above
	Text   []byte
	File   string `json:"-"` // that it was read from; "-" is stdin, and empty is none
}

// ReadInput reads data: @PATH is a file, @- is stdin, and anything else is the text itself. Empty data is one empty message.
// Unless the format is given, it follows from the file's ending, and is otherwise JSON.
func ReadInput(data, format string, stdin io.Reader) (Input, error) {
	input := Input{Name: "--data", Format: format, Text: []byte(data)}
	if path, ok := strings.CutPrefix(data, "@"); ok {
		var err error
		input.File = path
		if input.Name, input.Text, err = readFile(path, stdin); err != nil {
			return Input{}, fmt.Errorf("--data: %w", err)
		}
		if format == "" {
			input.Format = endings[strings.ToLower(filepath.Ext(path))]
		}
	}
	if input.Format == "" {
		input.Format = FormatJSON
	}
	if data == "" && input.Format == FormatJSON {
		input.Text = []byte("{}")
	}
	err := input.check()
	if err != nil && format == "" && !utf8.Valid(input.Text) {
		err = fmt.Errorf("%w; to send bytes as they are, use --data-format binary", err)
	}
	return input, err
}

// withoutMark removes a byte order mark, which editors on Windows begin texts with.
func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// readFile reads a file, or stdin where the path is a dash.
func readFile(path string, stdin io.Reader) (name string, content []byte, err error) {
	if path != "-" {
		content, err = infile.Read(path, InputBytesMax)
		return path, content, err
	}
	name = "stdin"
	if stdin == nil {
		return name, nil, errors.New("stdin is not available")
	}
	content, err = infile.ReadFrom(stdin, name, InputBytesMax)
	return name, content, err
}

// check refuses inputs that are invalid in every format.
func (in Input) check() error {
	switch in.Format {
	case FormatBinary:
		return nil
	case FormatJSON, FormatLines, FormatCSV:
	default:
		return fmt.Errorf("unknown format %q: formats are json, jsonl, csv, binary", in.Format)
	}
	if !utf8.Valid(in.Text) {
		bad := 0
		for rest := in.Text; ; {
			r, n := utf8.DecodeRune(rest)
			if r == utf8.RuneError && n <= 1 {
				break
			}
			bad, rest = bad+n, rest[n:]
		}
		return fmt.Errorf("%s: not UTF-8", inText{in.Name, in.Text, 0}.at(bad))
	}
	return nil
}
