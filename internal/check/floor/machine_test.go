package floor

import (
	"math"
	"testing"
	"time"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// A watch moves on by a step with every reading, and by as much as a nap takes; steps and lateness come again and again.
type watch struct {
	at          time.Time
	steps, late []time.Duration
	read, slept int
}

func (w *watch) machine() machine { return machine{now: w.now, nap: w.nap} }

func (w *watch) now() time.Time {
	if len(w.steps) > 0 {
		w.at = w.at.Add(w.steps[w.read%len(w.steps)])
		w.read++
	}
	return w.at
}

func (w *watch) nap(d time.Duration) {
	w.at = w.at.Add(d)
	if len(w.late) > 0 {
		w.at = w.at.Add(w.late[w.slept%len(w.late)])
		w.slept++
	}
}

func TestAClockHasACostAndAStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ steps []time.Duration }{{[]time.Duration{45}}, {[]time.Duration{0, 0, 90, 90}}} {
		cost, step := (&watch{steps: c.steps}).machine().clock()
		if cost != 45 || step != c.steps[len(c.steps)-1] {
			t.Errorf("%v: a reading costs %d ns, and the least step is %d ns", c.steps, cost, step)
		}
	}
}

// Of ten sleeps one is 200 µs late, and one was ended early by a signal.
func TestSleepsAreLateByWhatIsBeyondTheirTime(t *testing.T) {
	t.Parallel()
	w := &watch{late: []time.Duration{50 * us, 50 * us, 50 * us, 200 * us, 50 * us, 50 * us, -300 * us, 50 * us, 50 * us, 50 * us}}
	if p50, p99 := w.machine().late(t.Context(), time.Second); p50 != 50*us || p99 != 200*us {
		t.Errorf("late by %v and %v, want 50µs and 200µs", p50, p99)
	}
	if w.slept < 900 || w.slept > 1000 {
		t.Errorf("%d sleeps of 1 ms in a second", w.slept)
	}
}

// Once in 1,000 readings 1 µs apart the thread pauses for 300 µs: 770 times a second.
func TestAHiccupIsATimeWithoutAReading(t *testing.T) {
	t.Parallel()
	steps := make([]time.Duration, 1000)
	for i := range steps {
		steps[i] = us
	}
	steps[500] = 300 * us
	perSec, longest := (&watch{steps: steps}).machine().hiccups(t.Context(), time.Second)
	if math.Abs(perSec-1e6/1299) > 1 || longest != 300*us {
		t.Errorf("%.0f a second, the longest %v; want 770 and 300µs", perSec, longest)
	}
}

func TestLoopbackIsReckonedByTheClock(t *testing.T) {
	t.Parallel()
	var f Floor
	if err := (&watch{steps: []time.Duration{ms}}).machine().loopback(t.Context(), 100*ms, &f); err != nil {
		t.Fatal(err)
	}
	if f.RoundTripP50 != ms || f.RoundTripP99 != ms || f.SparseP50 != ms {
		t.Errorf("round trips take %v, %v and %v, want the clock's step, 1ms", f.RoundTripP50, f.RoundTripP99, f.SparseP50)
	}
	// The clock is read when the time begins and before each write: 98 of those readings lie within 100 ms.
	if want := 98 * chunkBytes / 0.1; math.Abs(f.BytesPerSec-want) > 1 {
		t.Errorf("%.0f bytes a second, want %.0f", f.BytesPerSec, want)
	}
}
