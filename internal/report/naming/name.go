package naming

import (
	"fmt"
	"strings"
	"unicode"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
)

// Parts returns a point as "column=value", without what goes without saying. A name doesn't depend on the other rows, or
// the same point would have another name in another file. The server is left out where it is the client's stack, and the
// protocol always: both hang on the stack, and a tool that compares stacks would take them for further differences.
func Parts(spec plan.Spec) []string {
	var parts []string
	for _, column := range point.Columns() {
		value := column.Text(spec)
		switch {
		case value == "" || value == column.Usual:
		case column.Name == "protocol":
		case column.Name == "server" && value == spec.Stack:
		default:
			parts = append(parts, fmt.Sprintf("%s=%s", column.Name, Safe(value)))
		}
	}
	return parts
}

// Safe keeps what is harmless in file names and in names of Go benchmarks.
func Safe(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".,;=+-", r)) {
			return r
		}
		return '_'
	}, text)
}

// Stack is what a row is called by its stack.
func Stack(row *analysis.Row) string {
	if row.IsFloor() {
		return row.Spec.Stack + " (floor)"
	}
	return row.Spec.Stack
}
