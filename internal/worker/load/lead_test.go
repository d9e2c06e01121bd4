package load

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestTheLeadFollowsTheLatenessOfSleeps(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 0))
	for _, c := range []struct {
		name     string
		late     func() time.Duration
		from, to time.Duration
	}{
		{"never late", func() time.Duration { return 0 }, 20 * time.Microsecond, 20 * time.Microsecond},
		{"always late", func() time.Duration { return time.Millisecond }, 300 * time.Microsecond, 300 * time.Microsecond},
		// Of an even spread from 50 to 150 µs the 99.5th percentile is 149.5 µs; it moves in steps of 20.
		{"late by 50 to 150 µs", func() time.Duration {
			return 50*time.Microsecond + time.Duration(random.Int64N(int64(100*time.Microsecond)))
		}, 130 * time.Microsecond, 170 * time.Microsecond},
	} {
		l := leadFirst
		for range 20_000 {
			l.learn(c.late())
		}
		if got := time.Duration(l); got < c.from || got > c.to {
			t.Errorf("%s: the lead settled at %v, want %v to %v", c.name, got, c.from, c.to)
		}
	}
}
