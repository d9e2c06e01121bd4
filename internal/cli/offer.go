package cli

import (
	"errors"
	"fmt"
	"strings"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/stack"
)

// offer says which commands call the methods that a server has, one a line.
func (f *loadFlags) offer(foreign *recipe.ForeignError) error {
	var text strings.Builder
	fmt.Fprintf(&text, "the server at %s is not rpcbench serve; name one of its methods:", foreign.Server)
	for _, m := range foreign.Methods {
		command := append([]string{"rpcbench", f.verb, foreign.Server}, typed(f.given)...)
		command = append(command, "--call", m.Name)
		if m.Example != "" {
			command = append(command, "--data", m.Example)
		}
		text.WriteString("\n  " + shell(command))
		if m.Kind != stack.KindUnary {
			text.WriteString("  # " + m.Kind)
		}
	}
	return errors.New(text.String())
}
