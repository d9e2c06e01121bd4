package archive

import (
	"slices"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// at makes a trial that calls somebody else's server.
func at(target, method string, load func(*plan.Spec)) result.Trial {
	s := plan.Spec{Target: target, Connections: 2, InFlight: 25, Load: plan.LoadClosed}
	if method != "" {
		s.Method = &plan.Method{Name: method}
	}
	if load != nil {
		load(&s)
	}
	return result.Trial{Spec: s, Cases: []plan.Case{{Scenario: "load", Title: "a mix"}}}
}

func perSec(rate float64) func(*plan.Spec) {
	return func(s *plan.Spec) { s.Load, s.OfferedPerSec = plan.LoadConstant, rate }
}

func TestAnEntrySaysWhatWasCalled(t *testing.T) {
	t.Parallel()
	const get, target = "shop.v1.Shop/Get", "localhost:8080"
	ab := &result.AB{
		A: result.Program{Command: []string{"./old", "--listen", ":{port}"}}, B: result.Program{Command: []string{"./new"}},
	}
	ramp := func(s *plan.Spec) { s.Load, s.Schedule = plan.LoadConstant, &plan.Schedule{} }
	part := func(id, name string, load func(*plan.Spec)) result.Trial {
		trial := at(target, "", load)
		trial.ID, trial.Spec.Kind, trial.Cases = id, "unary", []plan.Case{{Scenario: name, Title: name}}
		return trial
	}
	of := *ab
	of.Base = &plan.Trial{ID: "cafe", Cases: []plan.Case{{Scenario: "load", Title: "a mix"}}}
	mixed := &result.Capacity{Bases: []plan.Trial{{ID: "beef"}, *of.Base}}
	for name, c := range map[string]struct {
		ab     *result.AB
		trials []result.Trial
		want   []string
	}{
		"services of our own":     {nil, []result.Trial{at("", "", nil)}, nil},
		"a closed load":           {nil, []result.Trial{at(target, get, nil)}, []string{get + " at " + target + ", 50 in flight"}},
		"a rate":                  {nil, []result.Trial{at(target, get, perSec(500))}, []string{get + " at " + target + ", 500/s"}},
		"a ramp":                  {nil, []result.Trial{at(target, get, ramp)}, []string{get + " at " + target + ", a ramp"}},
		"no method, but its case": {nil, []result.Trial{at(target, "", nil)}, []string{"a mix at " + target + ", 50 in flight"}},
		"the rates of a search": {
			nil, []result.Trial{at(target, get, perSec(2500)), at(target, get, perSec(100)), at(target, get, perSec(640.5))},
			[]string{get + " at " + target + ", 100–2500/s"},
		},
		"two targets": {
			nil, []result.Trial{at(target, get, nil), at("other:1", get, nil), at(target, get, nil)},
			[]string{get + " at " + target + ", 50 in flight", get + " at other:1, 50 in flight"},
		},
		"pairs, whose ports differ": {
			ab, []result.Trial{at("localhost:40001", get, nil), at("localhost:40002", get, nil)},
			[]string{get + ", 50 in flight, A ./old --listen :{port}, B ./new"},
		},
		"pairs of a mix": {
			&of, []result.Trial{part("cafe-1", "a/a first", nil), part("cafe-2", "b", nil)},
			[]string{"a mix, 50 in flight, A ./old --listen :{port}, B ./new"},
		},
		"pairs of a file that does not say of what": {
			ab, []result.Trial{part("cafe-1", "a/a first", nil), part("cafe-2", "b", nil)},
			[]string{"unary, 50 in flight, A ./old --listen :{port}, B ./new"},
		},
	} {
		got := callsOf(&result.File{Header: result.Header{AB: c.ab}, Trials: c.trials})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	search := []result.Trial{part("cafe-1", "probe", nil), part("cafe-2", "search", perSec(500)), part("beef-1", "probe", nil)}
	got := callsOf(&result.File{Header: result.Header{Capacity: mixed}, Trials: search})
	want := []string{"a mix at " + target + ", 500/s, 50 in flight", "unary at " + target + ", 50 in flight"}
	if !slices.Equal(got, want) {
		t.Errorf("the parts of a search: %q, want %q", got, want)
	}
}

func TestTheSidesOfPairsAreNoLabels(t *testing.T) {
	t.Parallel()
	side := at("localhost:40001", "shop.v1.Shop/Get", func(s *plan.Spec) { s.Label = "a/a first" })
	for _, c := range []struct {
		ab   *result.AB
		want []string
	}{{&result.AB{}, []string{"nightly"}}, {nil, []string{"a/a first", "nightly"}}} {
		entry := Entry{Facts: Facts{Labels: []string{"nightly"}}}
		entry.describe(&result.File{Header: result.Header{AB: c.ab}, Trials: []result.Trial{side}})
		if !slices.Equal(entry.Labels, c.want) {
			t.Errorf("pairs: %v, labels %q, want %q", c.ab != nil, entry.Labels, c.want)
		}
	}
}

// The parts of a search, and the sides of pairs, are no scenarios of anybody's.
func TestTheScenarioOfASearchIsItsCommand(t *testing.T) {
	t.Parallel()
	side := at("localhost:40001", "shop.v1.Shop/Get", nil)
	side.Cases = []plan.Case{{Scenario: "a/a second", Title: "Pairs"}}
	parts := []result.Scenario{{Name: "probe"}, {Name: "latency against load"}}
	for name, c := range map[string]struct {
		header result.Header
		want   []string
	}{
		"ab":       {result.Header{AB: &result.AB{}, Scenarios: parts}, []string{"ab"}},
		"capacity": {result.Header{Capacity: &result.Capacity{}, Scenarios: parts}, []string{"capacity"}},
		"a run":    {result.Header{Scenarios: parts}, []string{"a/a second", "latency against load", "probe"}},
	} {
		var entry Entry
		entry.describe(&result.File{Header: c.header, Trials: []result.Trial{side}})
		if !slices.Equal(entry.Scenarios, c.want) {
			t.Errorf("%s: %q, want %q", name, entry.Scenarios, c.want)
		}
	}
}
