package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

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
	f.writeOffers(&text, foreign.Server, foreign.Methods)
	return errors.New(text.String())
}

// nameOne returns an error if files have the schema and no method is named. It says which commands call those of the files.
func (f *loadFlags) nameOne(ctx context.Context, flags *pflag.FlagSet, server string) error {
	protos, _ := flags.GetStringArray("proto")
	sets, _ := flags.GetStringArray("protoset")
	paths, _ := flags.GetStringArray("import-path")
	files := slices.Concat(protos, sets)
	if len(files) == 0 || flags.Changed("call") || flags.Changed("mix") {
		return nil
	}
	methods, err := recipe.Offers(ctx, nil, recipe.Config{Protos: protos, ImportPaths: paths, Protosets: sets})
	switch {
	case err != nil:
		return err
	case len(methods) == 0:
		return fmt.Errorf("--call must name a method, and %s has none", strings.Join(files, ", "))
	}
	var text strings.Builder
	fmt.Fprintf(&text, "--call must name a method; name one of %s:", strings.Join(files, ", "))
	f.writeOffers(&text, server, methods)
	return errors.New(text.String())
}

// writeOffers writes a command for each of a server's methods, one a line.
func (f *loadFlags) writeOffers(text *strings.Builder, server string, methods []recipe.Offer) {
	for _, m := range methods {
		command := append([]string{"rpcbench", f.verb, server}, typed(f.given)...)
		command = append(command, "--call", m.Name)
		if m.Example != "" {
			command = append(command, "--data", m.Example)
		}
		text.WriteString("\n  " + shell(command))
		if m.Kind != stack.KindUnary {
			text.WriteString("  # " + m.Kind)
		}
	}
}
