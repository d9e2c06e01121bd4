package campaign

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
)

func TestWhatIsMissingHasNotBeenMeasuredToItsEnd(t *testing.T) {
	t.Parallel()
	planned := []plan.Trial{{ID: "good"}, {ID: "failed"}, {ID: "interrupted"}, {ID: "never"}}
	missing := Missing(planned, []result.Trial{
		{ID: "good", Status: result.StatusOK},
		{ID: "failed", Status: result.StatusFailed},
		{ID: "interrupted", Status: result.StatusOK, Interrupted: true},
	})
	if got, want := ids(missing), []string{"failed", "interrupted", "never"}; !slices.Equal(got, want) {
		t.Errorf("missing are %q, want %q", got, want)
	}
}

func TestTheLastTrialIsThatWithTheHighestNumber(t *testing.T) {
	t.Parallel()
	trials := []result.Trial{{ID: "a-9"}, {ID: "b-10"}, {ID: "a-3"}, {ID: "nothing"}, {ID: "-"}}
	if got := Last(trials); got != 10 {
		t.Errorf("%d, want 10", got)
	}
}

func TestASearchIsResumedWithTheSameDesignAlone(t *testing.T) {
	t.Parallel()
	base := plan.Trial{ID: "x", Spec: plan.Spec{Stack: "tcp"}}
	ab := func(change func(*result.AB)) result.Header {
		h := result.Header{AB: &result.AB{A: result.Program{SHA256: "1"}, TimeNs: 1, AlikePairs: 10, Base: &base}}
		change(h.AB)
		return h
	}
	capacity := func(change func(*result.Capacity)) result.Header {
		h := result.Header{Capacity: &result.Capacity{Trials: 3, TimeNs: 1, Bases: []plan.Trial{base}}}
		change(h.Capacity)
		return h
	}
	asBefore := func(*result.Capacity) {}
	for _, c := range []struct {
		old, now result.Header
		want     string // how the error begins
	}{
		{ab(func(*result.AB) {}), ab(func(d *result.AB) { d.TimeNs = 2 }), "<nil>"},
		{ab(func(*result.AB) {}), ab(func(d *result.AB) { d.A.SHA256 = "2" }),
			`r has a different design: ab.a.sha256 "1" there, ab.a.sha256 "2" now`},
		{ab(func(*result.AB) {}), ab(func(d *result.AB) { d.Base = &plan.Trial{ID: "y", Spec: plan.Spec{Stack: "grpc-go"}} }),
			"r has a different plan: 1 trial, including tcp"},
		{ab(func(*result.AB) {}), capacity(asBefore), "r has a different design: that of ab there, that of capacity now"},
		{ab(func(*result.AB) {}), result.Header{}, "r has a different design: that of ab there, a plan now"},
		{capacity(asBefore), capacity(func(d *result.Capacity) { d.TimeNs = 2 }), "<nil>"},
		{capacity(asBefore), capacity(func(d *result.Capacity) { d.Trials = 4 }),
			"r has a different design: capacity.trials 3 there, capacity.trials 4 now"},
		{capacity(asBefore), capacity(func(d *result.Capacity) { d.Bases = append(d.Bases, plan.Trial{ID: "y"}) }),
			"r has a different plan: 1 trial there, 2 trials, including "},
	} {
		if got := fmt.Sprint(CheckResume("r", c.old, c.now)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// counting is a Decision and a Progress that counts.
type counting struct{ seen, ended int }

func (c *counting) Next(time.Time, int) Batch { return Batch{} }
func (c *counting) See(Measured) error        { c.seen++; return nil }
func (c *counting) Begun([]plan.Trial, int)   {}
func (c *counting) Ended(result.Trial)        { c.ended++ }

func TestADecisionDoesNotSeeAnInterruptedTrial(t *testing.T) {
	t.Parallel()
	c := &counting{}
	w := &witness{runner: &Runner{Driver: driver.Config{Progress: c}}, decision: c}
	for _, kept := range []result.Trial{{}, {Interrupted: true}} {
		w.kept = kept
		w.Ended(result.Trial{})
	}
	if c.seen != 1 || c.ended != 2 {
		t.Errorf("%d were seen of %d that ended, want 1 of 2", c.seen, c.ended)
	}
}

func TestAResumedFileMustAgreeInEveryFactOfItsHeader(t *testing.T) {
	t.Parallel()
	fields := reflect.TypeFor[result.Host]().NumField() + reflect.TypeFor[result.Binary]().NumField()
	if got := len(facts(result.Header{})); got != fields+2 {
		t.Errorf("%d facts are compared, want %d: the seed, the environment, and every field of the binary and the host", got, fields+2)
	}
}
