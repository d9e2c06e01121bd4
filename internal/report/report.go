// Package report prints a compare.Report: a table in, bytes out, one file per format.
//
// Text is for people at a terminal, Markdown for people at a pull request, CSV and JSON for programs (their columns are
// the scripting contract: appended to, never renamed), go-bench for benchstat, hgrm for HdrHistogram's plotter, and
// histogram, vanadium and simple are the layouts of Vanadium's benchmarks. Published figures of others can be set
// beside the same cases. The package computes no figure but those of a layout's own; it chooses columns, units and
// digits. It never prints a figure without its unit, and what is absent is empty in CSV, null in JSON and a dash for
// people, never 0.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"rpcbench/internal/compare"
	"rpcbench/internal/reference"
)

// Formats of a report.
const (
	FormatText     = "text"
	FormatCSV      = "csv"
	FormatJSON     = "json"
	FormatMarkdown = "markdown"
	FormatGoBench  = "go-bench"
	FormatHgrm     = "hgrm" // a directory of files, see WriteDir

	FormatHistogram = "histogram" // this and the next two as Vanadium's benchmarks print
	FormatVanadium  = "vanadium"
	FormatSimple    = "simple" // of the scenario simple only
)

// Formats lists all formats.
func Formats() []string {
	return []string{FormatText, FormatCSV, FormatJSON, FormatMarkdown, FormatGoBench, FormatHgrm, FormatHistogram,
		FormatVanadium, FormatSimple}
}

// Options say how to print. Color and Width are of the text format.
type Options struct {
	Color bool // ANSI escape sequences
	// Width is how wide a line may be, WidthDefault for 0. Columns that don't fit are left out and named; the stack,
	// the headline and the verdict always stay.
	Width int
	// Reference holds published figures that are set beside the same cases of the report, nil for none. See
	// CheckReference for the formats that have a place for them.
	Reference *reference.Reference
}

// WidthDefault is the width of text where none is asked for.
const WidthDefault = 120

// Write prints r in a format that is one stream: all but FormatHgrm.
func Write(w io.Writer, format string, r *compare.Report, options Options) error {
	if options.Reference != nil && slices.Contains(Formats(), format) {
		if err := CheckReference(format); err != nil {
			return err
		}
	}
	switch format {
	case FormatText:
		return writeText(w, r, options)
	case FormatCSV:
		return writeCSV(w, r)
	case FormatJSON:
		return writeJSON(w, r, options.Reference)
	case FormatMarkdown:
		return writeMarkdown(w, r, options.Reference)
	case FormatGoBench:
		return writeGoBench(w, r)
	case FormatHistogram:
		return writeHistograms(w, r)
	case FormatVanadium:
		return writeVanadium(w, r)
	case FormatSimple:
		return writeSimple(w, r)
	case FormatHgrm:
		return fmt.Errorf("the format %s is a directory of files, so it needs one to write to", FormatHgrm)
	default:
		return fmt.Errorf("unknown format %q: it is one of %s", format, strings.Join(Formats(), ", "))
	}
}
