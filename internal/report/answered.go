package report

import (
	"strings"

	"rpcbench/internal/report/answer"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/pairtable"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/results/pairs"
)

// answered are the options with the answers of the campaigns that the report's files hold, unless there is an answer already.
func answered(r *analysis.Report, options Options) Options {
	if len(options.Answer) == 0 {
		options.Answer = answersOf(r)
	}
	return options
}

// answersOf returns what the files of ab and of capacity say, each under its name if they are several.
func answersOf(r *analysis.Report) document.Document {
	var names []string
	by := map[string]document.Document{}
	add := func(file string, blocks ...document.Block) {
		if by[file] == nil {
			names = append(names, file)
		}
		by[file] = append(by[file], blocks...)
	}
	for _, x := range pairs.Of(r) {
		add(x.File, pairtable.Document(x)...)
	}
	for _, c := range capacity.Of(r) {
		add(c.File, answer.Course{Course: c}.Answer())
	}
	var all document.Document
	for _, name := range names {
		if len(names) > 1 {
			all = append(all, document.Heading(name))
		}
		all = append(all, by[name]...)
	}
	return all
}

// questionOf returns what the one campaign of a report was to answer; "" if there is none, or another.
func questionOf(r *analysis.Report) string {
	if len(r.Sources) > 1 {
		return ""
	}
	if experiments := pairs.Of(r); len(experiments) == 1 {
		return "Does server B differ from server A in " + experiments[0].Metrics[0].Declare().Name + "?"
	}
	if design := r.Sources[0].Header.Capacity; design != nil {
		return "Which rate is sustained with " + strings.Join(design.Requirements, " and ") + "?"
	}
	return ""
}
