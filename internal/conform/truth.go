package conform

import (
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/record"
	"rpcbench/internal/truth"
)

// freezeError is how far what was recorded of a freeze may lie from the truth.
const freezeError = 0.02

// A Freeze is what is known from outside of a server that stood still, under calls that came due at a constant rate.
type Freeze struct {
	Least, Most time.Duration // how long
	PerSec      float64       // calls due
	Felt        time.Duration // a call that takes longer has felt it
}

// Judge compares the histograms of all calls with what must have been, and says in few words what they have: how many
// calls felt the freeze, and the response p99. Nothing is known of a phase in which fewer than 1% of calls felt it.
func (f Freeze) Judge(response, service *hdrhistogram.Histogram) (string, error) {
	must := truth.Freeze{
		Least: f.Least, Most: f.Most, PerSec: f.PerSec,
		Each: record.MeanUpTo(service, f.Felt), Calls: response.TotalCount(),
	}
	slow, slowMust := record.CountAbove(response, f.Felt), must.Above(f.Felt)
	fewest, largest := slowMust.Lo*(1-freezeError)-1, slowMust.Hi*(1+freezeError)+1
	if float64(slow) < fewest || float64(slow) > largest {
		return "", fmt.Errorf("%d calls took over %v, want %.0f to %.0f for a stop of %v",
			slow, f.Felt, math.Ceil(fewest), math.Floor(largest), f.Least.Round(time.Millisecond))
	}
	p99, p99Must := record.Quantile(response, 0.99), must.Response(0.99)
	if low, high := p99Must.Lo*(1-freezeError), p99Must.Hi*(1+freezeError); float64(p99) < low || float64(p99) > high {
		return "", fmt.Errorf("the p99 is %v, want %v to %v for a stop of %v",
			time.Duration(p99), time.Duration(low), time.Duration(high), f.Least)
	}
	return fmt.Sprintf("%d calls over %v of %.0f to %.0f, p99 %v, stopped for %v", slow, f.Felt, slowMust.Lo, slowMust.Hi,
		time.Duration(p99).Round(time.Millisecond), f.Least.Round(time.Millisecond)), nil
}
