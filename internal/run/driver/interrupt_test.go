package driver

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// interrupted measures for an hour, of which it interrupts all but the first 470 ms, and returns how long that took. The
// error is that of the measured phase.
func interrupted(t *testing.T, s *sides) (time.Duration, error) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(470*ms, interrupt)
	begun := time.Now()
	err := s.run(ctx)
	return time.Since(begun), err
}

func TestAnInterruptedPhaseKeepsWhatWasMeasured(t *testing.T) {
	t.Parallel()
	for _, clients := range [][]*player{{{}}, {{}, {}, {}}} {
		synctest.Test(t, func(t *testing.T) {
			config := Config{Silence: time.Second, Stall: time.Hour, Now: time.Now}
			s := played(t, config, spec(0, 0, time.Hour), &player{}, clients...)
			if took, err := interrupted(t, s); err != nil || took > 600*ms {
				t.Fatalf("%v after %v", err, took)
			}
			if !s.evidence.Interrupted || !s.measured {
				t.Errorf("interrupted %v, measured %v", s.evidence.Interrupted, s.measured)
			}
			for i, client := range s.evidence.Clients {
				beats := int64(len(client.Intervals))
				if beats != 5 || client.Arrivals != 5*works.ok || client.StoppedNs != int64(500*ms) || client.End == nil {
					t.Errorf("client %d: %d intervals, %d arrivals, stopped at %d ns, end %v; want 5 intervals and their calls",
						i, beats, client.Arrivals, client.StoppedNs, client.End)
				}
				if want := []string{"mark", "begin measured", "stop within 1s", "mark"}; !slices.Equal(clients[i].heard, want) {
					t.Errorf("client %d was told %q, want %q", i, clients[i].heard, want)
				}
			}
		})
	}
}

// A worker that can't end a phase soon is given up at once, and one that says it can and does not, after a while.
func TestAnInterruptedPhaseThatCannotEndIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		client *player
		took   time.Duration
	}{
		"at once": {&player{old: true}, 470 * ms},
		"later":   {&player{deaf: true}, 470*ms + interruptPatience},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := played(t, Config{Silence: time.Second, Stall: time.Hour}, spec(0, 0, time.Hour), &player{}, c.client)
				took, err := interrupted(t, s)
				if !errors.Is(err, context.Canceled) || took != c.took || s.measured {
					t.Errorf("%v after %v, measured %v; want an interruption after %v", err, took, s.measured, c.took)
				}
			})
		})
	}
}

func TestAWarmUpThatIsInterruptedIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := &player{}
		s := played(t, Config{Silence: time.Second, Stall: time.Hour}, spec(time.Hour, 0, time.Hour), &player{}, client)
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(470*ms, interrupt)
		if err := s.warmUp(ctx); !errors.Is(err, context.Canceled) || !slices.Equal(client.heard, []string{"begin warmup"}) {
			t.Errorf("%v, told %q", err, client.heard)
		}
	})
}
