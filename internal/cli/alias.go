package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// An alias is another tool's spelling of a flag of load. It is taken in, with dashes or underscores, and never shown in
// our own words.
type alias struct {
	name  string
	flag  string // the canonical flag that it stands for; "" is TARGET
	owner string // whose spelling it is
}

// aliases is the one table of them.
var aliases = []alias{
	{"server", "", "vanadium"},
	{"iterations", "calls", "vanadium"},
	{"chunk-count", "messages", "vanadium"}, // 0 is a unary call
	{"payload-size", "request-bytes", "vanadium"},
	{"mux-chunk-count", "background", "vanadium"}, // only together, as there
	{"mux-payload-size", "background", "vanadium"},
}

// addAliases adds the aliases to the flags of load, hidden from its help. They hold text: the canonical flag judges it.
func addAliases(flags *pflag.FlagSet) {
	for _, a := range aliases {
		flags.String(a.name, "", fmt.Sprintf("%s's word for %s", a.owner, a.meaning()))
		_ = flags.MarkHidden(a.name) // it is there
	}
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
}

func (a alias) meaning() string {
	if a.flag == "" {
		return "TARGET"
	}
	return "--" + a.flag
}

// given returns the text of an alias, and whether somebody wrote it.
func given(flags *pflag.FlagSet, name string) (text string, ok bool) {
	f := flags.Lookup(name)
	return f.Value.String(), f.Changed
}

// checkAliases refuses an alias beside the flag that it stands for.
func checkAliases(flags *pflag.FlagSet, target bool) error {
	for _, a := range aliases {
		if _, ok := given(flags, a.name); !ok {
			continue
		}
		if a.flag == "" && target {
			return fmt.Errorf("--%s stands for TARGET, and both are given", a.name)
		}
		if a.flag != "" && flags.Changed(a.flag) {
			return fmt.Errorf("--%s stands for --%s, and both are given", a.name, a.flag)
		}
	}
	return nil
}
