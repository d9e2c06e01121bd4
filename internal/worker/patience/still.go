package patience

import (
	"sync"
	"time"
)

// look is the interval at which a Still reads the clock.
const look = 500 * time.Millisecond

// minStill is the minimum delay of a reading from which on the process is considered stopped.
const minStill = time.Second

// A Still detects that this process was stopped.
type Still struct {
	now   func() time.Time
	ended chan struct{}

	mu     sync.Mutex
	looked time.Time
	spans  []span
}

// A span is a period in which the process was stopped.
type span struct{ from, to time.Time }

// Watch looks at a clock until End.
func Watch(now func() time.Time) *Still {
	s := &Still{now: now, ended: make(chan struct{}), looked: now()}
	go s.watch()
	return s
}

func (s *Still) watch() {
	ticks := time.NewTicker(look)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			s.Look()
		case <-s.ended:
			return
		}
	}
}

// Look looks at the clock now. Who is about to judge by the time calls it first.
func (s *Still) Look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if now.Sub(s.looked) >= look+minStill {
		s.spans = append(s.spans, span{s.looked, now})
	}
	s.looked = now
}

// Within reports whether the process was stopped at some time between two.
func (s *Still) Within(from, to time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, span := range s.spans {
		if span.from.Before(to) && from.Before(span.to) {
			return true
		}
	}
	return false
}

// End ends the detection, and returns how long the process was stopped in total.
func (s *Still) End() time.Duration {
	close(s.ended)
	s.Look()
	s.mu.Lock()
	defer s.mu.Unlock()
	var sum time.Duration
	for _, span := range s.spans {
		sum += span.to.Sub(span.from)
	}
	return sum
}
