package conform

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/check/truth"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

const (
	frozenPerSec = 200
	frozenWindow = 2500 * time.Millisecond
	freezeFor    = time.Second
	feltFrom     = 100 * time.Millisecond // a call that takes longer has felt the freeze
)

// maxFrozenLateness is 2% of the freeze.
const maxFrozenLateness = freezeFor / 50

// frozen stops the server for a second under an open load and measures how far the recorded times are from the true ones.
func frozen(s shape) func(r *rig) (lateness, error) {
	return func(r *rig) (lateness, error) {
		client, server, err := r.warmed(unary(s))
		if err != nil {
			return lateness{}, err
		}
		begin := openFor(control.LoadConstant, frozenPerSec, frozenWindow)
		done, stopped, err := r.runFrozen(client, server, begin)
		if err != nil {
			return lateness{}, err
		}
		if err := wantOutcome(done, "OK", frozenPerSec*int64(frozenWindow/time.Millisecond)/1000); err != nil {
			return lateness{}, err
		}
		h, err := decodeAll(done)
		if err != nil {
			return lateness{}, err
		}
		return judgeFreeze(stopped, h["response"], h["service"]), nil
	}
}

// runFrozen runs a phase and freezes the server half a second after its begin.
func (r *rig) runFrozen(client, server *party, begin *control.Begin) (*control.Done, stopTime, error) {
	var seen int
	var stopped stopTime
	frozen := make(chan error, 1)
	done, err := r.watched(client, begin, func(*control.Interval) {
		if seen++; seen == 5 {
			go func() {
				var err error
				stopped, err = server.freeze(r.ctx, freezeFor)
				frozen <- err
			}()
		}
	})
	if err == nil && seen < 5 {
		return nil, stopped, fmt.Errorf("%d intervals arrived in %v, expected ten a second", seen, frozenWindow)
	}
	if seen >= 5 {
		if failed := <-frozen; err == nil {
			err = failed
		}
	}
	return done, stopped, err
}

// judgeFreeze compares the histograms of all calls with the expected ones. A call too many or too few above feltFrom is a gap
// between two calls too long or too short.
func judgeFreeze(stopped stopTime, response, service *hdrhistogram.Histogram) lateness {
	must := truth.Freeze{
		Least: stopped.least, Most: stopped.most, PerSec: frozenPerSec,
		Each: record.MeanUpTo(service, feltFrom), Calls: response.TotalCount(),
	}
	slow, slowMust := record.CountAbove(response, feltFrom), must.Above(feltFrom)
	p99, p99Must := record.Quantile(response, 0.99), must.Response(0.99)
	by := max(beyond(float64(p99), p99Must), beyond(float64(slow), slowMust)/frozenPerSec*float64(time.Second))
	return lateness{time.Duration(by), fmt.Sprintf("%d calls over %v, p99 %v, stopped for %v", slow, feltFrom,
		time.Duration(p99).Round(time.Millisecond), stopped.least.Round(time.Millisecond))}
}

// beyond returns how far x is outside the bounds.
func beyond(x float64, within truth.Range) float64 { return max(within.Lo-x, x-within.Hi, 0) }
