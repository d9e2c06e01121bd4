package load

import "time"

// closed makes one call after another until the schedule ends.
func (p *phase) closed(s *slot) {
	for {
		now := p.now()
		if !p.begins(now) || !s.call(p, arrival{due: now, free: now}, now) {
			return
		}
	}
}

// begins tells whether a closed load's call may begin now, and counts it.
func (p *phase) begins(now time.Duration) bool {
	if int64(now) >= p.end.Load() {
		return false
	}
	return p.schedule.Limit.Calls == 0 || p.left.Add(-1) >= 0
}
