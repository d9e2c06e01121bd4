package analysis

import (
	"strings"
	"testing"

	"rpcbench/internal/results/result"
)

// between is a process that counted so much in the measured phase, on a host.
func between(host string, segments, again, throttled int64) result.Side {
	return result.Side{
		Host:  host,
		Begin: &result.Snapshot{SegmentsOut: new(int64(7)), Retransmits: new(int64(3)), ThrottledNs: new(int64(11))},
		End: &result.Snapshot{
			TimeNs: 4e9, SegmentsOut: new(7 + segments), Retransmits: new(3 + again), ThrottledNs: new(11 + throttled),
		},
	}
}

// spread is a trial whose client runs on db1 and whose server on db2.
func spread(t *testing.T) result.Trial {
	t.Helper()
	one := open(t)
	one.Clients[0].Side = between("db1", 10_000, 0, 0)
	one.Servers = []result.Side{between("db2", 10_000, 0, 0)}
	one.Hosts = []result.HostUse{{Host: "db1", ElapsedNs: 4e9}, {Host: "db2", ElapsedNs: 4e9}}
	return one
}

func TestWhatAHostWithheldIsNamedWithTheHost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*result.Trial)
		code   Code
		why    string
	}{
		"nothing": {func(*result.Trial) {}, "", ""},
		"a quota around the watcher": {func(r *result.Trial) { r.Hosts[1].ThrottledNs = new(int64(80e6)) }, CodeThrottled,
			"db2: the quota of a control group kept threads off processors for 80.0 ms of 4.00 s (bound 1%)"},
		"a quota of the server's own": {func(r *result.Trial) { r.Servers[0] = between("db2", 10_000, 0, 40e6) }, CodeThrottled,
			"db2: the quota of a control group kept threads off processors for 40.0 ms of 4.00 s (bound 1%)"},
		"a quota hardly used": {func(r *result.Trial) { r.Servers[0] = between("db2", 10_000, 0, 39e6) }, "", ""},
		"heat": {func(r *result.Trial) { r.Hosts[0].HeatThrottles = new(int64(1)) }, CodeHeat,
			"db1: processors were slowed down because of heat, 1 time"},
		"lost packets": {func(r *result.Trial) { r.Clients[0].Side = between("db1", 10_000, 100, 0) }, CodeRetransmits,
			"db1: TCP had to send 1.0% of the segments again (bound 1%)"},
		"hardly a lost packet": {func(r *result.Trial) { r.Clients[0].Side = between("db1", 10_000, 99, 0) }, "", ""},
		"few packets":          {func(r *result.Trial) { r.Clients[0].Side = between("db1", 999, 500, 0) }, "", ""},
	} {
		r := spread(t)
		c.change(&r)
		findings := findingsOf(t, r)
		switch {
		case c.code == "" && len(findings) == 0:
		case len(findings) != 1 || findings[0].Code != c.code || findings[0].Verdict != VerdictNoisyHost || findings[0].Why != c.why:
			t.Errorf("%s: %+v, want %s: %s", name, findings, c.code, c.why)
		}
	}
}

// findingsOf are those of NOISY_HOST.
func findingsOf(t *testing.T, r result.Trial) (noisy []Finding) {
	t.Helper()
	measured, err := measure(&Source{}, &r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range measured.Findings() {
		if f.Verdict == VerdictNoisyHost {
			noisy = append(noisy, f)
		}
	}
	return noisy
}

func TestWhatHostsWithheldIsOfTheWorst(t *testing.T) {
	t.Parallel()
	r := spread(t)
	r.Servers[0] = between("db2", 1000, 20, 5)
	r.Hosts[0].ThrottledNs, r.Hosts[0].FrequencyMHz, r.Hosts[1].FrequencyMHz = new(int64(3)), new(3100.0), new(1200.0)
	r.Hosts[0].DroppedPackets, r.Hosts[1].HeatThrottles = new(int64(4)), new(int64(6))
	expect(t, r, map[Metric]float64{
		HostThrottledNs: 5, HostFrequencyMHz: 1200, HostHeatThrottles: 6, HostDroppedPackets: 4, HostRetransmitRatio: 0.02,
	})
	none := open(t)
	none.Hosts = []result.HostUse{{}}
	expect(t, none, nil, HostThrottledNs, HostFrequencyMHz, HostHeatThrottles, HostDroppedPackets, HostRetransmitRatio)
}

// What a client of several has beside its figures is its own host's, and what all processes there used is theirs together.
func TestEachClientStandsBesideItsHost(t *testing.T) {
	t.Parallel()
	r := spread(t)
	r.Spec.Clients, r.Spec.Connections = 2, 2
	other := r.Clients[0]
	other.Side = between("db2", 10_000, 300, 0)
	other.End.CPUUserNs = 1e9
	r.Clients = append(r.Clients, other)
	r.Servers[0].End.CPUUserNs = 2e9
	r.Hosts[0].ThrottledNs = new(int64(9))
	r.Hosts[1].CPU, r.Hosts[1].WatchCPUNs = &result.HostCPU{BusyNs: 4e9, IdleNs: 4e9}, new(int64(0))
	r.Hosts[1].EnergyJoules, r.Hosts[0].EnergyJoules = new(5.0), new(5.0)
	measured, err := measure(&Source{}, &r)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []map[Metric]float64{
		{HostThrottledNs: 9, HostRetransmitRatio: 0}, {HostThrottledNs: 0, HostRetransmitRatio: 0.03, HostOtherRatio: 1.0 / 8},
	} {
		for metric, figure := range want {
			if got, ok := measured.Apart[i].Value(metric); !ok || got != figure {
				t.Errorf("client %d: %s %v, %v, want %v", i+1, metric, got, ok, figure)
			}
		}
		if joules, known := measured.Apart[i].Value(EnergyPerCall); known {
			t.Errorf("client %d is said to have used %v J a call", i+1, joules)
		}
	}
	if why := findingsOf(t, r); len(why) != 1 || !strings.HasPrefix(why[0].Why, "db2: TCP had to send") {
		t.Errorf("%+v", why)
	}
}
