package script

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// releases returns when calls that arrive at the given times, in ms, are released.
func releases(t *testing.T, text string, comings ...int) []time.Duration {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var begun time.Time
	begun = begun.Add(time.Hour)
	at := make([]time.Duration, len(comings))
	for i, coming := range comings {
		release, dropped := s.line.admit(begun.Add(time.Duration(coming) * ms))
		if at[i] = release.Sub(begun); dropped {
			at[i] = -1
		}
	}
	return at
}

func TestCallsAreReleasedAsTheScriptSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script  string
		comings []int
		want    []time.Duration
	}{
		{"fixed 4ms", []int{0, 1, 20, 21, 22}, []time.Duration{4 * ms, 8 * ms, 24 * ms, 28 * ms, 32 * ms}},
		{"slow 100ms every 3 else 5ms", []int{0, 1, 2, 3}, []time.Duration{5 * ms, 6 * ms, 102 * ms, 8 * ms}},
		{"step 4ms to 7ms after 20ms", []int{5, 24, 25}, []time.Duration{9 * ms, 28 * ms, 35 * ms}},
		{"drop every 2", []int{0, 1, 2, 3}, []time.Duration{0, -1, 2 * ms, -1}},
	} {
		got := releases(t, c.script, c.comings...)
		for i, want := range c.want {
			if got[i] != want {
				t.Errorf("%s: call %d is released at %v, want %v", c.script, i, got[i], want)
			}
		}
	}
}

func TestExponentialTimesComeAgainAndAgain(t *testing.T) {
	t.Parallel()
	got := releases(t, "exponential 4ms seed 7 of 3", 0, 1000, 2000, 3000)
	if first, again := got[0], got[3]-3000*ms; first != again {
		t.Errorf("the first call takes %v, the fourth of three %v", first, again)
	}
	sum := got[0] + got[1] + got[2] - 3000*ms
	// The quantiles 1/6, 1/2 and 5/6 of an exponential distribution of mean 4 ms.
	if want := 10_669 * time.Microsecond; (sum - want).Abs() > 2*time.Microsecond {
		t.Errorf("three calls take %v, want %v", sum, want)
	}
}

func TestAGateOpensAsTheScriptSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script string
		comes  time.Duration // after the first byte
		want   time.Duration // that it is held
	}{
		{"freeze 1s after 500ms", 499 * ms, 0},
		{"freeze 1s after 500ms", 500 * ms, 1000 * ms},
		{"freeze 1s after 500ms", 1499 * ms, ms},
		{"freeze 1s after 500ms", 1500 * ms, 0},
		{"pause 50ms every 250ms", 10 * ms, 40 * ms},
		{"pause 50ms every 250ms", 60 * ms, 0},
		{"pause 50ms every 250ms", 760 * ms, 40 * ms},
	} {
		s, err := Parse(c.script)
		if err != nil {
			t.Fatal(err)
		}
		first := time.Now()
		s.gate.opens(first)
		at := first.Add(c.comes)
		if got := s.gate.opens(at).Sub(at); got != c.want {
			t.Errorf("%s: what comes at %v is held for %v, want %v", c.script, c.comes, got, c.want)
		}
	}
}

func TestAWaitEndsWhenTheServerIsStopped(t *testing.T) {
	t.Parallel()
	stopped := make(chan struct{})
	close(stopped)
	if until(time.Now().Add(time.Hour), stopped) {
		t.Error("an hour is over")
	}
	if begun := time.Now(); !until(begun.Add(5*ms), nil) || time.Since(begun) < 5*ms {
		t.Errorf("a wait of 5 ms took %v", time.Since(begun))
	}
}
