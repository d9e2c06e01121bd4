// Package stacktable describes the available stacks, as a table and as JSON.
package stacktable

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/report/document"
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
	// LeastWarmupNs is the minimum warm-up that the runtime needs.
	LeastWarmupNs int64 `json:"least_warmup_ns,omitempty"`
	// Deviations are what the stack's library does differently from the requirements for all stacks.
	Deviations []Deviation `json:"deviations,omitempty"`
}

// A Deviation is one of a stack.
type Deviation struct {
	Rule   string `json:"rule"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// An Option is one of a stack.
type Option struct {
	Name  string   `json:"name"`
	Help  string   `json:"help"`
	Sides []string `json:"sides"`
	// Words are all values that it takes, beside the Numbers. Without both it takes any text.
	Words   []string `json:"words,omitempty"`
	Numbers *Numbers `json:"numbers,omitempty"`
	// Default is the value that is the same as none; absent: there is no such value.
	Default string `json:"default,omitempty"`
}

// Numbers are the whole numbers from Min to Max.
type Numbers struct {
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

// Describe describes the stacks of workers.
func Describe(offers []fleet.Offer) []Stack {
	described := []Stack{}
	for _, i := range offers {
		s := Stack{
			Name: i.Name, Protocol: i.Protocol, Library: i.Library, Sides: sides(i.Calls, i.Serves),
			Kinds: i.Kinds, Networks: document.List(i.Networks), Security: document.List(i.Securities),
			Compressions: document.List(i.Compressions),
			Multiplexed:  i.Multiplexed, Options: []Option{}, Messages: i.Messages, Codecs: i.Codecs,
			Worker: i.Worker, Runtime: i.Runtime, LeastWarmupNs: i.LeastWarmup.Nanoseconds(),
		}
		for _, o := range i.Options {
			s.Options = append(s.Options, optionOf(o))
		}
		for _, d := range i.Deviations {
			s.Deviations = append(s.Deviations, Deviation(d))
		}
		described = append(described, s)
	}
	return described
}

func optionOf(o stack.Option) Option {
	described := Option{Name: o.Name, Help: o.Help, Sides: sides(o.Client, o.Server), Words: o.Words, Default: o.Default}
	if o.Numbers != (stack.Range{}) {
		described.Numbers = &Numbers{o.Numbers.Min, o.Numbers.Max}
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

// Table returns a table of the stacks of workers.
func Table(offers []fleet.Offer) *document.Table {
	t := &document.Table{Columns: []document.Column{
		{Head: "stack"}, {Head: "protocol"}, {Head: "library"}, {Head: "kinds"}, {Head: "security"}, {Head: "compression"},
	}}
	for _, s := range Describe(offers) {
		t.Append(lines(append([]string{s.Name}, oneSided(s)...)), document.Cell{Text: s.Protocol},
			lines(strings.Split(libraryLines.Replace(s.Library), "\n")), lines(wrap(s.Kinds)),
			document.Cell{Text: strings.Join(s.Security, " ")}, document.Cell{Text: strings.Join(s.Compressions, " ")})
		for _, d := range s.Deviations {
			t.Notes = append(t.Notes, fmt.Sprintf("%s deviates from %s (%s): %s", s.Name, d.Rule, d.Code, d.Reason))
		}
	}
	return t
}

// Options describes what each stack of workers can be told, with the values that each option takes.
func Options(offers []fleet.Offer) document.Document {
	var d document.Document
	for _, offer := range offers {
		t := &document.Table{Columns: []document.Column{
			{Head: "option"}, {Head: "sides"}, {Head: "values"}, {Head: "default"}, {Head: "what it is"},
		}}
		for _, o := range offer.Options {
			values := o.Values()
			if o.TakesText() {
				values = "any text"
			}
			t.Append(document.Cell{Text: o.Name}, document.Cell{Text: strings.Join(sides(o.Client, o.Server), " ")},
				document.Cell{Text: values}, document.Cell{Text: o.Default}, document.Cell{Text: o.Help})
		}
		if len(offer.Options) > 0 {
			d = append(d, document.Heading("Options of "+offer.Name), t)
		}
	}
	return d
}

// lines makes a cell of lines; without any it is empty.
func lines(texts []string) document.Cell {
	if len(texts) == 0 {
		return document.Cell{}
	}
	return document.Cell{Text: texts[0], More: texts[1:]}
}

// libraryLines puts a remark on a library, or a second library, on a separate line.
var libraryLines = strings.NewReplacer(" (", "\n(", ", ", ",\n")

// oneSided is a second line for a stack that lacks a side which its protocol has.
func oneSided(s Stack) []string {
	if s.Protocol == stack.ProtocolCodec || len(s.Sides) != 1 {
		return nil
	}
	return []string{s.Sides[0] + " only"}
}

// wrap puts four words on a line.
func wrap(words []string) []string {
	var lines []string
	for four := range slices.Chunk(words, 4) {
		lines = append(lines, strings.Join(four, " "))
	}
	return lines
}
