package cli

import (
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
)

// replayed is a results file that this binary measured on this machine just now.
func replayed(library string) *result.File {
	side := result.Side{Library: library}
	return &result.File{
		Name: "r.jsonl",
		Header: result.Header{Created: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), Seed: 7, Binary: binary(),
			Hosts: []result.Host{campaign.Machine()}, Environment: campaign.Environment()},
		Trials: []result.Trial{{
			Status: result.StatusOK, Spec: plan.Spec{Stack: "grpc-x", Server: "grpc-y"}, Servers: []result.Side{side},
			Clients: []result.Client{{Side: side}},
		}},
	}
}

func TestAReplaySaysWhatIsNotAsItWasThen(t *testing.T) {
	t.Parallel()
	here, err := fleet.Find([]stack.Info{{Name: "grpc-x"}, {Name: "grpc-y"}, {Name: "grpc-z"}}, "", fleet.Surroundings{})
	if err != nil {
		t.Fatal(err)
	}
	library := worker.Library(here.Own()[0])
	const begin = "This replays the plan of r.jsonl, which ran at 2026-09-01 12:00 UTC"
	got := campaign.ReplayNote(replayed(library), binary(), here.Libraries())
	if want := begin + " on the same machine with the same rpcbench."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	old := replayed("grpc v0")
	old.Header.Hosts[0].Name, old.Header.Binary.Commit = "away", "0123"
	got = campaign.ReplayNote(old, binary(), here.Libraries())
	for _, want := range []string{begin + ". Differences (then, now): ", "rpcbench commit (0123, ", "host (away, ",
		"library of grpc-x (grpc v0, " + library + "), library of grpc-y (grpc v0, " + library + ")."} {
		if !strings.Contains(got, want) {
			t.Errorf("nothing says %q: %s", want, got)
		}
	}
	if strings.Contains(got, "seed") || strings.Contains(got, "kernel") || strings.Contains(got, "grpc-z") {
		t.Errorf("what is the same is said to differ: %s", got)
	}
}

func TestKeysAreAskedForWhereAServerHasItsOwn(t *testing.T) {
	t.Parallel()
	against := func(target, security string) []plan.Trial {
		return []plan.Trial{{Spec: plan.Spec{Stack: "grpc-go", Server: "grpc-go", Kind: "unary", Connections: 1, InFlight: 1,
			Load: "closed", Target: target, Security: security, Network: "tcp", Compression: "none", Payload: "random",
			DeadlineNs: 10e9}}}
	}
	for want, plan := range map[string][]plan.Trial{
		"": against("", "mtls"),
		"grpc-go unary 0 B 1x1 closed against h:1 mtls needs --credentials, the folder of its keys": against("h:1", "mtls"),
	} {
		keys, err := new(replayFlags).keys(plan)
		if keys != nil || err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("got %v, %v; want %q", keys, err, want)
		}
	}
	if keys, err := new(replayFlags).keys(against("h:1", "plaintext")); keys != nil || err != nil {
		t.Errorf("in plaintext: %v, %v", keys, err)
	}
}
