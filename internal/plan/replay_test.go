package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// planOf is a plan on the foreign stacks, in random order.
func planOf(t *testing.T, cases string) Plan {
	t.Helper()
	stacks, config := foreign()
	config.Seed, config.Floor = 7, true
	p, err := New([]scenario.Scenario{parse(t, "x", cases)}, stacks, config)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAReplayIsThePlanAgain(t *testing.T) {
	t.Parallel()
	stacks, config := foreign()
	for _, cases := range []string{
		"- {title: a, kind: unary, warmup: 2s..6s}",
		"- {title: a, kind: [unary, ping_pong], stack: [grpc-java, json-okhttp, grpc-lone], jvm_options: -Xmx1g, trials: 2}",
	} {
		p := planOf(t, cases)
		again, err := Replay(p.Trials, p.Seed, stacks, config.Elsewhere)
		if err != nil || !cmp.Equal(again.Trials, p.Trials) || again.Seed != p.Seed {
			t.Errorf("%s: %v\n%s", cases, err, cmp.Diff(p.Trials, again.Trials))
		}
	}
	p := planOf(t, "- {title: a, kind: unary}")
	changed := append([]Trial(nil), p.Trials...)
	changed[0].ID = "../x"
	again, err := Replay(changed, p.Seed, stacks, nil)
	if err != nil || again.Trials[0].ID != p.Trials[0].ID || changed[0].ID != "../x" {
		t.Errorf("an ID of a file is taken: %v, %v", again.Trials[0], err)
	}
}

func TestAReplayAgainstATargetNeedsAClientOnly(t *testing.T) {
	t.Parallel()
	stacks, config := foreign()
	spec := planOf(t, "- {title: a, kind: unary, stack: json-okhttp, trials: 1}").Trials[0].Spec
	spec.Stack, spec.Protocol, spec.Server, spec.Target = "json-okhttp", "http-json", "", "h:1"
	if _, err := Replay([]Trial{{Spec: spec, Repetition: 1}}, 1, stacks, config.Elsewhere); err != nil {
		t.Error(err)
	}
}

func TestWhatCannotBeReplayedIsNamed(t *testing.T) {
	t.Parallel()
	stacks, config := foreign()
	good := planOf(t, "- {title: a, kind: unary, stack: grpc-go, trials: 1}").Trials[0].Spec
	good.Stack, good.Server, good.Protocol = "grpc-go", "grpc-go", "grpc"
	const begin = "grpc-go unary 1000 B 1x1 closed "
	for _, test := range []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.Stack = "grpc-rust" }, "grpc-rust unary 1000 B 1x1 closed server grpc-go can't be " +
			`replayed: the stack "grpc-rust" is not available; make rust builds it`},
		{func(s *Spec) { s.Server = "grpc-rudy" }, begin + "server grpc-rudy can't be replayed: " +
			`the stack "grpc-rudy" is unknown; did you mean "grpc-ruby"?`},
		{func(s *Spec) { s.Server = "json-java" }, begin + "server json-java can't be replayed: " +
			"grpc-go speaks grpc and json-java speaks http-json"},
		{func(s *Spec) { s.Stack = "json-java" }, "json-java unary 1000 B 1x1 closed server grpc-go can't be replayed: " +
			"json-java has no client"},
		{func(s *Spec) { s.Stack, s.Server, s.Protocol, s.Compression = "tcp", "tcp", "tcp", "gzip" },
			"tcp unary 1000 B 1x1 closed gzip can't be replayed: tcp has no compression gzip"},
		{func(s *Spec) { s.Compression = "zstd" }, begin + `zstd can't be replayed: compression: "zstd" is unknown; ` +
			"known: none, gzip"},
		{func(s *Spec) { s.Options = map[string]string{"zzz": "1"} }, begin + "zzz=1 can't be replayed: " +
			`grpc-go has no option "zzz"; known: dial_retries, server_workers, write_buffer_bytes`},
		{func(s *Spec) { s.Protocol = "drpc" }, begin + "can't be replayed: grpc-go speaks grpc, and spoke drpc " +
			"when it was recorded"},
	} {
		spec := good
		test.change(&spec)
		_, err := Replay([]Trial{{Spec: spec, Repetition: 1}}, 1, stacks, config.Elsewhere)
		checkError(t, err, test.want)
	}
}

// What scenarios plan is within their own limits, whatever a plan makes of it.
func TestWhatIsPlannedCanBeReplayed(t *testing.T) {
	t.Parallel()
	stacks, config := foreign()
	config.Floor = true
	for i := range stacks {
		stacks[i].Multiplexed = true
	}
	coding, _ := codecs()
	stacks = append(stacks, coding[len(fakes()):]...)
	planned := 0
	for _, name := range scenario.BuiltinNames() {
		s, err := scenario.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := New([]scenario.Scenario{s}, stacks, config)
		if err != nil {
			continue // it names stacks that are not among the fakes
		}
		again, err := Replay(p.Trials, 1, stacks, nil)
		if err != nil || len(again.Trials) != len(p.Trials) {
			t.Errorf("%s: %v", name, err)
		}
		planned += len(p.Trials)
	}
	if planned < 1000 {
		t.Errorf("only %d trials were planned", planned)
	}
}

func TestAPlanThatIsTooLongIsNotReplayed(t *testing.T) {
	t.Parallel()
	trials := make([]Trial, TrialsMax+1)
	for i := range trials {
		trials[i].Spec = base(func(*Spec) {})
	}
	_, err := Replay(trials, 1, []stack.Info{}, nil)
	checkError(t, err, "its 100001 trials are above the limit of 100000")
}
