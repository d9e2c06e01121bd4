package point

import (
	"fmt"
	"strings"
)

// A Flag stands for a key on the command line.
type Flag struct {
	Name string // without dashes
	Help string
	Form FlagForm
}

// A FlagForm is how a flag's value is written.
type FlagForm int

// FlagForms.
const (
	AsYAML  FlagForm = iota // as that of --set
	AsNames                 // names with commas between them
	AsText                  // one text, whatever is in it
)

// YAML is the flag's value as --set has it.
func (f FlagForm) YAML(value string) string {
	switch f {
	case AsNames:
		var names []string
		for name := range strings.SplitSeq(value, ",") {
			names = append(names, fmt.Sprintf("%q", strings.TrimSpace(name)))
		}
		return "[" + strings.Join(names, ", ") + "]"
	case AsText:
		return "'" + strings.ReplaceAll(value, "'", "''") + "'"
	default:
		return value
	}
}
