package report

import (
	"fmt"
	"strings"
	"unicode"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/stack"
)

// usual are key columns' values that a name leaves out. A name doesn't depend on the other rows, or the same point
// would have another name in another file.
var usual = map[string]string{
	"servers":     "1",
	"load":        plan.LoadClosed,
	"security":    stack.SecurityPlaintext,
	"network":     stack.NetworkTCP,
	"compression": stack.CompressionNone,
	"payload":     "random",
	"deadline_ns": "10000000000",
}

// nameParts returns a row's key as "column=value", without the scenario and what goes without saying. The server is
// left out where it is the client's stack, and the protocol always: both hang on the stack, and a tool that compares
// stacks would take them for further differences.
func nameParts(key analysis.Key) []string {
	var parts []string
	for _, field := range key.Fields() {
		value := plain(field.Value)
		switch {
		case value == "" || value == usual[field.Name]:
		case field.Name == "scenario" || field.Name == "protocol":
		case field.Name == "server" && key.Server == key.Stack:
		default:
			parts = append(parts, fmt.Sprintf("%s=%s", field.Name, safe(value)))
		}
	}
	return parts
}

// safe keeps what is harmless in file names and in names of Go benchmarks.
func safe(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".,;=+-", r)) {
			return r
		}
		return '_'
	}, text)
}
