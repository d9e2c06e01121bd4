package result

import (
	"bytes"
	"encoding/json"
	"io"

	"rpcbench/internal/call/infile"
)

// IsAt reports whether the file at path begins as a results file does. It does not read the rest, which may be missing or of
// another version.
func IsAt(path string) bool {
	file, err := infile.OpenAgain(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return begins(file)
}

// holdsHeader reports whether a line is the header of another file, or has it behind a line without an end. In a string of JSON
// its quotes would be escaped.
func holdsHeader(line []byte) bool {
	return begins(bytes.NewReader(line)) || bytes.Contains(line, []byte(`{"format":"`+Format+`"`))
}

// beginningBytes holds the first field of a header, however it is spaced.
const beginningBytes = 256

// begins reports whether a text begins with the first field of a header.
func begins(text io.Reader) bool {
	decoder := json.NewDecoder(io.LimitReader(text, beginningBytes))
	for _, want := range []json.Token{json.Delim('{'), "format", Format} {
		if token, err := decoder.Token(); err != nil || token != want {
			return false
		}
	}
	return true
}
