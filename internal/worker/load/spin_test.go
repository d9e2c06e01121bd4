package load

import (
	"testing"
	"time"
)

func TestAWaitSpinsForANinthOfTheTime(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]time.Duration{
		90 * time.Microsecond: 10 * time.Microsecond, 450 * time.Microsecond: 50 * time.Microsecond,
		5 * time.Millisecond: 100 * time.Microsecond,
	} {
		var budget spinBudget
		now := time.Unix(0, 0)
		budget.last = now
		var spun time.Duration
		const waits = 1000
		for range waits {
			allowed := budget.allow(now, 100*time.Microsecond)
			spun += budget.spend(allowed, allowed)
			now = now.Add(wait)
		}
		if got := spun / waits; got < want-want/10 || got > want {
			t.Errorf("waits of %v spun for %v each, want about %v", wait, got, want)
		}
	}
}

// What a thread lost its processor for is no debt: the waits that follow end in time.
func TestAPreemptedSpinIsNotPaidOff(t *testing.T) {
	t.Parallel()
	budget := spinBudget{last: time.Unix(0, 0)}
	now := time.Unix(10, 0)
	allowed := budget.allow(now, 100*time.Microsecond)
	if allowed != 100*time.Microsecond {
		t.Fatalf("%v is allowed, want 100µs", allowed)
	}
	if spun := budget.spend(60*time.Millisecond, allowed); spun != allowed {
		t.Errorf("it spun for %v, want %v", spun, allowed)
	}
	for range 10 {
		now = now.Add(time.Millisecond)
		if allowed := budget.allow(now, 100*time.Microsecond); allowed != 100*time.Microsecond {
			t.Errorf("then %v is allowed, want 100µs", allowed)
		}
		budget.spend(100*time.Microsecond, 100*time.Microsecond)
	}
}
