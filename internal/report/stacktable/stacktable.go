// Package stacktable describes the stacks that can be measured, as a table and as JSON.
package stacktable

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"rpcbench/internal/report/texttable"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/stack"
)

// A Stack is one as JSON has it.
type Stack struct {
	Name         string   `json:"name"`
	Protocol     string   `json:"protocol"`
	Library      string   `json:"library"`
	Sides        []string `json:"sides"`
	Kinds        []string `json:"kinds"`
	Networks     []string `json:"networks"`
	Security     []string `json:"security"`
	Compressions []string `json:"compressions"`
	Multiplexed  bool     `json:"multiplexed"`
	Options      []Option `json:"options"`
	Messages     []string `json:"messages,omitempty"` // of encode and decode
	Codecs       []string `json:"codecs,omitempty"`
	Worker       string   `json:"worker,omitempty"` // that hosts it; absent: this binary
	Runtime      string   `json:"runtime,omitempty"`
	// LeastWarmupNs is what the runtime wants before it is measured.
	LeastWarmupNs int64 `json:"least_warmup_ns,omitempty"`
}

// An Option is one of a stack.
type Option struct {
	Name  string   `json:"name"`
	Help  string   `json:"help"`
	Sides []string `json:"sides"`
}

// Describe describes what workers offer.
func Describe(offers []fleet.Offer) []Stack {
	described := []Stack{}
	for _, i := range offers {
		s := Stack{
			Name: i.Name, Protocol: i.Protocol, Library: i.Library, Sides: sides(i.Calls, i.Serves),
			Kinds: i.Kinds, Networks: notNil(i.Networks), Security: notNil(i.Securities), Compressions: notNil(i.Compressions),
			Multiplexed: i.Multiplexed, Options: []Option{}, Messages: i.Messages, Codecs: i.Codecs,
			Worker: i.Worker, Runtime: i.Runtime, LeastWarmupNs: i.LeastWarmup.Nanoseconds(),
		}
		for _, o := range i.Options {
			s.Options = append(s.Options, Option{o.Name, o.Help, sides(o.Client, o.Server)})
		}
		described = append(described, s)
	}
	return described
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
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

// Text is a table of what workers offer.
func Text(offers []fleet.Offer) string {
	t := texttable.New("  ", "stack", "protocol", "library", "kinds", "security", "compression")
	for _, s := range Describe(offers) {
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
func oneSided(s Stack) string {
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
