package recipe

import (
	"fmt"
	"io"
	"os"
	"strings"

	"rpcbench/internal/call/request"
)

// Files keep what calls read, so that several calls can name the same pipe, or stdin: it gives its content only once. A nil
// *Files reads everything anew.
type Files struct {
	inputs  map[string]request.Input
	pairs   map[string][]request.Pair
	tokens  map[string]*request.Token
	rows    map[string]*Rows
	schemas map[string]bool // that are read already
}

// NewFiles returns Files that have read nothing yet.
func NewFiles() *Files {
	return &Files{
		inputs: map[string]request.Input{}, pairs: map[string][]request.Pair{}, tokens: map[string]*request.Token{},
		rows: map[string]*Rows{}, schemas: map[string]bool{},
	}
}

// keep reads what was not read before.
func keep[T any](kept map[string]T, name string, read func() (T, error)) (T, error) {
	if already, ok := kept[name]; ok {
		return already, nil
	}
	fresh, err := read()
	if err == nil {
		kept[name] = fresh
	}
	return fresh, err
}

// input is request.ReadInput.
func (f *Files) input(data, format string, stdin io.Reader) (request.Input, error) {
	read := func() (request.Input, error) { return request.ReadInput(data, format, stdin) }
	if f == nil || !strings.HasPrefix(data, "@") {
		return read()
	}
	return keep(f.inputs, format+data, read)
}

// metadata is request.ReadPairs of one entry.
func (f *Files) metadata(entry string, stdin io.Reader) ([]request.Pair, error) {
	read := func() ([]request.Pair, error) { return request.ReadPairs([]string{entry}, stdin) }
	if f == nil || !strings.HasPrefix(entry, "@") {
		return read()
	}
	return keep(f.pairs, entry, read)
}

// token is request.ReadToken.
func (f *Files) token(path string) (*request.Token, error) {
	read := func() (*request.Token, error) { return request.ReadToken(path) }
	if f == nil {
		return read()
	}
	return keep(f.tokens, path, read)
}

// Rows reads a file of rows, as ReadRows does.
func (f *Files) Rows(path string) (*Rows, error) {
	return keep(f.rows, path, func() (*Rows, error) { return ReadRows(path) })
}

// schema refuses files of a schema that can't be read again, and were. Each call reads its schema.
func (f *Files) schema(paths []string) error {
	if f == nil {
		return nil
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() && f.schemas[path] {
			return fmt.Errorf("%s is not a regular file, so only one call can read it: write it to a file first", path)
		}
		f.schemas[path] = true
	}
	return nil
}
