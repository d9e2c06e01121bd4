// Package report prints an analysis.Report: a table in, bytes out.
//
// Text is for a terminal, Markdown for a pull request, HTML for a browser, CSV and JSON for programs (their columns are the
// scripting contract: appended to, never renamed), go-bench for benchstat, hgrm and hlog for HdrHistogram's tools, and svg
// for charts. histogram, vanadium and simple are the layouts of Vanadium's benchmarks, qps that of grpc-java's, and
// scenario-result that of gRPC's driver. Published figures can be shown next to the same cases, and results of JMH are
// printed as JMH does.
//
// The package computes no figures except those of a layout; it chooses columns, units and digits. It never prints a figure
// without its unit. An absent value is empty in CSV, null in JSON and a dash for people, never 0.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/report/chart"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/formats"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/published"
)

// Formats of a report.
const (
	FormatText     = document.Text
	FormatCSV      = document.CSV
	FormatJSON     = document.JSON
	FormatMarkdown = document.Markdown
	FormatHTML     = document.HTML
	FormatJUnit    = document.JUnit
)

// FormatSVG is a directory of charts, see WriteSVG.
const FormatSVG = "svg"

// Formats lists all formats.
func Formats() []string {
	return []string{FormatText, FormatCSV, FormatJSON, FormatMarkdown, FormatHTML, FormatJUnit, formats.GoBench, formats.Hgrm,
		formats.Histogram, formats.Vanadium, formats.Simple, formats.QPS, formats.Hlog, formats.ScenarioResult, FormatSVG}
}

// folders are the formats that are a directory of files.
var folders = map[string]func(dir string, r *analysis.Report) ([]string, error){
	formats.Hgrm: formats.WriteHgrmFolder,
	FormatSVG:    chart.Write,
}

// IsFolder reports whether a format is a folder of files; see WriteFolder.
func IsFolder(format string) bool { return folders[format] != nil }

// WriteFolder writes a format that is a directory of files into dir, which is made if need be, and returns their names.
func WriteFolder(dir, format string, r *analysis.Report) ([]string, error) {
	write, ok := folders[format]
	if !ok {
		return nil, fmt.Errorf("--format %q does not write a directory of files", format)
	}
	return write(dir, r)
}

// IsForPeople reports whether a format is read by people, who get answers, marks of trials and published figures in it.
func IsForPeople(format string) bool {
	return format == FormatText || format == FormatMarkdown || format == FormatHTML
}

// Options say how to print. The Style is of text.
type Options struct {
	document.Style

	// Reference holds published figures to show next to the same cases of the report. It may be nil. See CheckReference for the
	// formats that can show them.
	Reference *published.Reference
	// MaxLatency is the p99 that a batch may have at most; text, markdown and html then name the best that keeps to it. 0 is no
	// limit.
	MaxLatency time.Duration
	// Trials shows each trial of every row, in text, markdown and html.
	Trials bool
	// Answer is the result of a campaign, which these formats print first. If it is nil, it is that of the experiments with two
	// servers whose files these are, or none.
	Answer document.Document
	// Checks are the requirements that the report was held against, which Markdown, HTML and JSON have too, and JUnit alone.
	Checks document.Checks
}

// Write prints r in a format that is one stream: all but those of IsFolder.
func Write(w io.Writer, format string, r *analysis.Report, options Options) error {
	if options.Reference != nil && slices.Contains(Formats(), format) {
		if err := CheckReference(format); err != nil {
			return err
		}
	}
	if slices.Contains(document.Formats(), format) || format == FormatJUnit {
		return document.Write(w, format, sourceOf(r, answered(r, options)), options.Style)
	}
	if formats.IsStream(format) {
		return formats.Write(w, format, r)
	}
	if IsFolder(format) {
		return fmt.Errorf("--format %s writes a directory of files and needs --output DIRECTORY", format)
	}
	return fmt.Errorf("unknown format %q: formats are %s", format, strings.Join(Formats(), ", "))
}

// sourceOf returns a report for the formats of documents. JSON has the rows with the columns of CSV, absent ones as null, and
// also all metrics with their spread, the trials, and the footnotes of text.
func sourceOf(r *analysis.Report, options Options) document.Source {
	return document.Source{
		Document: func() document.Document { return documentOf(r, options) },
		Checks:   options.Checks,
		JSON:     func() any { return newJSONReport(r, options) },
		Page:     func() document.Page { return pageAround(r, options) },
		Records: func(yield func(document.Object) bool) {
			experiments, byClient := pairs.Of(r), isByClient(r.Rows)
			for _, row := range analysis.Flat(r.Rows) {
				if !yield(columns(row, experiments, byClient)) {
					return
				}
			}
		},
	}
}
