package point

import (
	"fmt"
	"strings"
)

// A Flag is a command-line flag that sets a key.
type Flag struct {
	Name  string // without dashes
	Short string // one letter; may be empty
	Help  string
	Form  FlagForm
	// Secret says that the value may be one, so that no error repeats it.
	Secret bool
}

// A FlagForm is how a flag's value is written.
type FlagForm int

// FlagForms.
const (
	AsYAML   FlagForm = iota // as that of --set
	AsNames                  // names with commas between them
	AsText                   // one text, whatever is in it
	AsList                   // texts: the flag may be given several times
	AsSwitch                 // true where it is given
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
