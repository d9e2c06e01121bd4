package driver

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/results/result"
)

// stopped is the clock of a process that looks at none between two times after its begin.
func stopped(from, to time.Duration) func() time.Time {
	begun := time.Now()
	return func() time.Time {
		now := time.Now()
		if at := now.Sub(begun); at > from && at < to {
			return begun.Add(from)
		}
		return now
	}
}

// One that nobody reads has to wait with its next interval, which is then long. It is no stall of the client's.
func TestADriverThatStoodStillDoesNotBlameItsClient(t *testing.T) {
	t.Parallel()
	waits := works
	waits.longer = 30 * time.Second
	for name, c := range map[string]struct {
		from, to time.Duration // in which the driver stands still
		err      string
		stalled  *result.Stalled
		warnings []result.Warning
	}{
		"the driver": {350 * ms, 30300 * ms, "", nil, []result.Warning{{
			Code: result.WarningStoodStill,
			Text: "rpcbench itself was paused for about 30 s of the measured phase: it was stopped, or the machine was. " +
				"The workers may have gone on",
		}}},
		"the client": {0, 0, "client: the worker did not answer: it said nothing for 10s", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := &player{beats: append(beats(3, works), waits)}
				config := Config{Silence: 10 * time.Second, Stall: 10 * time.Second, Now: stopped(c.from, c.to)}
				s := played(t, config, spec(0, 0, 40*time.Second), &player{}, client)
				err := s.run(t.Context())
				if got := message(err); got != c.err || !slices.Equal(s.evidence.Warnings, c.warnings) {
					t.Errorf("error %q, warnings %q; want %q and %q", got, s.evidence.Warnings, c.err, c.warnings)
				}
				if diff := cmp.Diff(c.stalled, s.evidence.Clients[0].Stalled); diff != "" {
					t.Errorf("stalled (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A client that stands still, less long than it may be silent, while the driver does not.
func TestAClientThatStoodStillIsBlamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		waits := works
		waits.longer = 3 * time.Second
		client := &player{beats: append(beats(3, works), waits)}
		s := played(t, Config{Silence: 10 * time.Second, Stall: 10 * time.Second}, spec(0, 0, 5*time.Second), &player{}, client)
		if err := s.run(t.Context()); err != nil || s.evidence.Warnings != nil {
			t.Errorf("%v, warnings %q", err, s.evidence.Warnings)
		}
		want := &result.Stalled{Phase: result.PhaseMeasured, SinceNs: int64(300 * ms), DurationNs: int64(3100 * ms), Client: true}
		if diff := cmp.Diff(want, s.evidence.Clients[0].Stalled); diff != "" {
			t.Errorf("stalled (-want +got):\n%s", diff)
		}
	})
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
