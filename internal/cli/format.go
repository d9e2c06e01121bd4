package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/report"
)

// textOrJSON are the formats of what is no report.
var textOrJSON = []string{report.FormatText, report.FormatJSON}

// outputFormat begins the help of a --format.
const outputFormat = "output `format`: "

// addFormat declares --format, of which text is the default.
func addFormat(flags *pflag.FlagSet, format *string, help string, formats []string) {
	flags.StringVar(format, "format", report.FormatText, "")
	setFormats(flags.Lookup("format"), help, formats)
}

// formatsKey is the annotation under which a --format has what it takes, for shells to complete.
const formatsKey = "rpcbench_formats"

// setFormats says what a --format takes.
func setFormats(flag *pflag.Flag, help string, formats []string) {
	between := ", "
	if len(formats) == 2 {
		between = " or "
	}
	flag.Usage = help + strings.Join(formats, between)
	flag.Annotations = map[string][]string{formatsKey: formats}
}
