package cli

import (
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
