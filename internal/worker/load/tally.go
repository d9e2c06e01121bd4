package load

import (
	"math"
	"time"
)

// tally sums up a phase that is over.
func (p *phase) tally() Tally {
	t := Tally{Arrivals: p.unsent, Window: time.Duration(p.end.Load()), Stopped: p.cut}
	for _, s := range p.pool.slots {
		t.Arrivals += s.arrivals.Load()
		t.Elapsed = max(t.Elapsed, time.Duration(s.last.Load()))
		t.Late += s.late
	}
	if t.Window == undecided {
		t.Window = p.busy()
	}
	return t
}

// busy returns how long all calls would have taken if every slot had gone on at its rate until its last call. A slot that made
// its last call early, because none were left, does not lower the rate of the others.
func (p *phase) busy() time.Duration {
	var calls, perNs float64
	for _, s := range p.pool.slots {
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
