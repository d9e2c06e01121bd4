package progress

import (
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// The second's last look may fall on the next step of a ramp, or behind the last call.
func TestTheLiveLineHasTheCallsInFlightOfItsSecond(t *testing.T) {
	t.Parallel()
	for _, last := range []int64{0, 5, 21} {
		var out strings.Builder
		p := &Line{Out: &out, Terminal: true, Live: true, prefix: "[1/1]"}
		for i := range int64(10) {
			interval := result.Interval{StartNs: i * 1e8, EndNs: (i + 1) * 1e8, OK: 7, InFlight: 11}
			if i == 9 {
				interval.InFlight, interval.Response = last, &result.Quantiles{}
			}
			p.Passed(plan.Trial{}, result.PhaseMeasured, 0, interval)
		}
		if got := out.String(); !strings.Contains(got, "measured 1 s: 70.0 calls/s") || !strings.HasSuffix(got, ", 11 in flight") {
			t.Errorf("with %d in flight at its end the line is %q, want 11", last, got)
		}
	}
}
