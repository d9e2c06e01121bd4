package analysis

import (
	"testing"
)

// A step of 100 µs is 10% of a median of 1 ms, which is just good enough.
func TestAClockThatIsRoundedToMuchOfAResponseIsAVerdict(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		stepNs int64
		want   string
	}{
		{0, ""}, {99_000, ""}, {120_000, "the client's clock moves on by 120 µs, 12% of the p50 (bound 10%)"},
	} {
		trial := &Trial{values: map[Metric]float64{ResponseP50Ns: 1e6}}
		trial.Client.ClockStepNs = test.stepNs
		got := ""
		for _, f := range coarseClock(nil, trial) {
			got += f.Why
			if f.Verdict != VerdictCoarseClock {
				t.Errorf("the verdict is %s", f.Verdict)
			}
		}
		if got != test.want {
			t.Errorf("a step of %d ns: %q, want %q", test.stepNs, got, test.want)
		}
	}
}
