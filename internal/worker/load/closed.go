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
		if what == over || !s.call(p, arrival{due: now, free: now, which: p.choose(s)}, now) {
			return
		}
	}
}

// choose returns which call of a Mix the next one of a closed load's slot is.
func (p *phase) choose(s *slot) int {
	mix := p.pool.config.Mix
	if mix == nil {
		return 0
	}
	part := p.schedule.Part
	number := uint64(s.index)*uint64(max(part.Of, 1)) + uint64(part.Index)
	return mix.Draw(number<<slotCalls + uint64(s.arrivals.Load()))
}

// slotCalls is the binary logarithm of how many calls a slot makes before it draws those of another one.
const slotCalls = 40

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
