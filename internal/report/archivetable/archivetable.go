// Package archivetable prints the contents of an archive: its entries, and the change points of its histories.
package archivetable

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
)

// shortCommit is as many characters of a commit as tables show.
const shortCommit = 12

// Commit is a commit's name for people.
func Commit(name string) string {
	if len(name) > shortCommit && strings.Trim(name, "0123456789abcdef") == "" {
		return name[:shortCommit]
	}
	return name
}

// WriteEntries prints entries in one of document.Formats.
func WriteEntries(w io.Writer, format string, entries []archive.Entry, style document.Style) error {
	return document.Write(w, format, document.Source{
		Of:       "an archive",
		Document: func() document.Document { return entriesDocument(entries) },
		JSON:     func() any { return map[string]any{"version": document.JSONVersion, "entries": document.List(entries)} },
		Blank:    entryFields(archive.Entry{}),
		Records: func(yield func(document.Object) bool) {
			for _, e := range entries {
				if !yield(entryFields(e)) {
					return
				}
			}
		},
	}, style)
}

func entriesDocument(entries []archive.Entry) document.Document {
	t := &document.Table{Caption: number.Count(len(entries), "results file")}
	add := func(head string, isRight bool, of func(archive.Entry) string) {
		column := document.TextOf(document.Column{Head: head, Right: isRight, Key: head == "commit"}, entries, of)
		if slices.ContainsFunc(column.Cells, func(c document.Cell) bool { return c.Text != "" }) {
			t.Columns = append(t.Columns, column)
		}
	}
	add("commit", false, func(e archive.Entry) string { return Commit(e.Commit) })
	add("branch", false, func(e archive.Entry) string { return e.Branch })
	add("measured (UTC)", false, func(e archive.Entry) string { return Day(e.Created) })
	add("scenario", false, func(e archive.Entry) string { return strings.Join(e.Scenarios, ", ") })
	add("calls", false, func(e archive.Entry) string { return strings.Join(e.Calls, "; ") })
	add("host class", false, func(e archive.Entry) string { return e.HostClass })
	add("host", false, func(e archive.Entry) string { return e.Host })
	add("labels", false, func(e archive.Entry) string { return strings.Join(e.Labels, ", ") })
	add("uploader", false, func(e archive.Entry) string { return e.Uploader })
	add("trials", true, func(e archive.Entry) string { return number.Whole(e.Trials) })
	add("failed", true, func(e archive.Entry) string { return Some(e.Failed) })
	add("file", false, func(e archive.Entry) string { return e.Name })
	for _, e := range entries {
		if e.Unread != "" {
			t.Notes = append(t.Notes, "Not read: "+e.Name+": "+e.Unread+".")
		}
	}
	if len(entries) == 0 {
		return document.Document{document.Notes{Lines: []string{"No results file is selected."}}}
	}
	return document.Document{t}
}

// Day is a time for people, in UTC, as what is above it says.
func Day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// Some is a number, or nothing for 0.
func Some(n int) string {
	if n == 0 {
		return ""
	}
	return number.Whole(n)
}

func entryFields(e archive.Entry) document.Object {
	return document.Object{
		{Name: "commit", Value: e.Commit}, {Name: "branch", Value: e.Branch}, {Name: "created", Value: e.Created.Format(time.RFC3339)},
		{Name: "scenarios", Value: strings.Join(e.Scenarios, " ")}, {Name: "host_class", Value: e.HostClass},
		{Name: "host", Value: e.Host}, {Name: "cpu", Value: e.CPU}, {Name: "processors", Value: int64(e.Processors)},
		{Name: "os", Value: e.OS}, {Name: "labels", Value: strings.Join(e.Labels, " ")}, {Name: "uploader", Value: e.Uploader},
		{Name: "trials", Value: int64(e.Trials)}, {Name: "failed", Value: int64(e.Failed)}, {Name: "file", Value: e.Name},
		{Name: "unread", Value: e.Unread}, {Name: "calls", Value: strings.Join(e.Calls, "; ")},
	}
}

// WriteChanges prints where series change in one of document.Formats.
func WriteChanges(w io.Writer, format string, series []archive.Series, style document.Style) error {
	return document.Write(w, format, document.Source{
		Of:       "changes",
		Document: func() document.Document { return changesDocument(series) },
		JSON:     func() any { return map[string]any{"version": document.JSONVersion, "series": document.List(series)} },
		Blank:    changeFields(Found{}),
		Records: func(yield func(document.Object) bool) {
			for _, found := range ChangesOf(series) {
				if !yield(changeFields(found)) {
					return
				}
			}
		},
	}, style)
}

// A Found change has the series that it is of.
type Found struct {
	archive.Series
	archive.Change
}

// Better says which way it went.
func (f Found) Better() string {
	if f.Worse {
		return "worse"
	}
	return "better"
}

// Percent is by how much.
func (f Found) Percent() string {
	if f.Before == 0 || !analysis.IsServed(f.Metric, f.Before) || !analysis.IsServed(f.Metric, f.After) {
		return ""
	}
	return number.Change(f.After / f.Before)
}

// Text prints a value of the series.
func (f Found) Text(value float64) string { return TextOf(f.Metric, value) }

// TextOf prints a value of a metric.
func TextOf(metric string, value float64) string {
	m, known := analysis.Find(metric)
	if !known {
		return number.Short(value)
	}
	if !analysis.IsServed(metric, value) {
		return number.Unbounded
	}
	if unit := m.Declare().Kind.Unit(); unit != number.None {
		return unit.Text(value)
	}
	return number.Grouped(value, number.Decimals(value))
}

// ChangesOf lists the changes of series.
func ChangesOf(series []archive.Series) (found []Found) {
	for _, s := range series {
		for _, c := range s.Changes {
			found = append(found, Found{s, c})
		}
	}
	return found
}

func changesDocument(series []archive.Series) document.Document {
	found := ChangesOf(series)
	commits := map[string]bool{}
	for _, s := range series {
		for _, step := range s.Steps {
			commits[step.Commit] = true
		}
	}
	lead := fmt.Sprintf("%s in %s of %s.", number.Count(len(found), "change"), number.Count(len(series), "line"),
		number.Count(len(commits), "commit"))
	d := document.Document{document.Answer{lead}}
	if len(found) == 0 {
		return d
	}
	t := &document.Table{}
	for _, column := range []struct {
		head  string
		right bool
		of    func(Found) string
	}{
		{"commit", false, func(f Found) string { return Commit(f.Commit) }},
		{"metric", false, func(f Found) string { return f.Metric }},
		{"before", true, func(f Found) string { return f.Text(f.Before) }},
		{"after", true, func(f Found) string { return f.Text(f.After) }},
		{"change", true, Found.Percent},
		{"", false, Found.Better},
		{"point", false, func(f Found) string { return f.Point }},
		{"branch", false, func(f Found) string { return f.Branch }},
		{"machine", false, func(f Found) string { return f.Machine }},
	} {
		t.Columns = append(t.Columns, document.TextOf(document.Column{Head: column.head, Right: column.right}, found, column.of))
	}
	return append(d, t)
}

func changeFields(f Found) document.Object {
	return document.Object{
		{Name: "commit", Value: f.Commit}, {Name: "branch", Value: f.Branch}, {Name: "machine", Value: f.Machine},
		{Name: "point", Value: f.Point}, {Name: "metric", Value: f.Metric}, {Name: "before", Value: f.Before},
		{Name: "after", Value: f.After}, {Name: "p", Value: f.P}, {Name: "result", Value: f.Better()},
	}
}
