package driver

import (
	"context"
	"fmt"
	"math"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// maxGap limits a gap between two arrivals, as a multiple of the mean gap: e^-50 of all gaps are longer.
const maxGap = 50

// readOne is about how long a client takes to read one random arrival. A phase that ends after a number of them begins when the
// client has read all, so that it knows when the last is due.
const readOne = 100 * time.Nanosecond

// slowly is how many times slower a client may read.
const slowly = 10

// reading returns about how long a client takes before it can begin a phase.
func reading(begin *control.Begin) time.Duration {
	if begin.GetLoad().GetArrivals() != control.LoadPoisson {
		return 0
	}
	return time.Duration(min(begin.GetCalls(), int64(math.MaxInt32)*int64(slowly))) * readOne
}

// A dueEnd abandons a client whose phase goes on after it should be over. It does not rely on times that the client reports.
type dueEnd struct {
	ending  *ending
	timer   *patience.Timer
	most    time.Duration // for the phase, or with calls from one that is completed to the next
	drain   time.Duration
	calls   int64 // that the client was to make; 0 is as many as its time allows
	made    int64
	stopped bool
	giveUp  context.CancelCauseFunc
}

func (p *together) dueEnd(begin *control.Begin, ending *ending, giveUp context.CancelCauseFunc) *dueEnd {
	d := &dueEnd{
		ending: ending, most: p.longest(begin), drain: time.Duration(begin.GetDrainNs()), calls: begin.GetCalls(), giveUp: giveUp,
	}
	d.timer = patience.AfterFunc(p.Now, d.most, func() { giveUp(fmt.Errorf("it went on after its phase should have been over")) })
	return d
}

// longest returns the maximum duration of a phase or, if its calls are counted, the maximum time without a completed call.
func (p *together) longest(begin *control.Begin) time.Duration {
	most := time.Duration(begin.GetDelayNs()+begin.GetDrainNs()) + slowly*reading(begin) + control.Patience
	if begin.GetCalls() == 0 {
		return most + time.Duration(begin.GetDurationNs())
	}
	most += max(time.Duration(p.spec.DeadlineNs), time.Duration(2*p.spec.SampleNs)) + p.spec.CallLeast() + fruitless
	load := begin.GetLoad()
	if load.GetArrivals() != control.LoadClosed {
		gap := maxGap * float64(max(load.GetParts(), 1)) / load.GetPerSec()
		most += time.Duration(math.Min(gap, math.MaxInt32) * float64(time.Second))
	}
	for _, stage := range load.GetStages() {
		most += time.Duration(stage.GetLengthNs())
	}
	return most
}

// see takes the client's next interval.
func (d *dueEnd) see(i *control.Interval) {
	completed := i.GetOk() + i.GetErrors()
	d.made += completed
	switch {
	case d.calls > 0 && d.made > d.calls:
		d.giveUp(fmt.Errorf("it reports %d calls, and was to make %d", d.made, d.calls))
	case d.ending.stopped && !d.stopped:
		d.stopped = true
		d.timer.Reset(d.drain + control.Patience)
	case d.calls > 0 && completed > 0 && !d.stopped:
		d.timer.Reset(d.most)
	}
}

func (d *dueEnd) end() { d.timer.Stop() }
