package cli

import (
	"github.com/spf13/pflag"

	"rpcbench/internal/plan/point"
)

// choiceFlags narrow a plan, a report or a comparison to some cases.
type choiceFlags struct{ pattern, kinds string }

func (f *choiceFlags) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.pattern, "case", "",
		"only the points whose case's title, or whose keys as in csv (request_bytes=1000), match this `regexp`")
	flags.StringVar(&f.kinds, "kind", "", "only points of these comma-separated `kinds`")
}

func (f *choiceFlags) choice() (point.Choice, error) { return point.ChoiceOf(f.pattern, f.kinds) }
