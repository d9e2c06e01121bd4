package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/codec"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/worker"
)

// asWorker as the first argument turns the test binary into a worker; what breaks it may follow.
const asWorker = "worker"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == asWorker {
		os.Exit(work(os.Args[2:]))
	}
	// What a script starts in the background ignores interrupts, and so would the workers: caught ones they don't inherit.
	if signal.Ignored(os.Interrupt) {
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	os.Exit(m.Run())
}

func work(broken []string) int {
	if len(broken) == 0 || !breaks[broken[0]].obeysSIGINT {
		signal.Ignore(os.Interrupt)
	}
	if len(broken) > 0 && breaks[broken[0]].prints && slices.Contains(broken, printing[0]) {
		fmt.Println("[0.004s][info][gc] Using Serial")
	}
	stacks := []stack.Stack{tcp.New(), grpcgo.New(), codec.New()}
	var err error
	if path := os.Getenv(sessionsVariable); path != "" && len(broken) == 0 {
		if err := hold(path, stacks); err != nil {
			os.Stderr.WriteString(err.Error())
			return 1
		}
	}
	if len(broken) == 0 {
		err = worker.Run(context.Background(), os.Stdin, os.Stdout, stacks)
	} else {
		err = breaks[broken[0]].run(stacks)
	}
	if err != nil {
		os.Stderr.WriteString(err.Error())
		return 1
	}
	return 0
}

// hold holds sessions over a Unix socket.
func hold(path string, stacks []stack.Stack) error {
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if err := worker.Run(context.Background(), conn, conn, stacks); err != nil {
					os.Stderr.WriteString(err.Error())
				}
			}()
		}
	}()
	return nil
}

// command starts this binary as a worker.
func command(broken ...string) []string { return append([]string{os.Args[0], asWorker}, broken...) }

// judge runs the cases and returns their lines.
func judge(t *testing.T, config Config) (Verdict, string) {
	t.Helper()
	config.Reference, config.Timing = command(), NoTiming
	suite, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return run(t, suite)
}

func run(t *testing.T, suite *Suite) (Verdict, string) {
	t.Helper()
	var out bytes.Buffer
	verdict, err := suite.Run(t.Context(), &out)
	if err != nil {
		t.Fatal(err)
	}
	return verdict, out.String()
}

// cases matches the names that have a text in them.
func cases(text string) *regexp.Regexp { return regexp.MustCompile(regexp.QuoteMeta(text)) }

