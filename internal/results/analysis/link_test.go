package analysis

import (
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

func wan() *plan.Link {
	return &plan.Link{Name: "wan", RTTNs: 45e6, JitterNs: 1e6, UpBytesPerSec: 12.5e6, DownBytesPerSec: 12.5e6}
}

func TestALinkIsPartOfTheKey(t *testing.T) {
	t.Parallel()
	s := spec("grpc-go")
	for want, link := range map[string]*plan.Link{
		"": nil, "wan": wan(), "rtt_ns=5000": {RTTNs: 5000},
		"jitter_ns=1;rtt_ns=5;up_bytes_per_sec=1250000": {RTTNs: 5, JitterNs: 1, UpBytesPerSec: 1.25e6},
	} {
		s.Link = link
		if got := s.LinkText(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	s.Servers = 0
	if got := s.ServerCount(); got != 1 {
		t.Errorf("%d servers, want the one that there always is", got)
	}
}

func TestDistanceIsTimesAsSlowAsWithoutALink(t *testing.T) {
	t.Parallel()
	near, far := spec("grpc-go"), spec("grpc-go")
	far.Link = wan()
	a, b := trial(t, near, 1, 10, 1000), trial(t, far, 1, 10, 2000)
	b.ID = "far"
	report := build(t, file("a", b, a))
	if report.Rows[0].Spec.Link != nil {
		t.Fatal("the far row is before the near one")
	}
	if got, ok := LinkTimes.Of(report.Rows[1]); !ok || got != 2 {
		t.Errorf("%v %v, want 2", got, ok)
	}
	if _, ok := LinkTimes.Of(report.Rows[0]); ok {
		t.Error("loopback has a distance")
	}
}

func TestALinkThatLimitsIsFound(t *testing.T) {
	t.Parallel()
	good := result.Relay{ElapsedNs: 1e9, CPUNs: 900e6, WaitCPUNs: 500e6, UpBytes: 11e6, DownBytes: 1e6, LateP99Ns: 2e6}
	for want, change := range map[string]func(*result.Relay){
		"": func(*result.Relay) {},
		"the link was full: 92% of its bandwidth to servers":       func(r *result.Relay) { r.UpBytes = 11_500_000 },
		"the link was full: 96% of its bandwidth to clients":       func(r *result.Relay) { r.DownBytes = 12_000_000 },
		"the emulation was out of CPU: it used 85% of a processor": func(r *result.Relay) { r.CPUNs = 1_350e6 },
		"2.30 ms after they were due (p99; bound 2.25 ms)":         func(r *result.Relay) { r.LateP99Ns = 2_300_000 },
		"the link was full: 97% of its bandwidth to servers was used": func(r *result.Relay) {
			r.UpBytes, r.LateP99Ns = 12_125_000, 9e6
		},
	} {
		one, relay := linked(t, 1000), good
		change(&relay)
		one.Relay = &relay
		row := onlyRow(t, build(t, file("a", one)))
		verdict, reasons := row.Verdict(), ""
		if doubts := row.Doubts(); len(doubts) > 0 {
			reasons = doubts[0].Why
		}
		if bound := want != ""; (verdict == VerdictLinkBound) != bound || !strings.Contains(reasons, want) {
			t.Errorf("%s: %q, want %q", verdict, reasons, want)
		}
		one.Clients[0].Outcomes = append(one.Clients[0].Outcomes, result.Outcome{Code: "UNAVAILABLE", Calls: 1})
		if verdict := onlyRow(t, build(t, file("a", one))).Verdict(); verdict != VerdictErrors {
			t.Errorf("with errors %s, want ERRORS, which are graver", verdict)
		}
	}
}

// linked is a trial over a link whose calls take so long.
func linked(t *testing.T, responseNs int64) result.Trial {
	t.Helper()
	s := spec("grpc-go")
	s.Link = wan()
	return trial(t, s, 1, 1000, responseNs)
}

func TestALateLinkMattersAsFarAsCallsCanFeelIt(t *testing.T) {
	t.Parallel()
	late := &result.Relay{ElapsedNs: 1e9, LateP99Ns: 4e6}
	felt, little, busy := linked(t, 30e6), linked(t, 50e6), linked(t, 30e6)
	felt.Relay, little.Relay, busy.Relay = late, late, late
	busy.Hosts = []result.HostUse{{ElapsedNs: 1e9, CPU: &result.HostCPU{BusyNs: 1.8e9, IdleNs: 0.2e9}, WatchCPUNs: new(int64(1))}}
	busy.Clients[0].Side = used(1.6e9)
	const because = "because the trial kept all processors busy"
	for name, test := range map[string]struct {
		trial   result.Trial
		verdict string
		because bool
	}{"felt": {felt, VerdictLinkBound, false}, "a twelfth of a call": {little, VerdictOK, false},
		"busy": {busy, VerdictLinkBound, true}} {
		row := onlyRow(t, build(t, file("a", test.trial)))
		if row.Verdict() != test.verdict {
			t.Errorf("%s: %s %v, want %s", name, row.Verdict(), row.Doubts(), test.verdict)
		} else if len(row.Doubts()) > 0 && strings.Contains(row.Doubts()[0].Why, because) != test.because {
			t.Errorf("%s: %q", name, row.Doubts()[0].Why)
		}
	}
}

func TestALinkThatLimitsOneTrialOfThreeDoesNotLimitTheRow(t *testing.T) {
	t.Parallel()
	var trials []result.Trial
	for i := range 3 {
		one := linked(t, 1000)
		one.Repetition, one.ID = i+1, string(rune('a'+i))
		one.Relay = &result.Relay{ElapsedNs: 1e9, UpBytes: int64(12e6 / (i + 1))}
		trials = append(trials, one)
	}
	if row := onlyRow(t, build(t, file("a", trials...))); row.Verdict() != VerdictOK {
		t.Errorf("%v", row.Doubts())
	}
}
