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
	"rpcbench/internal/results/jmh"
)

// jmhViews makes a view of each class. Lines keep the order of the first file; those that it lacks follow.
func jmhViews(files []*jmh.File) []*view {
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
	var views []*view
	for len(all) > 0 {
		class := all[0].class
		part := slices.DeleteFunc(slices.Clone(all), func(l jmhLine) bool { return l.class != class })
		all = slices.DeleteFunc(all, func(l jmhLine) bool { return l.class == class })
		views = append(views, jmhView(class, part, files, sides))
	}
	return views
}

func jmhView(class string, lines []jmhLine, files []*jmh.File, sides []map[string]jmhLine) *view {
	v := &view{caption: class}
	name, mode, unit := column{head: "benchmark"}, column{head: "mode"}, column{head: "units"}
	for _, line := range lines {
		name.cells = append(name.cells, cell{value: line.method})
		mode.cells = append(mode.cells, cell{value: line.mode})
		unit.cells = append(unit.cells, cell{value: line.unit})
	}
	v.columns = append(v.columns, name)
	v.columns = append(v.columns, paramColumns(lines)...)
	v.columns = append(v.columns, mode)
	for i := range files {
		beside := ""
		if len(files) > 1 {
			beside = filepath.Base(files[i].Name)
		}
		v.columns = append(v.columns, scoreColumns(beside, lines, sides[i])...)
	}
	v.columns = append(v.columns, unit)
	if len(files) == 2 {
		v.columns = append(v.columns, ratioColumn(lines, sides))
	}
	return v
}

func paramColumns(lines []jmhLine) []column {
	names := map[string]bool{}
	for _, line := range lines {
		for name := range line.params {
			names[name] = true
		}
	}
	var columns []column
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c := column{head: "(" + name + ")", right: true}
		for _, line := range lines {
			c.cells = append(c.cells, cell{value: line.params[name]})
		}
		columns = append(columns, c)
	}
	return columns
}

// scoreColumns are those of one file: the number of samples, the score and its error. A file beside another has its name
// as the head.
func scoreColumns(beside string, lines []jmhLine, side map[string]jmhLine) []column {
	count, score := column{head: "cnt", right: true}, column{head: cmp.Or(beside, "score"), right: true}
	for _, line := range lines {
		found, ok := side[line.id()]
		value := cell{value: absent}
		if ok {
			value = scoreCell(found)
		}
		count.cells = append(count.cells, cell{value: counted(int(found.n))})
		score.cells = append(score.cells, value)
	}
	if beside != "" {
		return []column{score} // two files have no room for more
	}
	return []column{count, score}
}

func scoreCell(line jmhLine) cell {
	if !line.score.Known() {
		return cell{value: absent}
	}
	digits := scoreDigits(float64(line.score))
	c := cell{value: number.Grouped(float64(line.score), digits)}
	if line.spread.Known() {
		c.spread = "± " + number.Grouped(float64(line.spread), digits)
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
func ratioColumn(lines []jmhLine, sides []map[string]jmhLine) column {
	c := column{head: "× first", right: true}
	for _, line := range lines {
		a, known := sides[0][line.id()]
		b, alsoKnown := sides[1][line.id()]
		c.cells = append(c.cells, cell{value: scoreRatio(a, b, known && alsoKnown)})
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
