package calibrate

import (
	"slices"

	"rpcbench/internal/results/analysis"
)

// stationary counts the trials with NOT_STATIONARY, and the rows of several trials with it.
func (j *judging) stationary() {
	for _, name := range []string{steady, stepped} {
		trials, rows := stationaryLine("NOT_STATIONARY, trial", name), stationaryLine("NOT_STATIONARY, row", name)
		for _, b := range j.blocks {
			trials.count(slices.ContainsFunc(b[name].Findings(), func(f analysis.Finding) bool { return changes(f.Code) }))
		}
		for range draws {
			var drawn []*analysis.Trial
			for _, i := range j.random.Perm(len(j.blocks))[:min(j.Effort.Sample, len(j.blocks))] {
				drawn = append(drawn, j.blocks[i][name].Trial)
			}
			doubts := analysis.RowOf(drawn).Doubts()
			rows.count(slices.ContainsFunc(doubts, func(d analysis.Doubt) bool { return changes(d.Code) }))
		}
		j.Lines = append(j.Lines, trials, rows)
	}
}

func stationaryLine(verb, name string) Line {
	return Line{Verb: verb, Change: name, Metric: analysis.CallsPerSec.Declare().Name, Held: -1}
}

func changes(code analysis.Code) bool { return code == analysis.CodeStep || code == analysis.CodeTrend }

// count adds a draw.
func (l *Line) count(found bool) {
	if l.Draws++; found {
		l.Found++
	}
}
