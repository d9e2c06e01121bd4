package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/report"
)

// textOrJSON lists the formats of output that is not a report.
var textOrJSON = []string{report.FormatText, report.FormatJSON}

// outputFormat begins the help of a --format.
const outputFormat = "output `format`: "

// addFormat declares --format, of which text is the default.
func addFormat(flags *pflag.FlagSet, format *string, help string, formats []string) {
	flags.StringVar(format, "format", report.FormatText, "")
	setFormats(flags.Lookup("format"), help, formats)
}

// formatsKey is the annotation with the values of a --format flag, for completion in shells.
const formatsKey = "rpcbench_formats"

// setFormats sets the values of a --format flag.
func setFormats(flag *pflag.Flag, help string, formats []string) {
	between := ", "
	if len(formats) == 2 {
		between = " or "
	}
	flag.Usage = help + strings.Join(formats, between)
	flag.Annotations = map[string][]string{formatsKey: formats}
}

// A formatWithout is a format of a command that has no use for one of them.
type formatWithout struct {
	pflag.Value
	name, why string
}

// Set is pflag.Value's.
func (v formatWithout) Set(text string) error {
	if text == v.name {
		return errors.New(v.why)
	}
	return v.Value.Set(text)
}

// withoutFormat takes a format out of a --format of a verb that measures.
func withoutFormat(format *pflag.Flag, name, why string) {
	format.Value = formatWithout{format.Value, name, why}
	isIt := func(other string) bool { return other == name }
	setFormats(format, reportFormat, slices.DeleteFunc(slices.Clone(format.Annotations[formatsKey]), isIt))
}
