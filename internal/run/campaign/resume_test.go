package campaign

import (
	"reflect"
	"slices"
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
