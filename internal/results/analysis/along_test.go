package analysis

import (
	"math"
	"slices"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// scheduled is a trial whose windows of a second have a call for each of the given nanoseconds. The last second of 10 ms is
// the drain.
func scheduled(t *testing.T, repetition int, s *plan.Schedule, windows ...[]int64) result.Trial {
	t.Helper()
	spec := spec("tcp")
	spec.Schedule, spec.DurationNs = s, int64(len(windows)-1)*1e9
	trial := trial(t, spec, repetition, 1, 1)
	trial.Clients[0].Intervals = nil
	for i, ns := range windows {
		start, end := int64(i)*1e9, int64(i+1)*1e9
		if i == len(windows)-1 {
			end = start + 10e6
		}
		calls := &trial.Clients[0].Record
		calls.Windows = append(calls.Windows, result.Window{StartNs: start, EndNs: end, Response: histogram(t, ns...)})
		calls.Intervals = append(calls.Intervals, result.Interval{StartNs: start, EndNs: end, OK: int64(len(ns)), Errors: int64(i)})
	}
	return trial
}

func steps(loads ...float64) *plan.Schedule {
	s := &plan.Schedule{Name: "steps"}
	for _, load := range loads {
		s.Stages = append(s.Stages, plan.Stage{From: load, To: load, LengthNs: 2e9})
	}
	return s
}

// Two trials of two steps of 2 s: percentiles are of all calls of a step, never of its seconds, and what ended in the drain
// is of the last step.
func TestAStepIsAStretch(t *testing.T) {
	t.Parallel()
	s := steps(10, 30)
	row := onlyRow(t, build(t, file("a",
		scheduled(t, 1, s, []int64{100, 100, 100}, []int64{400}, []int64{700}, nil, []int64{900}),
		scheduled(t, 2, s, []int64{200}, nil, []int64{500}, []int64{300}, []int64{500}))))
	along := row.Along()
	if len(along) != 2 {
		t.Fatalf("%d stretches, want 2: %+v", len(along), along)
	}
	type figures struct{ from, to, load, rate, p50, p99, most, errors float64 }
	for i, want := range []figures{
		{0, 2e9, 10, 1.25, 150, 300, 300, 2 * (0 + 1)},
		{2e9, 4.01e9, 30, 1.244, 600, 700, 700, 2 * (2 + 3 + 4)},
	} {
		a := along[i]
		got := figures{a.FromNs.Median, a.ToNs.Median, a.Load.Median, math.Round(1e3*a.CallsPerSec.Median) / 1e3,
			a.ResponseP50Ns.Median,
			a.ResponseP99Ns.Median, a.ResponseMaxNs.Median, float64(a.Errors)}
		if got != want || a.CallsPerSec.N != 2 {
			t.Errorf("stretch %d: %+v over %d trials, want %+v over 2", i, got, a.CallsPerSec.N, want)
		}
	}
}

// Windows part a moment after steps do, which makes no other load of a step. Where it is long, the load is what it was.
func TestAStepThatEndsLateHasItsLoad(t *testing.T) {
	t.Parallel()
	for at, want := range map[int64]float64{2_020e6: 10, 2_500e6: 14} { // 10 for 2 s, and 30 for 0.5
		late := scheduled(t, 1, steps(10, 30), []int64{1}, []int64{1}, []int64{1}, []int64{1}, nil)
		late.Clients[0].Windows[1].EndNs, late.Clients[0].Windows[2].StartNs = at, at
		along := onlyRow(t, build(t, file("a", late))).Along()
		if len(along) != 2 || along[0].ToNs.Median != float64(at) || along[0].Load.Median != want || along[1].Load.Median != 30 {
			t.Errorf("stretches %+v, want loads of %v until %d ns and of 30", along, want, at)
		}
	}
}

// A line has no steps: its windows are merged by neighbors where they are more than a report shows.
func TestALineIsPartedIntoAtMostTwenty(t *testing.T) {
	t.Parallel()
	windows := make([][]int64, 41) // the last is the drain
	for i := range windows {
		windows[i] = []int64{int64(i + 1)}
	}
	line := &plan.Schedule{Name: "line", Stages: []plan.Stage{{From: 0, To: 40, LengthNs: 40e9}}}
	along := onlyRow(t, build(t, file("a", scheduled(t, 1, line, windows...)))).Along()
	if len(along) != 20 {
		t.Fatalf("%d stretches of 40 s, want 20", len(along))
	}
	if a := along[1]; a.FromNs.Median != 2e9 || a.ToNs.Median != 4e9 || a.Load.Median != 3 || a.ResponseMaxNs.Median != 4 {
		t.Errorf("the second is %+v, want 2 to 4 s at 3 in the mean with 4 ns at most", a)
	}
	if a := along[19]; a.FromNs.Median != 38e9 || a.Load.Median != 39 || a.ResponseMaxNs.Median != 41 {
		t.Errorf("the last is %+v, want from 38 s on with the drain's call of 41 ns", a)
	}
}

// Parts of trials are of one stretch where they are of one load: one that was stopped has shorter windows, and one that stood
// still longer ones.
func TestStretchesAreOfOneLoad(t *testing.T) {
	t.Parallel()
	line := &plan.Schedule{Name: "line", Stages: []plan.Stage{{From: 0, To: 40, LengthNs: 40e9}}}
	second := []int64{7}
	whole := func(repetition int, s *plan.Schedule, seconds int) result.Trial {
		return scheduled(t, repetition, s, append(slices.Repeat([][]int64{second}, seconds), nil)...)
	}
	stopped := func(s *plan.Schedule, seconds int) result.Trial {
		trial := whole(3, s, seconds)
		trial.Interrupted, trial.Clients[0].WindowNs = true, int64(seconds)*1e9
		return trial
	}
	late := whole(3, steps(10, 30, 20), 6)
	windows := late.Clients[0].Windows
	windows[2].StartNs = 0 // it stood still for 3 s
	late.Clients[0].Windows = windows[2:]
	type stretch struct {
		from, load float64
		trials     int
	}
	for name, c := range map[string]struct {
		trials []result.Trial
		want   []stretch
	}{
		"a line": {
			[]result.Trial{stopped(line, 15), whole(1, line, 40), whole(2, line, 40)},
			func() (all []stretch) {
				for i := range 20 {
					all = append(all, stretch{float64(i) * 2e9, float64(2*i + 1), 2})
				}
				return all
			}(),
		},
		"stopped in a step": {
			[]result.Trial{whole(1, steps(10, 30, 20), 6), stopped(steps(10, 30, 20), 3)},
			[]stretch{{0, 10, 2}, {2e9, 30, 2}, {4e9, 20, 1}},
		},
		"stood still": {
			[]result.Trial{late, whole(1, steps(10, 30, 20), 6), whole(2, steps(10, 30, 20), 6)},
			[]stretch{{0, 10, 2}, {2e9, 30, 2}, {4e9, 20, 3}},
		},
	} {
		var got []stretch
		for _, a := range onlyRow(t, build(t, file("a", c.trials...))).Along() {
			got = append(got, stretch{a.FromNs.Median, math.Round(1e6*a.Load.Median) / 1e6, a.Load.N})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: stretches from, at a load, of trials: %v, want %v", name, got, c.want)
		}
	}
}

func TestAStretchWithoutCallsHasNoLatency(t *testing.T) {
	t.Parallel()
	along := onlyRow(t, build(t, file("a", scheduled(t, 1, steps(0, 5), nil, nil, []int64{7}, nil, nil)))).Along()
	if len(along) != 2 || along[0].ResponseP50Ns.N != 0 || along[0].CallsPerSec.Median != 0 || along[1].ResponseP50Ns.Median != 7 {
		t.Errorf("stretches %+v, want a first one without latency and a second of 7 ns", along)
	}
}

// An open load is over with its last call, before its last stages are where their rate is low or 0.
func TestStagesLastAsLongAsPlanned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		loads []float64
		rates []float64 // of calls
	}{
		"few calls":       {[]float64{100, 1}, []float64{0.5, 1}},
		"no calls":        {[]float64{100, 0}, []float64{0.5, 0}},
		"nothing to keep": {[]float64{100, 0}, []float64{0.5, 0}},
		"a pause":         {[]float64{100, 0, 0}, []float64{0.5, 0, 0}},
	} {
		trial := scheduled(t, 1, steps(c.loads...), []int64{7}, nil, []int64{8, 8})
		trial.Spec.Load, trial.Spec.OfferedPerSec, trial.Spec.DurationNs = plan.LoadConstant, 50, int64(len(c.loads))*2e9
		kept := &trial.Clients[0].Record
		if c.loads[1] == 0 {
			kept.Windows, kept.Intervals = kept.Windows[:1], kept.Intervals[:1]
		}
		if name == "nothing to keep" { // a worker keeps no window where it would be the only one
			kept.Histograms[result.HistResponse], kept.ElapsedNs, kept.Windows = kept.Windows[0].Response, 1e9, nil
		}
		along := onlyRow(t, build(t, file("a", trial))).Along()
		if len(along) != len(c.loads) {
			t.Errorf("%s: %d stretches, want %d", name, len(along), len(c.loads))
			continue
		}
		for i, a := range along {
			from := float64(i) * 2e9
			if a.FromNs.Median != from || a.ToNs.Median != from+2e9 || a.Load.Median != c.loads[i] || a.CallsPerSec.Median != c.rates[i] {
				t.Errorf("%s: stretch %d is from %v to %v ns at %v with %v calls/s, want %v and %v", name, i, a.FromNs.Median,
					a.ToNs.Median, a.Load.Median, a.CallsPerSec.Median, c.loads[i], c.rates[i])
			}
		}
	}
}

func TestOneLoadHasNoStretches(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*plan.Schedule{"one load": nil, "one window": steps(1, 2)} {
		trial := scheduled(t, 1, s, []int64{1}, []int64{2})
		if s != nil {
			trial.Clients[0].Windows = trial.Clients[0].Windows[:1]
		}
		if along := onlyRow(t, build(t, file("a", trial))).Along(); along != nil {
			t.Errorf("%s: stretches %+v, want none", name, along)
		}
	}
}
