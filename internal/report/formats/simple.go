package formats

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
)

// A simpleLine is one of the four that Vanadium's simple/main.go prints, found by the title of its case.
type simpleLine struct {
	title string
	sized bool // the title is followed by the size of a message
	of    func(*analysis.Row) (simpleFigure, bool)
}

// A simpleFigure is the text after the title.
type simpleFigure struct {
	metric analysis.Metric
	by     float64 // what the metric is divided by
	unit   string
	extra  string
}

// Vanadium stops its clock between calls, so that its time per call is the mean of the calls' own time, and so is ours.
// MB is 10^6 bytes, both directions.
var simpleLines = []simpleLine{
	{"RPC Connection", false, meanOf},
	{"RPC", true, meanAndRate},
	{"RPC Streaming", true, meanOfMessage},
	{"RPC Streaming Throughput", true, throughput},
}

func meanOf(*analysis.Row) (simpleFigure, bool) {
	return simpleFigure{metric: analysis.ResponseMeanNs, by: 1e6, unit: "ms/rpc"}, true
}

func meanAndRate(row *analysis.Row) (simpleFigure, bool) {
	mean, ok := row.Summary(analysis.ResponseMeanNs)
	if !ok || mean.Median == 0 {
		return simpleFigure{}, false
	}
	figure, _ := meanOf(row)
	figure.extra = fmt.Sprintf(" (%.2f qps)", 1e9/mean.Median*float64(row.Spec.Slots()))
	return figure, true
}

func meanOfMessage(row *analysis.Row) (simpleFigure, bool) {
	figure, _ := meanOf(row)
	figure.by *= float64(row.Spec.Messages)
	return figure, row.Spec.Messages > 0
}

func throughput(*analysis.Row) (simpleFigure, bool) {
	return simpleFigure{metric: analysis.PayloadMBPerSec, by: 1, unit: "MB/s"}, true
}

// writeSimple prints the scenario simple as Vanadium's simple/main.go does, four lines for each stack. If there are several
// stacks, a line before each names it. The end says what was omitted, and why.
func writeSimple(w io.Writer, r *analysis.Report) error {
	blocks := simpleBlocks(r)
	if len(blocks) == 0 {
		return document.Misfit("--format %s prints the scenario simple, and %s has none of its cases", Simple,
			naming.Sources(r))
	}
	out := &printer{w: w}
	for i, b := range blocks {
		if i > 0 {
			out.printf("\n")
		}
		if len(blocks) > 1 {
			out.printf("%s\n", b.name())
		}
		for _, line := range simpleLines {
			b.write(out, line, r)
		}
	}
	if remarks := simpleRemarks(r); len(remarks) > 0 {
		out.printf("\n%s\n", strings.Join(remarks, "\n"))
	}
	return out.err
}

// simpleRemarks says what the plan omitted and what could not be read.
func simpleRemarks(r *analysis.Report) []string {
	var remarks []string
	for _, source := range r.Sources {
		for _, note := range source.Header.Notes {
			remarks = naming.AppendNew(remarks, note.Text)
		}
	}
	for _, warning := range r.Warnings {
		remarks = naming.AppendNew(remarks, warning)
	}
	return remarks
}

// A simpleBlock holds the results of one stack.
type simpleBlock struct {
	scenario, stack, label string
	rows                   map[string][]*analysis.Row // by title
}

func simpleBlocks(r *analysis.Report) []*simpleBlock {
	var blocks []*simpleBlock
	for _, table := range r.Tables {
		if !slices.ContainsFunc(simpleLines, func(line simpleLine) bool { return line.title == table.Title }) {
			continue
		}
		for _, row := range table.Rows {
			i := slices.IndexFunc(blocks, func(b *simpleBlock) bool {
				return b.scenario == row.Key.Scenario && b.stack == row.Spec.Stack
			})
			if i < 0 {
				i = len(blocks)
				blocks = append(blocks, &simpleBlock{scenario: row.Key.Scenario, stack: row.Spec.Stack,
					label: naming.Stack(row), rows: map[string][]*analysis.Row{}})
			}
			blocks[i].rows[table.Title] = append(blocks[i].rows[table.Title], row)
		}
	}
	slices.SortStableFunc(blocks, func(a, b *simpleBlock) int { return strings.Compare(a.scenario, b.scenario) })
	return blocks
}

func (b *simpleBlock) name() string {
	if b.scenario != "simple" {
		return b.label + ", " + b.scenario
	}
	return b.label
}

// write prints a line for each row under the title: one, unless the user gave an axis several values.
func (b *simpleBlock) write(out *printer, line simpleLine, r *analysis.Report) {
	rows := b.rows[line.title]
	if len(rows) == 0 {
		why := b.stack + " does not support it"
		if planned(r, line.title, b.stack) {
			why = "not measured"
		}
		out.printf("%s\t%s\n", line.title, why)
	}
	for _, row := range rows {
		title := line.title
		if line.sized {
			title += fmt.Sprintf(" (echo %s)", simpleSize(row.Spec.RequestBytes))
		}
		out.printf("%s\t%s\n", title, line.figure(row))
	}
}

// planned reports whether the stack was to be measured under the title.
func planned(r *analysis.Report, title, stack string) bool {
	isCase := func(c plan.Case) bool { return c.Title == title }
	return slices.ContainsFunc(r.Sources, func(source *analysis.Source) bool {
		return slices.ContainsFunc(source.Header.Plan, func(trial plan.Trial) bool {
			return trial.Spec.Stack == stack && slices.ContainsFunc(trial.Cases, isCase)
		})
	})
}

// figure prints a row's figure, with its spread if there are several trials, and with its verdict unless it is OK.
func (l simpleLine) figure(row *analysis.Row) string {
	if len(row.Trials) == 0 {
		return note.Failures(row)
	}
	figure, ok := l.of(row)
	summary, measured := row.Summary(figure.metric)
	if !ok || !measured {
		return "no call was OK: " + note.Outcomes(row)
	}
	text := simpleNumber(summary.Median/figure.by) + " " + figure.unit + figure.extra
	if summary.N > 1 {
		text += fmt.Sprintf(", median of %d trials, %s %s–%s", summary.N, naming.Spread(summary.N, summary.N),
			simpleNumber(summary.Lo/figure.by), simpleNumber(summary.Hi/figure.by))
	}
	if len(row.Outcomes) > 0 {
		text += ", " + note.Outcomes(row)
	}
	return text
}

// simpleNumber prints two decimals as Vanadium does, or three significant digits below 0.1.
func simpleNumber(value float64) string {
	decimals := 2
	if value < 0.1 {
		decimals = number.Decimals(value)
	}
	return strconv.FormatFloat(value, 'f', decimals, 64)
}

// simpleSize prints a size as Vanadium does: 1000B, 1MB.
func simpleSize(bytes int) string {
	if bytes > 0 && bytes%1_000_000 == 0 {
		return fmt.Sprintf("%dMB", bytes/1_000_000)
	}
	return fmt.Sprintf("%dB", bytes)
}
