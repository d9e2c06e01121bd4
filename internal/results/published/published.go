// Package published holds figures and claims that others published, to be set beside the same cases measured here.
//
// A reference is one embedded YAML file: tables of figures, each table with its machine and date, each figure with its
// unit and with what a row's key columns must be for the row to be the same case; and claims, each the ratio of two
// selections of rows on a metric, with the bound in which it holds. What can't be measured here says what it lacks. To
// add a reference is to add a file.
//
// The package tells which rows are the same case and in what unit; it is no judge of machines. A ratio of a figure from
// another machine and another year says how far apart two numbers are, and never which program is better.
package published

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"rpcbench/internal/call/hint"
)

//go:embed data/*.yaml
var data embed.FS

// A Reference is the figures and claims of one source.
type Reference struct {
	Name   string // as the user gives it
	Title  string
	Source string // where it is published
	Note   string // what sets its conditions apart from ours
	// Free are key columns that may hold anything. Of all others that a case doesn't name, it has the usual value.
	Free   []string
	Claims []Claim
	Tables []Table
}

// A Table holds the figures of one machine.
type Table struct {
	Machine string
	Date    string
	Case    Case // what all figures have in common; a figure's own comes before it
	Free    []string
	Figures []Figure
}

// A Figure is one published number.
type Figure struct {
	Name  string
	Value float64 // over 0
	Unit  string  // one of units, unless it lacks something
	Case  Case
	Lacks string // why there is no such case here; then the Case is empty
	About bool   // it was published as an approximate one

	free []string
}

// A Case gives the required values of key columns by name; "" means an empty column, and a list allows any of its values. Other
// columns must have their usual values, unless they are free.
type Case map[string]any

// Names lists the references in alphabetical order.
func Names() []string {
	files, err := fs.Glob(data, "data/*.yaml")
	if err != nil {
		panic(err) // of a bad pattern
	}
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = strings.TrimSuffix(path.Base(file), ".yaml")
	}
	return names
}

// Find returns a reference. An unknown name is one sentence with the name that may have been meant.
func Find(name string) (*Reference, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("unknown reference %q%s", name, hint.Of(name, Names()))
	}
	text, err := data.ReadFile("data/" + name + ".yaml")
	if err != nil {
		return nil, err
	}
	return parse(text)
}

// parse reads and checks a reference. The Case of every figure is complete then.
func parse(text []byte) (*Reference, error) {
	var r Reference
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&r); err != nil {
		return nil, fmt.Errorf("a reference can't be read: %w", err)
	}
	for i := range r.Claims {
		r.Claims[i].Free = slices.Concat(r.Claims[i].Free, r.Free)
		if err := r.Claims[i].complete(); err != nil {
			return nil, fmt.Errorf("reference %s: %w", r.Name, err)
		}
	}
	for i := range r.Tables {
		table := &r.Tables[i]
		for j := range table.Figures {
			table.Figures[j].free = slices.Concat(table.Free, r.Free)
			if err := table.Figures[j].complete(table.Case); err != nil {
				return nil, fmt.Errorf("reference %s: %w", r.Name, err)
			}
		}
	}
	return &r, nil
}

// complete checks a figure and adds its table's common case.
func (f *Figure) complete(common Case) error {
	switch {
	case f.Name == "" || f.Value <= 0:
		return fmt.Errorf("a figure %q of %v: it needs a name and a value over 0", f.Name, f.Value)
	case (f.Lacks == "") == (len(f.Case) == 0):
		return fmt.Errorf("%s: it has either a case or something that it lacks", f.Name)
	case f.Lacks != "":
		return nil
	}
	if _, ok := units[f.Unit]; !ok {
		return fmt.Errorf("%s: the unit %q is unknown%s", f.Name, f.Unit,
			hint.Of(f.Unit, slices.Sorted(maps.Keys(units))))
	}
	f.Case = f.Case.with(common)
	return errors.Join(f.Case.check(f.Name), freeCase(f.free).check(f.Name))
}
