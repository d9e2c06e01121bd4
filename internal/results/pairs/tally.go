package pairs

import (
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// A Tally counts what went wrong with one server.
type Tally struct {
	Trials, Failed int
	Failure        string         // of the last trial that failed
	Calls, Errors  int64          // of the trials that did not fail
	Most           result.Outcome // the code that most of these errors have; the zero Outcome without any

	errors map[string]result.Outcome
}

func (t *Tally) add(trial *analysis.Trial) {
	t.Trials++
	if trial.Status == result.StatusFailed {
		t.Failed, t.Failure = t.Failed+1, trial.Failure
		return
	}
	t.Calls += trial.Arrivals
	for _, outcome := range trial.Outcomes {
		if outcome.Code != result.CodeOK && outcome.Calls > 0 {
			t.count(outcome)
		}
	}
}

// errorRatio is the part of the calls that failed.
func (t *Tally) errorRatio() float64 { return float64(t.Errors) / max(float64(t.Calls), 1) }

func (t *Tally) count(outcome result.Outcome) {
	t.Errors += outcome.Calls
	if t.errors == nil {
		t.errors = map[string]result.Outcome{}
	}
	outcome.Calls += t.errors[outcome.Code].Calls
	t.errors[outcome.Code] = outcome
	if outcome.Calls >= t.Most.Calls {
		t.Most = outcome
	}
}
