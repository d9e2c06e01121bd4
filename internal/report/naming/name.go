package naming

import (
	"fmt"
	"strings"
	"unicode"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/analysis"
)

// Parts returns a point as "column=value", without defaults. A name doesn't depend on the other rows, because the same point must
// have the same name in every file. The server is omitted if it is the client's stack, and the protocol always: both depend on
// the stack, and a tool that compares stacks would take them for further differences.
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

// Safe keeps characters that are harmless in file names and in names of Go benchmarks.
func Safe(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".,;=+-", r)) {
			return r
		}
		return '_'
	}, text)
}

// Stack returns the name of a row by its stack.
func Stack(row *analysis.Row) string {
	if row.IsFloor() {
		return row.Spec.Stack + " (floor)"
	}
	return row.Spec.Stack
}
