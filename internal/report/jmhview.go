package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
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
	for len(all) > 0 {
		class := all[0].class
		part := slices.DeleteFunc(slices.Clone(all), func(l jmhLine) bool { return l.class != class })
		all = slices.DeleteFunc(all, func(l jmhLine) bool { return l.class == class })
		tables = append(tables, jmhTable(class, part, files, sides))
	}
	return tables
}

func jmhTable(class string, lines []jmhLine, files []*jmh.File, sides []map[string]jmhLine) *document.Table {
	name, mode, unit := document.Column{Head: "benchmark"}, document.Column{Head: "mode"}, document.Column{Head: "units"}
	for _, line := range lines {
		name.Cells = append(name.Cells, document.Cell{Text: line.method})
		mode.Cells = append(mode.Cells, document.Cell{Text: line.mode})
		unit.Cells = append(unit.Cells, document.Cell{Text: line.unit})
	}
	t := &document.Table{Caption: class, Columns: append([]document.Column{name}, paramColumns(lines)...)}
	t.Columns = append(t.Columns, mode)
	for i := range files {
		beside := ""
		if len(files) > 1 {
			beside = filepath.Base(files[i].Name)
		}
		t.Columns = append(t.Columns, scoreColumns(beside, lines, sides[i])...)
	}
	t.Columns = append(t.Columns, unit)
	if len(files) == 2 {
		t.Columns = append(t.Columns, ratioColumn(lines, sides))
	}
	return t
}

func paramColumns(lines []jmhLine) []document.Column {
	names := map[string]bool{}
	for _, line := range lines {
		for name := range line.params {
			names[name] = true
		}
	}
	var columns []document.Column
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c := document.Column{Head: "(" + name + ")", Right: true}
		for _, line := range lines {
			c.Cells = append(c.Cells, document.Cell{Text: line.params[name]})
		}
		columns = append(columns, c)
	}
	return columns
}

// scoreColumns are those of one file: the number of samples, the score and its error. A file beside another has its name
// as the head.
func scoreColumns(beside string, lines []jmhLine, side map[string]jmhLine) []document.Column {
	count, score := document.Column{Head: "cnt", Right: true}, document.Column{Head: cmp.Or(beside, "score"), Right: true}
	for _, line := range lines {
		found, ok := side[line.id()]
		value := document.Cell{Text: absent}
		if ok {
			value = scoreCell(found)
		}
		count.Cells = append(count.Cells, document.Cell{Text: counted(int(found.n))})
		score.Cells = append(score.Cells, value)
	}
	if beside != "" {
		return []document.Column{score} // two files have no room for more
	}
	return []document.Column{count, score}
}

func scoreCell(line jmhLine) document.Cell {
	if !line.score.Known() {
		return document.Cell{Text: absent}
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
	c := document.Column{Head: "× first", Right: true}
	for _, line := range lines {
		a, known := sides[0][line.id()]
		b, alsoKnown := sides[1][line.id()]
		c.Cells = append(c.Cells, document.Cell{Text: scoreRatio(a, b, known && alsoKnown)})
	}
	return c
}

// scoreRatio is absent where one is, and ~ where the two intervals overlap.
func scoreRatio(a, b jmhLine, known bool) string {
	if !known || !a.score.Known() || !b.score.Known() || a.score == 0 {
		return absent
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
			lines = appendNew(lines, fmt.Sprintf("%s: JMH %s, %s %s %s; %s, %d × %s of warm-up, %d × %s measured%s.", file.Name,
				b.Version, b.VM, b.JDK, strings.Join(b.JVMArgs, " "), number.Count(b.Forks, "fork"), b.Warmups, b.WarmupTime,
				b.Iterations, b.IterationTime, threads))
		}
	}
	return lines
}
