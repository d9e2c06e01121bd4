package source

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/result"
)

// choose leaves in the files what was chosen, and the floor of that.
func choose(files []*result.File, choice point.Choice) error {
	if choice.IsZero() {
		return nil
	}
	cases := map[point.ID]map[plan.Case]bool{} // that have a chosen point, by the point without who carries it
	var titles, kinds []string
	for _, file := range files {
		for i := range file.Trials {
			trial := &file.Trials[i]
			if !slices.Contains(kinds, trial.Spec.Kind) {
				kinds = append(kinds, trial.Spec.Kind)
			}
			for _, c := range trial.Cases {
				titles = append(titles, c.Title)
				if id := carried(trial.Spec); choice.Takes(c.Title, trial.Spec) {
					if cases[id] == nil {
						cases[id] = map[plan.Case]bool{}
					}
					cases[id][c] = true
				}
			}
		}
	}
	if len(cases) == 0 {
		slices.Sort(titles)
		return fmt.Errorf("%s: %s", choice, choice.NoMatch(slices.Compact(titles), kinds))
	}
	for _, file := range files {
		for i := range file.Trials {
			trial := &file.Trials[i]
			trial.Cases = slices.DeleteFunc(slices.Clone(trial.Cases), func(c plan.Case) bool {
				isFloor := trial.Floor && cases[carried(trial.Spec)][c]
				return !isFloor && !choice.Takes(c.Title, trial.Spec)
			})
		}
		file.Trials = slices.DeleteFunc(file.Trials, func(t result.Trial) bool { return len(t.Cases) == 0 })
		file.Header.AB, file.Header.Capacity = nil, nil // their answers are those of all trials
	}
	return nil
}

// carried is a point without who carries it.
func carried(s point.Spec) point.ID {
	var id strings.Builder
	for _, column := range point.Columns() {
		if !column.Carrier {
			id.WriteString(column.Name + "=" + column.Text(s) + " ")
		}
	}
	return point.ID(id.String())
}
