package load

import "time"

// closed makes one call after another until the schedule ends.
func (p *phase) closed(s *slot) {
	for {
		now := p.now()
		what := p.begins(s, now)
		if what == idles {
			_, what = s.wait()
			now = p.now() // a closed load's call is due when it is sent
		}
		if what == over || !s.call(p, arrival{due: now, free: now}, now) {
			return
		}
	}
}

// begins reports whether a slot of a closed load may begin a call now, and counts it.
func (p *phase) begins(s *slot, now time.Duration) outlook {
	switch {
	case int64(now) >= p.end.Load():
		return over
	case p.ramp != nil:
		return p.ramp.take(s)
	case p.schedule.Limit.Calls > 0 && p.left.Add(-1) < 0:
		return over
	default:
		return taken
	}
}
