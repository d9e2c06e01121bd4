// Package jmhtable prints JMH results as JMH does, from one file or two side by side.
package jmhtable

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"rpcbench/internal/report/document"
	"rpcbench/internal/results/jmh"
	"rpcbench/internal/results/published"
)

// Write prints one results file of JMH, or two side by side, in one of document.Formats: the first is then what the second is
// set against. Text and Markdown have JMH's table, parted by class: its scores, in the sample mode its percentiles, auxiliary
// counters, and of the profilers the bytes allocated in an operation. CSV and JSON have all secondary metrics. Published figures,
// nil for none, stand beside those of the last file, in Text, Markdown and HTML.
func Write(w io.Writer, format string, files []*jmh.File, ref *published.Micro, style document.Style) error {
	if len(files) < 1 || len(files) > 2 {
		return fmt.Errorf("%d JMH results files: give one to print it, or two to compare them", len(files))
	}
	return document.Write(w, format, document.Source{
		Of:       "JMH results files",
		Document: func() document.Document { return jmhDocument(files, ref) },
		JSON:     func() any { return jmhJSON(files) },
		Records:  jmhRecords(files),
	}, style)
}

func jmhDocument(files []*jmh.File, ref *published.Micro) document.Document {
	var d document.Document
	for _, t := range jmhTables(files) {
		d = append(d, t)
	}
	d = append(d, document.Notes{Lines: jmhFooter(files), Quiet: true})
	if ref != nil {
		d = append(d, publishedPart(files[len(files)-1], ref)...)
	}
	return d
}

// A jmhLine is one line of JMH's table.
type jmhLine struct {
	class, method string // "marshalOld:p0.50" is a percentile
	mode, unit    string
	params        map[string]string
	n             int64 // 0 where it is said elsewhere
	score, spread jmh.Number
}

// id identifies the same line in another file.
func (l jmhLine) id() string {
	return fmt.Sprintf("%q", []any{l.class, l.method, l.mode, l.unit, paramWords(l.params)})
}

// paramWords is "k=v;k=v", sorted.
func paramWords(params map[string]string) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		pairs = append(pairs, name+"="+params[name])
	}
	return strings.Join(pairs, ";")
}

// jmhPercentiles are the rows that JMH prints of a sample.
var jmhPercentiles = []struct {
	name, column string
	q            float64
}{
	{"p0.00", "p0", 0}, {"p0.50", "p50", .5}, {"p0.90", "p90", .9}, {"p0.95", "p95", .95}, {"p0.99", "p99", .99},
	{"p0.999", "p999", .999}, {"p0.9999", "p9999", .9999}, {"p1.00", "p100", 1},
}

// sampleMode is the mode whose percentiles are of calls; those of other modes are of iterations.
const sampleMode = "sample"

// allocatedPerOp is the one figure of -prof gc that people read.
const allocatedPerOp = "gc.alloc.rate.norm"

func jmhLines(file *jmh.File) []jmhLine {
	var lines []jmhLine
	for _, b := range file.Benchmarks {
		class, method := splitName(b.Name)
		line := jmhLine{class: class, method: method, mode: b.Mode, unit: b.Primary.Unit, params: b.Params,
			n: b.Primary.Count(), score: b.Primary.Score, spread: b.Primary.Error}
		lines = append(lines, line)
		lines = append(lines, percentileLines(line, b)...)
		lines = append(lines, secondaryLines(line, b)...)
	}
	return lines
}

func percentileLines(primary jmhLine, b jmh.Benchmark) []jmhLine {
	var lines []jmhLine
	for _, p := range jmhPercentiles {
		if value, ok := b.Primary.Percentile(p.q); ok && b.Mode == sampleMode {
			line := primary
			line.method, line.n, line.score = primary.method+":"+p.name, 0, jmh.Number(value)
			line.spread = jmh.Number(math.NaN())
			lines = append(lines, line)
		}
	}
	return lines
}

func secondaryLines(primary jmhLine, b jmh.Benchmark) []jmhLine {
	var lines []jmhLine
	for _, name := range slices.Sorted(maps.Keys(b.Secondary)) {
		bare := strings.TrimPrefix(name, "·") // as JMH had it before 1.36
		if m := b.Secondary[name]; bare == allocatedPerOp || !strings.Contains(bare, ".") {
			line := primary
			line.method, line.unit, line.n = primary.method+":"+bare, m.Unit, m.Count()
			line.score, line.spread = m.Score, m.Error
			lines = append(lines, line)
		}
	}
	return lines
}

// splitName parts package.Class.method before the method, and drops the package.
func splitName(name string) (class, method string) {
	dot := strings.LastIndex(name, ".")
	if dot < 0 {
		return "", name
	}
	class = name[:dot]
	return class[strings.LastIndex(class, ".")+1:], name[dot+1:]
}
