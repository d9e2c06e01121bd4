package report

import (
	"fmt"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/chart"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/model"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// maxPictures is the maximum number of charts with a picture for readers without JavaScript. Each takes about 30 kB.
const maxPictures = 8

// pageAround returns the HTML frame of a report: the question, where and when it was measured, and the data to draw.
func pageAround(r *analysis.Report, options Options) document.Page {
	p := document.Page{Title: titleOf(r), Kicker: "rpcbench · " + naming.Sources(r)}
	for _, source := range r.Sources {
		h := source.Header
		p.About = naming.AppendNew(p.About, naming.JoinPresent([]string{h.Created.UTC().Format("2 January 2006, 15:04 UTC"),
			naming.Machine(h.Driver()), naming.JoinPresent([]string{"rpcbench", h.Binary.Version}, " "),
			trialsOf(r, source) + spreadWords(r)}, " · "))
	}
	drawn, err := model.Of(r)
	if err != nil { // each histogram was read when the report was made
		return p
	}
	if options.Reference != nil {
		drawn.Published = model.PanelsOf(options.Reference, r.Rows)
	}
	p.Data = drawn
	return p
}

// trialsOf counts the trials of a source, and those of them that failed. One of several scenarios or clients is in a row of each.
func trialsOf(r *analysis.Report, source *analysis.Source) string {
	good, failed := map[*analysis.Trial]bool{}, map[*analysis.Trial]bool{}
	count := func(trials []*analysis.Trial, in map[*analysis.Trial]bool) {
		for _, trial := range trials {
			if trial.Whole != nil {
				trial = trial.Whole
			}
			if trial.Source == source {
				in[trial] = true
			}
		}
	}
	for _, row := range r.Rows {
		count(row.Trials, good)
		count(row.Failed, failed)
	}
	all := number.Count(len(good)+len(failed), "trial")
	switch {
	case len(failed) == 0:
		return all
	case len(good) == 0 && len(failed) == 1:
		return all + ", which failed"
	case len(good) == 0:
		return all + ", all failed"
	default:
		return fmt.Sprintf("%s, %d failed", all, len(failed))
	}
}

// spreadWords say what the figures of a page of one load are, which no caption says.
func spreadWords(r *analysis.Report) string {
	if !isOneLoad(r) || len(r.Rows[0].Trials) < 2 {
		return ""
	}
	n := len(r.Rows[0].Trials)
	return "; figures are medians over trials, with their " + naming.Spread(n, n)
}

// titleOf is the question of the report, or the names of its scenarios where they have several.
func titleOf(r *analysis.Report) string {
	if title := questionOf(r); title != "" {
		return title
	}
	var names, questions []string
	for _, table := range r.Tables {
		name, question, asked := strings.Cut(heading(r, table), ": ")
		if !asked {
			question = name
		}
		names, questions = naming.AppendNew(names, name), naming.AppendNew(questions, question)
	}
	if isOneLoad(r) {
		title, _, _ := strings.Cut(pageTitle(r.Tables[0], r.Rows[0]), " · ")
		return title
	}
	if len(questions) == 1 {
		return questions[0]
	}
	return strings.Join(names, ", ")
}

// caseChart is the place of a table's chart, with its conclusion.
func caseChart(r *analysis.Report, i int) document.Chart {
	table := r.Tables[i]
	c := document.Chart{Of: "case", Number: i, Title: table.Title, Name: naming.Caption(table), Answer: leads(table.Rows)}
	if isOneLoad(r) {
		c.Title, c.Spoken = "", true // the page has the title, and no table the answer
	}
	if i < maxPictures {
		c.Picture = func() []byte { return chart.Main(table) }
	}
	return c
}
