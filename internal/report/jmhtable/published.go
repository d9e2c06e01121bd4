package jmhtable

import (
	"strconv"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/jmh"
	"rpcbench/internal/results/published"
)

// publishedPart shows published figures next to those of a file.
func publishedPart(file *jmh.File, ref *published.Micro) document.Document {
	here := map[string]jmhLine{}
	for _, line := range jmhLines(file) {
		if line.class == ref.Class && line.mode == ref.Mode && line.unit == ref.Unit {
			here[line.method+" "+line.params[ref.Param]] = line
		}
	}
	t := &document.Table{Caption: ref.Class + ", published " + ref.Source, Columns: []document.Column{
		{Head: "benchmark"}, {Head: "(" + ref.Param + ")", Right: true}, {Head: "before", Right: true}, {Head: "after", Right: true},
		{Head: "measured", Right: true}, {Head: "units"}, {Head: "× after", Right: true},
	}}
	alone := 0
	for _, f := range ref.Figures {
		method := strings.TrimSuffix(ref.Method+":"+f.Percentile, ":")
		measured, ratio := cell.Absent, cell.Absent
		if line, ok := here[method+" "+f.Param]; ok && line.score.Known() {
			measured, ratio = number.None.Text(float64(line.score)), number.None.Text(float64(line.score)/f.After)
		} else {
			alone++
		}
		for i, text := range []string{method, f.Param, plainly(f.Before), plainly(f.After), measured, ref.Unit, ratio} {
			t.Columns[i].Cells = append(t.Columns[i].Cells, document.Cell{Text: text})
		}
	}
	notes := []string{"Published: " + ref.Title + " (" + ref.Source + ").", strings.TrimSpace(ref.Note),
		"× after is the measured figure divided by the one published after the change. Machines differ, so it does not show which " +
			"program is faster."}
	if alone > 0 {
		notes = append(notes, number.Count(alone, "published line")+" of "+strconv.Itoa(len(ref.Figures))+
			" without a counterpart in "+file.Name+".")
	}
	return document.Document{t, document.Notes{Lines: notes, Quiet: true}}
}

func plainly(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
