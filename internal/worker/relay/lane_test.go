package relay

import (
	"math"
	"testing"
	"time"
)

func TestALaneSendsOneAfterAnotherAndNoFasterThanItsBandwidth(t *testing.T) {
	t.Parallel()
	l := newLane(Link{}, 1e6, 0, 0) // a byte a microsecond
	for i, c := range []struct {
		now  time.Duration
		n    int
		want time.Duration
	}{
		{0, 1000, time.Millisecond},
		{0, 500, 1500 * time.Microsecond}, // behind the first
		{time.Millisecond, 500, 2 * time.Millisecond},
		{time.Second, 1000, time.Second + time.Millisecond}, // what was not used is lost
	} {
		if got := l.depart(c.now, c.n); got != c.want {
			t.Errorf("%d: departs at %v, want %v", i, got, c.want)
		}
	}
	if got := newLane(Link{}, 0, 0, 0).depart(time.Second, 1<<30); got != time.Second {
		t.Errorf("without a limit it departs at %v, want at once", got)
	}
}

func TestAnArrivalVariesByTheJitterEvenly(t *testing.T) {
	t.Parallel()
	const n = 10_000
	link := Link{RTT: 20 * time.Millisecond, Jitter: 4 * time.Millisecond}
	l := newLane(link, 0, 1, 0)
	least, most, sum := time.Hour, time.Duration(0), time.Duration(0)
	for range n {
		due := l.arrive(time.Second) - time.Second
		least, most, sum = min(least, due), max(most, due), sum+due
	}
	if least < 6*time.Millisecond || least > 6100*time.Microsecond || most > 14*time.Millisecond || most < 13900*time.Microsecond {
		t.Errorf("delays from %v to %v, want 6 ms to 14 ms", least, most)
	}
	if mean := sum / n; math.Abs(mean.Seconds()-.010) > 100e-6 {
		t.Errorf("mean delay %v, want 10 ms", mean)
	}
	if again := newLane(link, 0, 1, 0); again.arrive(0) != newLane(link, 0, 1, 0).arrive(0) {
		t.Error("one seed makes two jitters")
	}
}

func TestASegmentKeepsTheLinkForAMillisecondAtTheMost(t *testing.T) {
	t.Parallel()
	for perSec, want := range map[float64]int{0: 16 << 10, 125e6: 16 << 10, 4e6: 4000, 96e3: 1448} {
		if got := newLane(Link{}, perSec, 0, 0).segment; got != want {
			t.Errorf("at %v B/s a segment has %d bytes, want %d", perSec, got, want)
		}
	}
}

func TestASegmentOvertakesNoOther(t *testing.T) {
	t.Parallel()
	r := &Relay{}
	p := &pipe{relay: r, tunnel: &tunnel{}, lane: newLane(Link{}, 0, 0, 0)}
	for _, due := range []time.Duration{5, 3, 8, 7} {
		p.push(segment{due: due, data: []byte{byte(due)}})
	}
	for _, want := range []struct{ due, byte time.Duration }{{5, 5}, {5, 3}, {8, 8}, {8, 7}} {
		if s := p.queue.pop(); s.due != want.due || s.data[0] != byte(want.byte) {
			t.Errorf("%v due at %v, want %v due at %v", s.data, s.due, want.byte, want.due)
		}
	}
}

func TestAQueueKeepsItsOrderAndItsSize(t *testing.T) {
	t.Parallel()
	var q queue
	pushed, popped := time.Duration(0), time.Duration(0)
	for range 10_000 {
		for range 3 { // more than goes out, until it is full
			if q.length() < 100 {
				q.push(segment{due: pushed})
				pushed++
			}
		}
		for range 2 {
			if s := q.pop(); s.due != popped {
				t.Fatalf("segment %d came where %d was next", s.due, popped)
			}
			popped++
		}
	}
	if cap(q.segments) > 1000 {
		t.Errorf("a queue of 100 takes room for %d", cap(q.segments))
	}
}
