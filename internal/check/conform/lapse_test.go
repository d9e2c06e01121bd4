package conform

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"rpcbench/internal/worker/control"
)

func TestALapseIsFewCallsThatWereGivenUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		codes map[string]int64
		want  string
		lapse bool
	}{
		{map[string]int64{"OK": 59, "UNAVAILABLE": 1}, "OK", true},
		{map[string]int64{"OK": 54, "UNAVAILABLE": 5, "DEADLINE_EXCEEDED": 1}, "OK", true},
		{map[string]int64{"OK": 53, "UNAVAILABLE": 7}, "OK", false},
		{map[string]int64{"OK": 59, "INTERNAL": 1}, "OK", false},
		{map[string]int64{"OK": 58, "UNAVAILABLE": 1}, "OK", false}, // one is missing
		{map[string]int64{"OK": 1, "UNAVAILABLE": 59}, "UNAVAILABLE", false},
	} {
		done := &control.Done{}
		for code, calls := range c.codes {
			done.Outcomes = append(done.Outcomes, &control.Outcome{Code: code, Calls: calls})
		}
		err := wantOutcome(done, c.want, 60)
		if _, is := errors.AsType[lapse](fmt.Errorf("a case: %w", err)); err == nil || is != c.lapse {
			t.Errorf("%v, want %s: %v is a lapse: %v", c.codes, c.want, err, is)
		}
	}
}

func TestALapseIsAConnectThatWasGivenUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault *control.FaultError
		lapse bool
	}{
		{&control.FaultError{Field: "connect", Message: "UNAVAILABLE: Timed out waiting for second handshake thread"}, true},
		{&control.FaultError{Field: "connect", Message: "DEADLINE_EXCEEDED: no reply"}, true},
		{&control.FaultError{Field: "connect", Message: "INTERNAL: it broke"}, false},
		{&control.FaultError{Field: "connect", Message: "the server is UNAVAILABLE: sorry"}, false},
		{&control.FaultError{Field: "connect.stack", Message: "UNAVAILABLE: no such stack"}, false},
		{&control.FaultError{Message: "UNAVAILABLE: sorry"}, false},
	} {
		tries := 0
		detail, again, err := twice(func() (string, error) {
			if tries++; tries == 1 {
				return "", fmt.Errorf("client: %w", c.fault)
			}
			return "fine", nil
		})
		if again != c.lapse || (err == nil) != c.lapse || c.lapse && detail != "fine; tried again, as at first "+c.fault.Error() {
			t.Errorf("%v is a lapse: %v, want %v; %q, %v", c.fault, again, c.lapse, detail, err)
		}
	}
}

// lapsing fails with a lapse as often as is said, and then with an error, if there is one.
func lapsing(name string, lapses int, then error) Case {
	return Case{Name: name, Step: StepPipe, run: func(*rig) (string, error) {
		if lapses--; lapses >= 0 {
			return "", fmt.Errorf("a phase: %w", lapse{errors.New("one was lost")})
		}
		return "fine", then
	}}
}

func TestALapseIsTriedAgainOnceAndCounted(t *testing.T) {
	t.Parallel()
	var many []Case
	for i := range 200 {
		many = append(many, lapsing(fmt.Sprint(i), min(1, i/197), nil))
	}
	for name, c := range map[string]struct {
		cases []Case
		want  Verdict
		lines string
	}{
		"once": {[]Case{lapsing("a", 1, nil)}, Verdict{OK: 1, Again: 1},
			"fine; tried again, as at first one was lost\n1 ok, 0 failed, 0 skipped; 1 tried again\n"},
		"twice": {[]Case{lapsing("a", 2, nil)}, Verdict{Failed: 1, Again: 1},
			"a phase: one was lost\n0 ok, 1 failed, 0 skipped; 1 tried again\n"},
		"then failed": {[]Case{lapsing("a", 1, errors.New("wrong"))}, Verdict{Failed: 1, Again: 1}, " wrong\n"},
		"failed":      {[]Case{lapsing("a", 0, errors.New("wrong"))}, Verdict{Failed: 1}, " wrong\n"},
		"in many": {many, Verdict{OK: 200, Failed: 1, Again: 3},
			"3 of 200 cases were tried again, and one in 100 may be\n200 ok, 1 failed, 0 skipped; 3 tried again\n"},
	} {
		var out bytes.Buffer
		verdict, err := (&Suite{Cases: c.cases}).Run(t.Context(), &out)
		if err != nil || verdict != c.want || !strings.Contains(out.String(), c.lines) {
			t.Errorf("%s: %+v, want %+v, %v\n%s", name, verdict, c.want, err, out.String())
		}
	}
}
