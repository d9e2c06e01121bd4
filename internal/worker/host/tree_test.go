package host

import (
	"testing"
	"time"
)

// The parts of CPU time add up to the scheduler's sum, and never fall.
func TestProcessorTimeIsDividedByTicks(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	var s share
	for i, step := range []struct{ total, userTicks, systemTicks, user, system time.Duration }{
		{0, 0, 0, 0, 0},
		{4 * ms, 0, 0, 4 * ms, 0},                       // no tick tells of the kernel yet
		{24 * ms, 10 * ms, 10 * ms, 14 * ms, 10 * ms},   // halves
		{25 * ms, 10 * ms, 10 * ms, 14500000, 10500000}, // no new tick: as before
		{35 * ms, 10 * ms, 20 * ms, 14500000, 20500000}, // the kernel's alone
		{30 * ms, 0, 10 * ms, 14500000, 20500000},       // a process is gone
		{45 * ms, 10 * ms, 10 * ms, 24500000, 20500000}, // programs' alone
	} {
		user, system := s.of(step.total, step.userTicks, step.systemTicks)
		if user != step.user || system != step.system {
			t.Errorf("step %d: %v and %v, want %v and %v", i, user, system, step.user, step.system)
		}
	}
}
