package scenario_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// everything is a stack that can do all that the built-in scenarios ask for.
func everything(name, protocol string) stack.Info {
	return stack.Info{
		Name: name, Protocol: protocol, Serves: true, Calls: true, Multiplexed: protocol != stack.ProtocolTCP,
		Kinds: []string{stack.KindConnect, stack.KindFirstCall, stack.KindUnary, stack.KindStream, stack.KindPingPong,
			stack.KindUpload, stack.KindDownload},
		Networks:     []string{stack.NetworkTCP},
		Securities:   []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS},
		Compressions: []string{stack.CompressionNone},
	}
}

// planned plans a built-in scenario on the floor and one stack.
func planned(t *testing.T, name string, floor bool) plan.Plan {
	t.Helper()
	s, err := scenario.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	stacks := []stack.Info{everything(plan.FloorStack, stack.ProtocolTCP), everything("grpc-go", stack.ProtocolGRPC)}
	p, err := plan.New([]scenario.Scenario{s}, stacks, plan.Config{Seed: 1, Floor: floor})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// points returns what a stack is measured at, sorted and each once.
func points(p plan.Plan, stack string) []string {
	var found []string
	for _, trial := range p.Trials {
		if text, ok := strings.CutPrefix(trial.Spec.String(), stack+" "); ok {
			found = append(found, text)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// TestEchoHasThe52CasesOfVanadium counts six echoes, four times six streams, six on an open stream and sixteen beside
// another stream.
func TestEchoHasThe52CasesOfVanadium(t *testing.T) {
	t.Parallel()
	var want []string
	for _, size := range []string{"1", "10", "100", "1000", "10000", "100000"} {
		want = append(want, "unary "+size+" B 1x1 closed", "ping_pong "+size+" B 1x64 closed streams 1")
		for _, chunks := range []string{"1", "10", "100", "1000"} {
			want = append(want, "stream "+chunks+" x "+size+" B 1x1 closed")
		}
	}
	for _, size := range []string{"10", "1000"} {
		for _, chunks := range []string{"100", "1000"} {
			for _, chunk := range []string{"10", "100", "1000", "10000"} {
				want = append(want, "unary "+size+" B 1x1 closed beside stream "+chunks+" x "+chunk+" B")
			}
		}
	}
	slices.Sort(want)
	p := planned(t, "echo", true)
	if got := points(p, "grpc-go"); len(want) != 52 || !slices.Equal(got, want) {
		t.Errorf("got %d points:\n%s", len(got), strings.Join(got, "\n"))
	}
	if got := points(p, plan.FloorStack); len(got) != 36 {
		t.Errorf("%d points have a floor, want 36: all but those beside another stream", len(got))
	}
}

func TestEchoTakesFourMinutesOnOneStack(t *testing.T) {
	t.Parallel()
	p := planned(t, "echo", true)
	// (52 + 36) points of 3 trials, 900 ms each.
	if got := p.Expected(); len(p.Trials) != 264 || got != 264*900*time.Millisecond || got > 4*time.Minute {
		t.Errorf("%d trials take %s", len(p.Trials), got)
	}
}

func TestSimpleHasTheFourLinesOfVanadium(t *testing.T) {
	t.Parallel()
	p := planned(t, "simple", false)
	want := []string{"connect 1x1 closed mtls", "stream 100 x 1000000 B 1x1 closed mtls",
		"stream 10000 x 1000 B 1x1 closed mtls", "unary 1000 B 1x1 closed mtls"}
	if got := points(p, "grpc-go"); !slices.Equal(got, want) || len(p.Trials) != 4 {
		t.Errorf("%d trials of %q", len(p.Trials), got)
	}
	// Three trials of 4.15 s, and 1,000 connections at 1 ms each with the warm-up.
	if got := p.Expected(); got != 14600*time.Millisecond {
		t.Errorf("they take %s", got)
	}
}
