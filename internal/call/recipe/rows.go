package recipe

import (
	"errors"
	"fmt"

	"rpcbench/internal/call/request"
)

// Rows are a file with a row of values for each call. Several recipes may have the same, as those of a mix do.
type Rows struct {
	input request.Input
	table *request.Rows
}

// ReadRows reads a file of rows.
func ReadRows(path string) (*Rows, error) {
	if path == "-" {
		return nil, errors.New("--rows-file: rows can't come from stdin; give a file")
	}
	input, err := request.ReadRows(path)
	if err != nil {
		return nil, fmt.Errorf("--rows-file: %w", err)
	}
	table, err := request.NewRows(input)
	return &Rows{input, table}, err
}
