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
	about := "; name one of its methods:"
	if foreign.Protected {
		about = ", and refuses calls without credentials (UNAUTHENTICATED); give --token-file, --token-env or --metadata, and name " +
			"one of its methods:"
	}
	fmt.Fprintf(&text, "the server at %s is not rpcbench serve%s", foreign.Server, about)
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
