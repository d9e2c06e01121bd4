package report

import (
	"fmt"
	"slices"

	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/published"
)

// documentOf makes a report for people: first the result of a campaign, then what it measured.
func documentOf(r *analysis.Report, options Options) document.Document {
	measured := measuredOf(r, options)
	if len(options.Answer) == 0 {
		return measured
	}
	return slices.Concat(options.Answer, measured)
}

// measuredOf reports the trials: the tables of each case with their notes, and at the end explanations and caveats.
func measuredOf(r *analysis.Report, options Options) document.Document {
	if isPage(r, options) {
		if page, err := pageOf(r, options); err == nil { // each histogram was read when the report was made
			if options.Trials {
				page = append(page, trialBlocks(r)...)
			}
			return page
		}
	}
	var d document.Document
	scenario := ""
	for i, table := range r.Tables {
		if table.Scenario != scenario {
			scenario = table.Scenario
			d = append(d, document.Heading(heading(r, table)))
		}
		d = append(d, caseChart(r, i))
		for _, t := range tablesOf(table, options) {
			d = append(d, t)
		}
	}
	if options.Trials {
		d = append(d, trialBlocks(r)...)
	}
	if options.Reference != nil {
		d = append(d, publishedBlocks(r, options.Reference)...)
	}
	d = append(d, document.Notes{Lines: footer(r), Quiet: true})
	if texts := mistakeTexts(r); len(texts) > 0 {
		d = append(d, document.Notes{Title: "Caveats", Lines: texts})
	}
	return d
}

// publishedBlocks show published figures next to the report's.
func publishedBlocks(r *analysis.Report, ref *published.Reference) document.Document {
	d := document.Document{document.Heading(publishedHeading(ref)), document.Chart{Of: "published", Name: publishedHeading(ref)}}
	for _, t := range publishedTables(r, ref) {
		d = append(d, t)
	}
	return append(d, document.Notes{Lines: publishedNotes(r, ref)})
}

// heading names the scenario of a table, and its question. A side of ab is known by its title.
func heading(r *analysis.Report, table *analysis.Table) string {
	name := table.Scenario
	if pairs.ServerOf(name, table.Title) != "" {
		name = table.Title
	}
	for _, source := range r.Sources {
		for _, scenario := range source.Header.Scenarios {
			if source.Scenario(scenario.Name) == table.Scenario && scenario.Question != "" {
				return fmt.Sprintf("%s: %s", name, scenario.Question)
			}
		}
	}
	return name
}
