package load

import (
	"math"
	"time"
)

// tally sums up a phase that is over.
func (p *phase) tally() Tally {
	t := Tally{Arrivals: p.unsent, Window: time.Duration(p.end.Load()), Stopped: p.cut}
	for _, s := range p.room.slots {
		t.Arrivals += s.arrivals.Load()
		t.Elapsed = max(t.Elapsed, time.Duration(s.last.Load()))
		t.Late += s.late
	}
	if t.Window == math.MaxInt64 {
		t.Window = p.busy()
	}
	return t
}

// busy is how long all calls would have taken had every slot gone on as it did until its last call was done. A slot that
// made its last call early, since none were left, is not held against the rate of those that did not.
func (p *phase) busy() time.Duration {
	var calls, perNs float64
	for _, s := range p.room.slots {
		n, last := float64(s.arrivals.Load()), float64(s.last.Load())
		if last > 0 {
			calls += n
			perNs += n / last
		}
	}
	if perNs == 0 {
		return 0
	}
	return time.Duration(math.Round(calls / perNs))
}
