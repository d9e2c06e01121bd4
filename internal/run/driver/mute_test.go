package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/worker/control"
)

// A server whose calls hang until the phase ends is waited for as long as a call, or as a client may be silent. The process of
// another one may merely have little time to run.
func TestAServerThatIsMuteIsNotWaitedForLong(t *testing.T) {
	t.Parallel()
	const length = 1900 * ms
	for name, c := range map[string]struct {
		beats    []beat
		deadline time.Duration
		waits    time.Duration
		says     string
	}{
		"mute": {
			append(beats(3, works), beats(16, hangs)...), time.Second, 3 * time.Second,
			"server: the worker did not answer: 3s have passed, after 1.6s in which no call was OK",
		},
		"mute, with calls that have longer": {
			append(beats(3, works), beats(16, hangs)...), time.Minute, time.Minute,
			"server: the worker did not answer: 1m0s have passed, after 1.6s in which no call was OK",
		},
		"mute, with calls that fail": {
			append(beats(3, works), append(beats(15, fails), beat{errors: 1})...), time.Second, 3 * time.Second,
			"server: the worker did not answer: 3s have passed, after 1.6s in which no call was OK",
		},
		"mute, with a call that is counted late": {
			append(beats(3, works), append(beats(14, hangs), rests, beat{errors: 1})...), time.Second, 3 * time.Second,
			"server: the worker did not answer: 3s have passed, after 1.6s in which no call was OK",
		},
		"not asked": {
			append(beats(3, works), beats(16, rests)...), time.Second, control.Patience,
			"server: the worker did not answer: 2m0s have passed",
		},
		"not mute for long": {
			append(beats(12, works), beats(7, hangs)...), time.Second, control.Patience,
			"server: the worker did not answer: 2m0s have passed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				of := spec(0, 0, length)
				of.DeadlineNs = c.deadline.Nanoseconds()
				s := played(t, Config{Silence: 3 * time.Second, Stall: time.Hour}, of, &player{answered: 1}, &player{beats: c.beats})
				begun := time.Now()
				if err := s.run(t.Context()); err == nil || err.Error() != c.says {
					t.Errorf("%v, want %s", err, c.says)
				}
				took(t, "it", begun, length+c.waits)
			})
		})
	}
}

// One client of two has answers: the server is not mute.
func TestAServerThatAnswersOneClientIsNotMute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := played(t, Config{Silence: 3 * time.Second, Stall: time.Hour}, spec(0, 0, 1900*ms), &player{},
			&player{beats: beats(19, hangs)}, &player{})
		if err := s.run(t.Context()); err != nil || s.mute != 0 {
			t.Errorf("%v, mute for %v", err, s.mute)
		}
		s = played(t, Config{Silence: 3 * time.Second, Stall: time.Hour}, spec(0, 0, 1900*ms), &player{},
			&player{beats: beats(19, hangs)}, &player{beats: beats(19, hangs)})
		if err := s.run(t.Context()); err != nil || s.mute != 1900*ms {
			t.Errorf("%v, mute for %v, want 1.9s", err, s.mute)
		}
	})
}

// A link whose process is frozen makes calls hang as a server does, and its process is not waited for longer.
func TestALinkThatIsMuteIsNotWaitedForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := played(t, Config{Silence: 3 * time.Second, Stall: time.Hour}, spec(0, 0, 1900*ms), &player{},
			&player{beats: append(beats(3, works), beats(16, hangs)...)})
		s.relay = namedProcess{Worker: (&player{answered: 1}).worker(t), name: "link"}
		begun := time.Now()
		err := s.run(t.Context())
		const want = "link: the worker did not answer: 3s have passed, after 1.6s in which no call was OK"
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		took(t, "it", begun, 1900*ms+3*time.Second)
	})
}