func TestTheReferencePlaysTheSideThatAWorkerLacks(t *testing.T) {
	for name, c := range map[string]struct{ has, hasNot string }{
		"client only": {"tcp rate at 4x10", "tcp serve refuses"},
		"server only": {"tcp end of input, serving", "tcp rate at 4x10"},
	} {
		config := Config{Command: command(name), Stacks: []string{"tcp"}, Reference: command()}
		suite, err := New(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range suite.Cases {
			names = append(names, c.Name)
		}
		all := strings.Join(names, "\n") + "\n"
		if !strings.Contains(all, c.has+"\n") || strings.Contains(all, c.hasNot+"\n") {
			t.Errorf("%s: cases are\n%s", name, all)
		}
		config.Case = cases("tcp stream")
		if verdict, lines := judge(t, config); verdict != (Verdict{OK: 1}) {
			t.Errorf("%s: %s", name, lines)
		}
	}
}

func TestAJVMIsStartedWithOptionsThatPrint(t *testing.T) {
	verdict, lines := judge(t, Config{Command: command("a JVM"), Case: cases("options that print")})
	if verdict != (Verdict{OK: 1}) || !strings.Contains(lines, "-verbose:gc -Xlog:gc: 60 calls") {
		t.Errorf("%+v\n%s", verdict, lines)
	}
}

func TestAWorkerInAnAppIsNeitherInterruptedNorGivenOptions(t *testing.T) {
	const why = "hello.embedded: it is part of an app or a page, which has no terminal and takes no options"
	for _, name := range []string{"an interrupt is ignored", "options that print"} {
		want := fmt.Sprintf("%-5s %-44s %s\n0 ok, 0 failed, 1 skipped\n", "skip", name, why)
		if verdict, lines := judge(t, Config{Command: command("a JVM in an app"), Case: cases(name)}); lines != want {
			t.Errorf("%+v\n%s\nwant\n%s", verdict, lines, want)
		}
	}
	process := Config{Command: command("a JVM in an app"), Case: cases("end of input, idle")}
	if verdict, lines := judge(t, process); verdict != (Verdict{OK: 1}) {
		t.Errorf("a case about its process: %+v\n%s", verdict, lines)
	}
}

func TestAProtocolWithoutACounterpartIsSkippedAndSaysSo(t *testing.T) {
	verdict, lines := judge(t, Config{Command: command("a protocol of its own"), Stacks: []string{"tcp"}, Case: cases("tcp")})
	if verdict != (Verdict{Skipped: 1}) || !strings.Contains(lines, "the reference has no server of smoke-signals") {
		t.Errorf("%+v\n%s", verdict, lines)
	}
}

func TestWhereAWorkerCannotBeSignalledTheCasesThatDoAreSkippedAndSaySo(t *testing.T) {
	config := Config{Command: command(), Reference: command(), Stacks: []string{"tcp"}, Timing: NoTiming}
	suite, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	skipSignals(suite.Cases, "no signals here")
	suite.Cases = slices.DeleteFunc(suite.Cases, func(c Case) bool { return c.skip == "" })
	verdict, lines := run(t, suite)
	want := ""
	for _, name := range []string{
		"an interrupt is ignored", "tcp deadline", "tcp the server dies", "tcp overload", "tcp stop shortens the drain",
		"tcp a frozen server, 1 slot", "tcp a frozen server, 10 slots",
	} {
		want += fmt.Sprintf("%-5s %-44s %s\n", "skip", name, "no signals here")
	}
	if want += "0 ok, 0 failed, 7 skipped\n"; verdict != (Verdict{Skipped: 7}) || lines != want {
		t.Errorf("%+v\n%s\nwant\n%s", verdict, lines, want)
	}
}

func TestAStackThatTheWorkerHasNotIsAnError(t *testing.T) {
	_, err := New(t.Context(), Config{Command: command(), Reference: command(), Stacks: []string{"tpc"}})
	if !errors.Is(err, ErrUnknownStack) || !strings.Contains(err.Error(), `"tpc": the worker has tcp, grpc-go, codec-go`) {
		t.Errorf("error %v", err)
	}
}

func TestAWorkerThatIsNoneIsAnError(t *testing.T) {
	_, err := New(t.Context(), Config{Command: []string{"echo", "hello"}, Reference: command()})
	const step = "; how one begins is step 1. The pipe of docs/new-worker.md"
	if !errors.Is(err, ErrNoWorker) || !strings.HasSuffix(err.Error(), step) ||
		!strings.Contains(err.Error(), `not a worker: echo hello: the worker's output can't be read`) {
		t.Errorf("error %v", err)
	}
	_, err = New(t.Context(), Config{Command: []string{"./nowhere"}, Reference: command()})
	if !errors.Is(err, ErrNoWorker) || strings.Contains(err.Error(), "step") {
		t.Errorf("error %v", err)
	}
}

func TestAnInterruptedRunEndsAndLeavesNoLine(t *testing.T) {
	suite, err := New(t.Context(), Config{Command: command(), Reference: command(), Case: cases("tcp intervals")})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	cancel(interrupted)
	var out bytes.Buffer
	if _, err := suite.Run(ctx, &out); !errors.Is(err, interrupted) || out.Len() != 0 {
		t.Errorf("error %v, lines %q", err, out.String())
	}
}

// brokenPatience is how long a worker that hangs is waited for, as it never does what it should.
const brokenPatience = 100 * time.Millisecond

// Each broken worker fails the case that is there for it, with a reason that says what is wrong.
func TestABrokenWorkerFails(t *testing.T) {
	t.Parallel()
	for name, b := range breaks {
		if b.fails == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := regexp.MustCompile(`FAIL +` + regexp.QuoteMeta(b.fails) + ` +.*(` + b.why + `)`)
			verdict, lines := runBroken(t, name, b)
			if verdict != (Verdict{Failed: 1}) || !want.MatchString(lines) {
				t.Errorf("want FAIL %s … %s, got\n%s", b.fails, b.why, lines)
			}
		})
	}
}

func runBroken(t *testing.T, worker string, b defect) (Verdict, string) {
	t.Helper()
	suite, err := New(t.Context(), Config{Command: command(worker), Reference: command(), Case: cases(b.fails), Timing: NoTiming})
	if err != nil {
		t.Fatal(err)
	}
	suite.Cases = slices.DeleteFunc(suite.Cases, func(c Case) bool { return c.Name != b.fails })
	for i := range suite.Cases {
		if b.hangs {
			suite.Cases[i].patience = brokenPatience
		}
		if b.instead != nil {
			suite.Cases[i].run = b.instead
		}
	}
	return run(t, suite)
}
