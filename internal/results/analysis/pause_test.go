package analysis

import (
	"slices"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// An interval is 100 ms.
func intervals(ok ...int64) []result.Interval {
	list := make([]result.Interval, len(ok))
	for i, n := range ok {
		list[i] = result.Interval{StartNs: int64(i) * 100e6, EndNs: int64(i+1) * 100e6, OK: n, InFlight: 1}
	}
	return list
}

// taking is intervals whose calls took so long.
func taking(ns int64, list []result.Interval) []result.Interval {
	list = slices.Clone(list)
	for i := range list {
		list[i].ResponseMeanNs = ns
	}
	return list
}

func TestAPauseIsALongTimeWithoutACallAmongMany(t *testing.T) {
	t.Parallel()
	idle := intervals(50, 50, 0, 0, 0, 0, 0, 50, 50, 50, 50, 50)
	for i := range idle {
		idle[i].InFlight = 0
	}
	begun := intervals(0, 0, 0, 0, 0, 0, 50, 50, 50, 50, 50, 50, 50)
	for name, c := range map[string]struct {
		intervals    []result.Interval
		since, lasts int64
	}{
		"a server that froze":   {intervals(50, 50, 50, 0, 0, 0, 0, 0, 50, 50, 50, 0, 50), 300e6, 500e6},
		"at the end":            {intervals(50, 50, 50, 50, 50, 50, 50, 0, 0, 0, 0, 0, 0), 700e6, 600e6},
		"too short":             {intervals(50, 50, 50, 0, 0, 0, 0, 50, 50, 50), 0, 0},
		"slow calls":            {intervals(1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1), 0, 0},
		"calls take as long":    {taking(600e6, begun), 0, 0},
		"a frozen beginning":    {taking(10e6, begun), 0, 600e6},
		"frozen besides":        {taking(150e6, begun), 100e6, 500e6},
		"most of the phase":     {intervals(50, 0, 0, 0, 0, 0, 0, 0, 0, 50, 50), 100e6, 800e6},
		"all but the first":     {intervals(50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 100e6, 1000e6},
		"ends together":         {taking(600e6, intervals(0, 0, 0, 0, 0, 99, 0, 0, 0, 0, 0, 99, 0, 0, 0, 0, 0, 99)), 0, 0},
		"nothing was in flight": {idle, 0, 0},
		"no intervals":          {nil, 0, 0},
	} {
		trial := &Trial{Trial: &result.Trial{}}
		trial.Intervals = c.intervals
		row := &Row{Trials: []*Trial{trial}}
		got := row.Pause()
		if c.lasts == 0 {
			if got != nil {
				t.Errorf("%s: %+v", name, got)
			}
			continue
		}
		if got == nil || got.SinceNs != c.since || got.DurationNs != c.lasts {
			t.Errorf("%s: %+v, want %d for %d", name, got, c.since, c.lasts)
		}
	}
}

// In the drain no call is due, so it says nothing of the speed: neither that calls paused, nor that the speed changed.
func TestADrainIsNoPartOfThePhase(t *testing.T) {
	t.Parallel()
	const window, drain = 100, 20
	counts := slices.Repeat([]int64{1000}, window)
	for i := range counts {
		counts[i] += int64(i * 7 % 11)
	}
	closed := plan.Spec{Load: plan.LoadClosed}
	one := func() *Trial {
		trial := &Trial{Trial: &result.Trial{Spec: closed}}
		trial.Intervals = taking(1e6, intervals(append(counts, make([]int64, drain)...)...))
		trial.WindowNs, trial.ElapsedNs = window*100e6, (window+drain)*100e6
		return trial
	}
	trial := one()
	for _, f := range append(notStationary(&measurement{}, trial), paused(nil, trial)...) {
		t.Errorf("%s: %s", f.Code, f.Why)
	}
	if p := (&Row{Trials: []*Trial{trial}}).Pause(); p != nil {
		t.Errorf("a pause of %d ns since %d ns", p.DurationNs, p.SinceNs)
	}
	if c := courseOf([]*Trial{trial, one()}); c.trials != 2 || c.finding.Changes() {
		t.Errorf("taken together: %d trials, %+v", c.trials, c.finding)
	}
	trial.WindowNs = 0
	if len(paused(nil, trial)) != 1 {
		t.Error("as long as a window is not known, its end is no drain")
	}
}
