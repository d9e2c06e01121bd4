package request

import (
	"fmt"

	"rpcbench/internal/call/jsonbound"
)

// Bounds of a text before it is parsed: of one of JSON, which may be all requests together, and of one message.
var (
	textLimits    = jsonbound.Limits{Depth: 100, Members: 1 << 23, Values: 1 << 23}
	messageLimits = jsonbound.Limits{Depth: 100, Members: 1 << 20, Values: 1 << 20}
)

// columnsMax bounds a row of CSV. A file of nothing but commas would take ten times its size.
const columnsMax = 1000

// checkRows returns an error where a row has more columns than that. In quotes there are texts.
func (in Input) checkRows() error {
	line, columns, quoted := 1, 1, false
	for _, b := range in.Text {
		switch {
		case b == '"':
			quoted = !quoted
		case b == '\n':
			line++
			if !quoted {
				columns = 1
			}
		case b == ',' && !quoted:
			columns++
		}
		if columns > columnsMax {
			return fmt.Errorf("%s:%d: the row has more than %d columns", in.Name, line, columnsMax)
		}
	}
	return nil
}
