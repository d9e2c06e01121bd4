package jmhtable

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/jmh"
)

// jmhTables makes a table of each class. Lines keep the order of the first file; those that it lacks follow.
func jmhTables(files []*jmh.File) []*document.Table {
	sides := make([]map[string]jmhLine, len(files))
	var all []jmhLine
	seen := map[string]bool{}
	for i, file := range files {
		sides[i] = map[string]jmhLine{}
		for _, line := range jmhLines(file) {
			sides[i][line.id()] = line
			if !seen[line.id()] {
				all = append(all, line)
			}
			seen[line.id()] = true
		}
	}
	var tables []*document.Table
	for _, part := range analysis.ByKey(all, func(l jmhLine) string { return l.class }) {
		tables = append(tables, jmhTable(part[0].class, part, files, sides))
	}
	return tables
}

func jmhTable(class string, lines []jmhLine, files []*jmh.File, sides []map[string]jmhLine) *document.Table {
	column := func(head string, text func(jmhLine) string) document.Column {
		return document.TextOf(document.Column{Head: head}, lines, text)
	}
	columns := []document.Column{column("benchmark", func(l jmhLine) string { return l.method })}
	for _, name := range paramNames(lines) {
		param := column("("+name+")", func(l jmhLine) string { return l.params[name] })
		param.Right = true
		columns = append(columns, param)
	}
	columns = append(columns, column("mode", func(l jmhLine) string { return l.mode }))
	for i := range files {
		beside := ""
		if len(files) > 1 {
			beside = filepath.Base(files[i].Name)
		}
		columns = append(columns, scoreColumns(beside, lines, sides[i])...)
	}
	columns = append(columns, column("units", func(l jmhLine) string { return l.unit }))
	if len(files) == 2 {
		columns = append(columns, ratioColumn(lines, sides))
	}
	return &document.Table{Caption: class, Columns: columns}
}

func paramNames(lines []jmhLine) []string {
	names := map[string]bool{}
	for _, line := range lines {
		for name := range line.params {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// scoreColumns are the columns of one file: the number of samples, the score and its error. If there are two files, the name of
// the file is the column's head.
func scoreColumns(beside string, lines []jmhLine, side map[string]jmhLine) []document.Column {
	score := document.Of(document.Column{Head: cmp.Or(beside, "score"), Right: true}, lines, func(l jmhLine) document.Cell {
		if found, ok := side[l.id()]; ok {
			return scoreCell(found)
		}
		return document.Cell{Text: cell.Absent}
	})
	if beside != "" {
		return []document.Column{score} // two files have no room for more
	}
	count := func(l jmhLine) string { return naming.Counted(int(side[l.id()].n)) }
	return []document.Column{document.TextOf(document.Column{Head: "cnt", Right: true}, lines, count), score}
}

func scoreCell(line jmhLine) document.Cell {
	if !line.score.Known() {
		return document.Cell{Text: cell.Absent}
	}
	digits := scoreDigits(float64(line.score))
	c := document.Cell{Text: number.Grouped(float64(line.score), digits)}
	if line.spread.Known() {
		c.Spread = "± " + number.Grouped(float64(line.spread), digits)
	}
	return c
}

// scoreDigits are JMH's three decimals, more for a small score, and none for a large one.
func scoreDigits(score float64) int {
	if math.Abs(score) >= 1000 {
		return 0
	}
	return max(3, number.Decimals(math.Abs(score)))
}

// ratioColumn has the second file's score by the first's.
func ratioColumn(lines []jmhLine, sides []map[string]jmhLine) document.Column {
	return document.TextOf(document.Column{Head: "× first", Right: true}, lines, func(l jmhLine) string {
		a, known := sides[0][l.id()]
		b, alsoKnown := sides[1][l.id()]
		return scoreRatio(a, b, known && alsoKnown)
	})
}

// scoreRatio is absent where one is, and ~ where the two intervals overlap.
func scoreRatio(a, b jmhLine, known bool) string {
	if !known || !a.score.Known() || !b.score.Known() || a.score == 0 {
		return cell.Absent
	}
	if a.spread.Known() && b.spread.Known() && math.Abs(float64(a.score-b.score)) <= float64(a.spread+b.spread) {
		return "~"
	}
	times := float64(b.score / a.score)
	return number.None.Text(times)
}

// jmhFooter says how to read the table and what was run.
func jmhFooter(files []*jmh.File) []string {
	lines := []string{"± is JMH's error, half of the 99.9% confidence interval of the mean. A row without it is " +
		"a percentile, or has too few values."}
	if len(files) == 2 {
		lines = append(lines, "× first is the second file's score divided by the first's. ~ marks overlapping "+
			"intervals: the difference is inconclusive. Below 1 is faster for a time (ns/op), above 1 for a rate "+
			"(ops/s).")
	}
	for _, file := range files {
		for _, b := range file.Benchmarks {
			threads := ""
			if b.Threads > 1 {
				threads = fmt.Sprintf(", %d threads", b.Threads)
			}
			lines = naming.AppendNew(lines, fmt.Sprintf("%s: JMH %s, %s %s %s; %s, %d × %s of warm-up, %d × %s measured%s.", file.Name,
				b.Version, b.VM, b.JDK, strings.Join(b.JVMArgs, " "), number.Count(b.Forks, "fork"), b.Warmups, b.WarmupTime,
				b.Iterations, b.IterationTime, threads))
		}
	}
	return lines
}
