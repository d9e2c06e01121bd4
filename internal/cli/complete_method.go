package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/call/target"
	"rpcbench/internal/cli/alias"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/server"
	"rpcbench/internal/run/service"
	"rpcbench/internal/stack"
)

// completionPatience is how long a server may take to list its methods while the user waits at a prompt. Only tests change it.
var completionPatience = 2 * time.Second

// afterCursor names the variable in which the shells' scripts pass the text after the cursor.
const afterCursor = "RPCBENCH_AFTER_CURSOR"

// anyMethod makes a case that of a method, whichever.
const anyMethod = "any.Service/Method"

// completeMethods asks the server for its methods, or reads them from --proto or --protoset.
func (e *env) completeMethods(command *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	words, err := e.methods(command, args)
	if err != nil {
		words = cobra.AppendActiveHelp(nil, err.Error())
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

func (e *env) methods(command *cobra.Command, args []string) ([]string, error) {
	ctx, cancel := context.WithTimeout(command.Context(), completionPatience)
	defer cancel()
	c, err := typedCase(command.Flags(), args)
	if err != nil {
		return nil, err
	}
	found, err := service.Offers(ctx, c, service.Config{})
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("%s did not list its methods within %v", c.Service().Target, completionPatience)
	}
	var words []string
	for _, m := range found {
		word := m.Name
		if m.Kind != stack.KindUnary {
			word += "\t" + m.Kind
		}
		words = append(words, word)
	}
	return words, err
}

// typedCase returns the case of an unfinished command line: TARGET may follow the cursor. Text after the cursor that can't be
// parsed is ignored, because the line is unfinished.
func typedCase(flags *pflag.FlagSet, args []string) (scenario.Case, error) {
	if behind := wordsBehind(os.Getenv(afterCursor)); len(behind) > 0 && flags.Parse(behind) == nil {
		args = append(args, flags.Args()...)
	}
	written, err := alias.Load.Take(flags, args)
	if err != nil {
		return scenario.Case{}, err
	}
	if len(written.Args) != 1 {
		return scenario.Case{}, errors.New("type TARGET, and its methods are listed")
	}
	if target.IsURL(written.Args[0]) {
		return scenario.Case{}, errors.New("--call names a gRPC method: give host:port instead of a URL")
	}
	if err := flags.Set("call", anyMethod); err != nil {
		return scenario.Case{}, err
	}
	f := loadFlags{kind: "unary", connections: "1", inFlight: "1"}
	at := strings.ReplaceAll(written.Args[0], server.PortHole, "1") // of ab, whose servers do not run
	made, err := f.caseOf(flags, written, at)
	if err != nil {
		return scenario.Case{}, err
	}
	return made.Cases[0], nil
}

// wordsBehind returns the words after the one at the cursor; none for a text with an open quote, which is normal while typing.
func wordsBehind(text string) []string {
	if text != "" && text[0] != ' ' {
		_, text, _ = strings.Cut(text, " ")
	}
	words, err := point.SplitWords(text)
	if err != nil {
		return nil
	}
	return words
}
