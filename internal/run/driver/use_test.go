package driver

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// working is a player that uses a second of processor time from one Mark to the next.
func working() *player { return &player{compiling: []float64{}} }

func TestWhatProcessesUseIsKeptSecondBySecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		config := Config{Silence: time.Second, Stall: time.Second}
		client := working()
		s := played(t, config, spec(0, 0, 3500*ms), working(), client)
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []result.Use{
			{StartNs: 0, EndNs: 1e9, CPUNs: 1e9}, {StartNs: 1e9, EndNs: 2e9, CPUNs: 1e9}, {StartNs: 2e9, EndNs: 3e9, CPUNs: 1e9},
			{StartNs: 3e9, EndNs: 35e8, CPUNs: 1e9},
		}
		told := []string{"mark", "begin measured", "brief mark", "brief mark", "brief mark", "mark"}
		if !slices.Equal(client.heard, told) {
			t.Errorf("the client was told %q, want %q", client.heard, told)
		}
		for name, side := range map[string]result.Side{"server": s.evidence.Servers[0], "client": s.evidence.Clients[0].Side} {
			if diff := cmp.Diff(want, side.Parts); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})
}

// One that uses nothing does not know it before the end, as a worker of gRPC's benchmarks.
func TestAShortPhaseAndAProcessThatDoesNotTellHaveNoParts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for lasts, client := range map[time.Duration]*player{1900 * ms: working(), 5 * time.Second: {}} {
			s := played(t, Config{Silence: time.Second, Stall: time.Second}, spec(0, 0, lasts), &player{}, client)
			if err := s.run(t.Context()); err != nil || s.evidence.Clients[0].Parts != nil {
				t.Errorf("%v: %v, %v", lasts, s.evidence.Clients[0].Parts, err)
			}
			if n := count(client.heard, "mark"); lasts < 2*time.Second && n != 2 {
				t.Errorf("%v: %d marks", lasts, n)
			}
		}
	})
}

func TestAPhaseDoesNotWaitForAServerThatDoesNotTell(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := working()
		server.answered = 1
		s := played(t, Config{Silence: time.Second, Stall: time.Second}, spec(0, 0, 3500*ms), server, working())
		begun := time.Now()
		err := s.run(t.Context())
		if err == nil || s.evidence.Clients[0].ElapsedNs != int64(3500*ms) {
			t.Errorf("%d ns, error %v", s.evidence.Clients[0].ElapsedNs, err)
		}
		took(t, "the phase, and the Mark behind it", begun, 3500*ms+control.Patience)
	})
}

func TestALongPhaseHasLongerParts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := played(t, Config{Silence: time.Second, Stall: time.Second}, spec(0, 0, 701*time.Second), &player{}, working())
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		parts := s.evidence.Clients[0].Parts
		if len(parts) != 351 || parts[0].EndNs != 2e9 || parts[0].CPUNs != 2e9 || parts[350].StartNs != 700e9 {
			t.Errorf("%d parts, from %+v to %+v", len(parts), parts[0], parts[len(parts)-1])
		}
	})
}

func TestPartsOfAHostCountFromThePhase(t *testing.T) {
	t.Parallel()
	seen := &control.Watched{Parts: []*control.WatchedPart{
		{StartNs: 0, EndNs: 1e9, HiccupMaxNs: 5, BusyNs: new(int64(7)), StealNs: new(int64(3))}, {StartNs: 1e9, EndNs: 2e9},
	}}
	want := []result.HostPart{
		{StartNs: 0, EndNs: 98e7, HiccupMaxNs: 5, BusyNs: new(int64(7)), StealNs: new(int64(3))}, {StartNs: 98e7, EndNs: 198e7},
	}
	if diff := cmp.Diff(want, hostUse("a", seen, 20*ms).Parts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// counting is a server at a target that uses a second of processor time from one reading to the next. If it is unknown, it does
// not tell.
func counting(unknown bool) func() (host.Usage, bool) {
	var used host.Usage
	return func() (host.Usage, bool) {
		used.CPUUser += time.Second
		return used, !unknown
	}
}

func TestWhatAServerAtATargetUsesIsKeptIfItIsKnown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for name, c := range map[string]struct {
			target  string
			read    func() (host.Usage, bool)
			servers int
		}{
			"known": {"a:1", counting(false), 1}, "unknown": {"a:1", counting(true), 0}, "nobody reads it": {"a:1", nil, 0},
			"no target": {"", counting(false), 0},
		} {
			spec := spec(0, 0, 2500*ms)
			spec.Target = c.target
			s := played(t, Config{Silence: time.Second, Stall: time.Second, Target: c.read}, spec, &player{}, working())
			s.servers, s.evidence.Servers = nil, nil
			s.describeTarget()
			if err := s.run(t.Context()); err != nil || len(s.evidence.Servers) != c.servers {
				t.Errorf("%s: %v, servers %+v", name, err, s.evidence.Servers)
				continue
			}
			if c.servers == 0 {
				continue
			}
			server := s.evidence.Servers[0]
			used := cpuNs(server.End) - cpuNs(server.Begin)
			if took := server.End.TimeNs - server.Begin.TimeNs; used != 3e9 || took != int64(2500*ms) || len(server.Parts) != 3 {
				t.Errorf("%s: %d ns used in %d ns, parts %+v", name, used, took, server.Parts)
			}
		}
	})
}
