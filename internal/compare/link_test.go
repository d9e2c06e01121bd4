package compare

import (
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/result"
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
		if got := KeyOf("quick", s).Link; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	s.Servers = 0
	if got := KeyOf("quick", s).Servers; got != 1 {
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
	if report.Rows[0].Key.Link != "" {
		t.Fatal("the far row is before the near one")
	}
	if got, ok := report.Rows[1].DistanceRatio(); !ok || got != 2 {
		t.Errorf("%v %v, want 2", got, ok)
	}
	if _, ok := report.Rows[0].DistanceRatio(); ok {
		t.Error("loopback has a distance")
	}
}

func TestALinkThatLimitsIsFound(t *testing.T) {
	t.Parallel()
	good := result.Relay{ElapsedNs: 1e9, CPUNs: 900e6, WaitCPUNs: 500e6, UpBytes: 11e6, DownBytes: 1e6, LateP99Ns: 2e6}
	for want, change := range map[string]func(*result.Relay){
		"":                                       func(*result.Relay) {},
		"bandwidth to servers was used to 92%":   func(r *result.Relay) { r.UpBytes = 11_500_000 },
		"bandwidth to clients was used to 96%":   func(r *result.Relay) { r.DownBytes = 12_000_000 },
		"emulation used 85% of a processor":      func(r *result.Relay) { r.CPUNs = 1_350e6 },
		"2.30 ms late at the p99, where 2.25 ms": func(r *result.Relay) { r.LateP99Ns = 2_300_000 },
	} {
		s := spec("grpc-go")
		s.Link = wan()
		one, relay := trial(t, s, 1, 10, 1000), good
		change(&relay)
		one.Relay = &relay
		row := onlyRow(t, build(t, file("a", one)))
		verdict, reasons := row.Verdict(), strings.Join(row.Trials[0].LinkBound(), "; ")
		if bound := want != ""; (verdict == VerdictLinkBound) != bound || !strings.Contains(reasons, want) {
			t.Errorf("%s: %q, want %q", verdict, reasons, want)
		}
		one.Outcomes = append(one.Outcomes, result.Outcome{Code: "UNAVAILABLE", Calls: 1})
		if verdict := onlyRow(t, build(t, file("a", one))).Verdict(); verdict != VerdictErrors {
			t.Errorf("with errors %s, want ERRORS, which are graver", verdict)
		}
	}
}
