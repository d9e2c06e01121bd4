package cli

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"rpcbench/internal/report/texttable"
	"rpcbench/internal/stack"
)

// stacks prints what this binary can measure.
func (e *env) stacksCommand() *cobra.Command {
	var format, folder string
	command := &cobra.Command{
		Use:   "stacks",
		Short: "Print the stacks that can be measured, and what each can do",
		Args:  noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := checkFormat(format, []string{"text", "json"}); err != nil {
				return err
			}
			f, err := e.fleet(folder)
			if err != nil {
				return err
			}
			for _, err := range f.ask(command.Context(), f.workers) {
				fmt.Fprintf(e.err, "left out: %v\n", err)
			}
			if format == "json" {
				return printJSON(e.out, described(f.all()))
			}
			_, err = fmt.Fprintln(e.out, stackTable(f.all()))
			return err
		},
	}
	command.Flags().StringVar(&format, "format", "text", "text or json")
	workersFlag(command.Flags(), &folder)
	return command
}

// stackJSON is one stack in --format json.
type stackJSON struct {
	Name         string       `json:"name"`
	Protocol     string       `json:"protocol"`
	Library      string       `json:"library"`
	Sides        []string     `json:"sides"`
	Kinds        []string     `json:"kinds"`
	Networks     []string     `json:"networks"`
	Security     []string     `json:"security"`
	Compressions []string     `json:"compressions"`
	Multiplexed  bool         `json:"multiplexed"`
	Options      []optionJSON `json:"options"`
	Messages     []string     `json:"messages,omitempty"` // of encode and decode
	Codecs       []string     `json:"codecs,omitempty"`
	Worker       string       `json:"worker,omitempty"` // that hosts it; absent: this binary
	Runtime      string       `json:"runtime,omitempty"`
	// LeastWarmupNs is what the runtime wants before it is measured.
	LeastWarmupNs int64 `json:"least_warmup_ns,omitempty"`
}

type optionJSON struct {
	Name  string   `json:"name"`
	Help  string   `json:"help"`
	Sides []string `json:"sides"`
}

func described(offers []offer) []stackJSON {
	described := []stackJSON{}
	for _, i := range offers {
		s := stackJSON{
			Name: i.Name, Protocol: i.Protocol, Library: i.library, Sides: sides(i.Calls, i.Serves),
			Kinds: i.Kinds, Networks: notNil(i.Networks), Security: notNil(i.Securities), Compressions: notNil(i.Compressions),
			Multiplexed: i.Multiplexed, Options: []optionJSON{}, Messages: i.Messages, Codecs: i.Codecs,
			Worker: i.worker, Runtime: i.runtime, LeastWarmupNs: i.leastWarmup.Nanoseconds(),
		}
		for _, o := range i.Options {
			s.Options = append(s.Options, optionJSON{o.Name, o.Help, sides(o.Client, o.Server)})
		}
		described = append(described, s)
	}
	return described
}

func sides(client, server bool) []string {
	sides := []string{}
	if client {
		sides = append(sides, "client")
	}
	if server {
		sides = append(sides, "server")
	}
	return sides
}

func stackTable(offers []offer) string {
	t := texttable.New("  ", "stack", "protocol", "library", "kinds", "security", "compression")
	for _, s := range described(offers) {
		t.AppendRow(table.Row{
			s.Name + oneSided(s), s.Protocol, libraryLines.Replace(s.Library), wrap(s.Kinds),
			strings.Join(s.Security, " "), strings.Join(s.Compressions, " "),
		})
	}
	return texttable.Render(t)
}

// libraryLines breaks what stands beside a library, or a second one, into lines of their own.
var libraryLines = strings.NewReplacer(" (", "\n(", ", ", ",\n")

// oneSided is a second line for a stack that lacks a side which its protocol has.
func oneSided(s stackJSON) string {
	if s.Protocol == stack.ProtocolCodec || len(s.Sides) != 1 {
		return ""
	}
	return "\n" + s.Sides[0] + " only"
}

// wrap puts four words on a line.
func wrap(words []string) string {
	var lines []string
	for start := 0; start < len(words); start += 4 {
		lines = append(lines, strings.Join(words[start:min(start+4, len(words))], " "))
	}
	return strings.Join(lines, "\n")
}
