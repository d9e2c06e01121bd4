package httpwire

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestSocketsAreOpenedWithinABound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		taking, want time.Duration // of each of 9 sockets, by 3 at once, and of all
	}{
		{100 * time.Millisecond, 300 * time.Millisecond},
		{time.Hour, time.Hour + 2*openingPatience}, // no server answers
	} {
		synctest.Test(t, func(t *testing.T) {
			to, begun := make(turnstile, 3), time.Now()
			var all sync.WaitGroup
			for range 9 {
				all.Go(func() {
					leave, err := to.enter(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					time.Sleep(c.taking)
					leave()
				})
			}
			all.Wait()
			if took := time.Since(begun); took != c.want || len(to) > 0 {
				t.Errorf("sockets that take %v took %v, want %v; %d have not left", c.taking, took, c.want, len(to))
			}
		})
	}
}

func TestACancelledSocketIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	to := make(turnstile)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := to.enter(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
