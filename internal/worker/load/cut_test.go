package load_test

import (
	"testing"
	"time"

	"rpcbench/internal/worker/load"
)

// counted counts the arrivals that were never sent, and in how many samples they came.
type counted struct{ arrivals, samples int64 }

func (c *counted) Record(_ int, s *load.Sample) {
	if s.Fate == load.Unsent {
		c.arrivals += 1 + s.More
		c.samples++
	}
}

// What was never sent is told in bulk, and none of it is lost: of two million arrivals each bound is right to a thousandth.
func TestUnsentArrivalsAreCutOffInBulk(t *testing.T) {
	t.Parallel()
	virtually(t, func(t *testing.T, by kind) {
		const perSec, window, drain = 1_000_000, 2 * second, second
		r := by.pool(1, takes(time.Hour))
		defer r.Close()
		c := &counted{}
		p, err := r.Begin(constant(perSec, window), drain, c)
		if err != nil {
			t.Fatal(err)
		}
		const want = int64(perSec * window / second)
		// Between a bound of 3 s, of the first of them, and of 1 s there are ln 3 / ln 1.001 steps of a thousandth.
		const maxSamples = 1100
		if tally := p.Run(t.Context()); tally.Arrivals != want || c.arrivals != want-1 || c.samples > maxSamples {
			t.Errorf("%d arrivals, of which %d were never sent, in %d samples; want %d, %d, %d at most",
				tally.Arrivals, c.arrivals, c.samples, want, want-1, maxSamples)
		}
	})
}
