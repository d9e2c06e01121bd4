package cli

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
)

// stacks prints what this binary can measure.
func (e *env) stacksCommand() *cobra.Command {
	var format string
	command := &cobra.Command{
		Use:   "stacks",
		Short: "Print the stacks that can be measured, and what each can do",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := checkFormat(format, []string{"text", "json"}); err != nil {
				return err
			}
			if format == "json" {
				return printJSON(e.out, described(e.infos()))
			}
			_, err := fmt.Fprintln(e.out, stackTable(e.infos()))
			return err
		},
	}
	command.Flags().StringVar(&format, "format", "text", "text or json")
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
}

type optionJSON struct {
	Name  string   `json:"name"`
	Help  string   `json:"help"`
	Sides []string `json:"sides"`
}

func described(infos []stack.Info) []stackJSON {
	described := []stackJSON{}
	for _, i := range infos {
		s := stackJSON{
			Name: i.Name, Protocol: i.Protocol, Library: worker.Library(i), Sides: sides(i.Calls, i.Serves),
			Kinds: i.Kinds, Networks: i.Networks, Security: i.Securities, Compressions: i.Compressions,
			Multiplexed: i.Multiplexed, Options: []optionJSON{},
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

func stackTable(infos []stack.Info) string {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format.Header = 0
	t.SetStyle(style)
	t.AppendHeader(table.Row{"stack", "protocol", "library", "kinds", "security", "compression"})
	for _, s := range described(infos) {
		t.AppendRow(table.Row{
			s.Name, s.Protocol, s.Library, wrap(s.Kinds), strings.Join(s.Security, " "), strings.Join(s.Compressions, " "),
		})
	}
	return trimLines(t.Render())
}

// wrap puts four words on a line.
func wrap(words []string) string {
	var lines []string
	for start := 0; start < len(words); start += 4 {
		lines = append(lines, strings.Join(words[start:min(start+4, len(words))], " "))
	}
	return strings.Join(lines, "\n")
}

func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
