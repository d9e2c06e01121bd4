package launch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/worker/control"
)

// asWorker as the first argument turns the test binary into a worker, which the second one describes.
const asWorker = "as-worker"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asWorker {
		os.Exit(play(os.Args[2], os.Args[3:]))
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // workers with the race detector would sleep for a second when they end
	os.Exit(m.Run())
}

// worker launches a worker that plays a role, which may have arguments.
func worker(role string, arguments ...string) launch.Launcher {
	return process.Command(append([]string{os.Args[0], asWorker, role}, arguments...))
}

// play is a worker that says its process id on standard error, and then behaves as it is told.
func play(role string, arguments []string) int {
	fmt.Fprintf(os.Stderr, "pid %d\n", os.Getpid())
	events := control.NewEventWriter(os.Stdout)
	switch role {
	case "rubbish":
		fmt.Println(strings.Repeat("Exception in thread main. ", 20))
		return 1
	case "cut":
		_, _ = os.Stdout.WriteString("\x40\x0a\x3ein the middle")
		return 1
	case "ends":
		return 3
	case "hangs at hello": // once it has been heard at a socket
		_, _ = net.Dial("unix", arguments[0])
		time.Sleep(time.Hour)
	case "other version":
		_ = events.Write(&control.Hello{Protocol: 99})
	default:
		_ = events.Write(&control.Hello{Protocol: control.Version})
	}
	return playOn(role, events)
}

// playOn is what comes after Hello.
func playOn(role string, events *control.EventWriter) int {
	commands := control.NewCommandReader(os.Stdin)
	switch role {
	case "ends badly":
		_, _ = io.Copy(io.Discard, os.Stdin)
		return 4
	case "hangs at the end":
		_, _ = io.Copy(io.Discard, os.Stdin)
		time.Sleep(time.Hour)
	case "dies":
		_, _ = commands.Read()
		fmt.Fprintln(os.Stderr, "out of memory")
		return 137
	case "floods":
		ended := make(chan struct{})
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); close(ended) }()
		for {
			select {
			case <-ended:
				return 0
			default:
				_ = events.Write(&control.Interval{})
			}
		}
	}
	for {
		if _, err := commands.Read(); err != nil {
			return 0
		}
		s := snapshots[role]
		if s == nil {
			s = &control.Snapshot{}
		}
		_ = events.Write(s)
	}
}

// snapshots of workers by their roles; others have one that says nothing.
var snapshots = map[string]*control.Snapshot{
	"has two sockets":   {Sockets: 2, BytesOut: new(int64(9))},
	"tells of segments": {Sockets: 2, BytesOut: new(int64(9)), SegmentsOut: new(int64(5))},
	"has objects":       {Sockets: 2},
}

// A metered is a process with two sockets, or another number.
type metered struct {
	launch.Process

	sockets int64
	known   bool
}

func (m metered) Segments() (sockets, out, in, again int64, known bool) {
	return m.sockets, 70, 60, 3, m.known
}

// A worker that does not tell what its sockets have sent is looked at from outside. A closed socket's segments are lost.
func TestSegmentsAreLookedUpWhereAWorkerDoesNotTell(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		role    string
		sockets int64
		known   bool
		want    []int64 // out, in, again; -1 is absent
	}{
		"all are open":         {"has two sockets", 2, true, []int64{70, 60, 3}},
		"one was closed":       {"has two sockets", 1, true, []int64{-1, -1, -1}},
		"it has others":        {"has two sockets", 3, true, []int64{-1, -1, -1}},
		"the kernel is mute":   {"has two sockets", 2, false, []int64{-1, -1, -1}},
		"the worker tells":     {"tells of segments", 2, true, []int64{5, -1, -1}},
		"what goes is no byte": {"has objects", 2, true, []int64{-1, -1, -1}},
		"none is open":         {"good", 0, true, []int64{-1, -1, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := worker(c.role).Launch(t.Context(), launch.Order{})
			if err != nil {
				t.Fatal(err)
			}
			w, err := launch.Open(t.Context(), metered{p, c.sockets, c.known})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			s, err := w.Mark(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range []*int64{s.SegmentsOut, s.SegmentsIn, s.Retransmits} {
				if got == nil && c.want[i] >= 0 || got != nil && *got != c.want[i] {
					t.Errorf("figure %d is %v, want %d", i, s, c.want[i])
				}
			}
		})
	}
}

func TestAProcessAtAnAddressIsMeteredWhereItWas(t *testing.T) {
	t.Parallel()
	there := launch.Host{Address: "192.0.2.1"}
	plain := launch.At(&stubborn{}, "192.0.2.1")
	if _, can := plain.(launch.SocketMeter); can || plain.Host() != there || plain.LastWords() != "never" {
		t.Errorf("metered %v, at %+v, said %q", can, plain.Host(), plain.LastWords())
	}
	twice := launch.At(launch.At(metered{&stubborn{}, 2, true}, "192.0.2.9"), "192.0.2.1")
	meter, can := twice.(launch.SocketMeter)
	if !can || twice.Host() != there {
		t.Fatalf("metered %v, at %+v", can, twice.Host())
	}
	sockets, out, in, again, known := meter.Segments()
	if got := [4]int64{sockets, out, in, again}; got != [4]int64{2, 70, 60, 3} || !known {
		t.Errorf("sockets, out, in, again: %v, %v", got, known)
	}
}

func TestTheLastLineOfAnOutputHasWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "one": "one", "one\n two \r\n\n": "two"} {
		if got := launch.LastLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func start(t *testing.T, role string) *launch.Worker {
	t.Helper()
	w, _ := started(t, role)
	return w
}

// started returns the process too.
func started(t *testing.T, role string) (*launch.Worker, launch.Process) {
	t.Helper()
	p, err := worker(role).Launch(t.Context(), launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := launch.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill(); w.Close() })
	return w, p
}

// wantError checks that err says all of the parts.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want one that says %q", err, part)
		}
	}
}

// wantGone checks that the process that words are the last ones of is no more.
func wantGone(t *testing.T, words string) {
	t.Helper()
	var pid int
	if _, err := fmt.Sscanf(words, "pid %d", &pid); err != nil {
		t.Fatalf("last words %q: %v", words, err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d is still there: %v", pid, err)
	}
}

func TestAWorkerThatCannotStartIsReportedAndGone(t *testing.T) {
	t.Parallel()
	for role, want := range map[string]string{
		"rubbish":       `begins with "Exception in thread main`,
		"cut":           "in the middle of a message",
		"ends":          "the worker ended: exit status 3",
		"other version": "speaks version 99",
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			_, err := launch.Start(t.Context(), worker(role), launch.Order{})
			wantError(t, err, "start a worker: ", want)
			var lost *launch.LostError
			if !errors.As(err, &lost) {
				t.Fatalf("%T, want a LostError", err)
			}
			wantGone(t, lost.LastWords)
		})
	}
}

func TestAWorkerThatIsAskedSaysHelloOrWhyNot(t *testing.T) {
	t.Parallel()
	hello, err := launch.Ask(t.Context(), worker("good"), launch.Order{})
	if err != nil || hello.GetProtocol() != control.Version {
		t.Errorf("%v, %v", hello, err)
	}
	for name, c := range map[string]struct {
		launcher launch.Launcher
		want     string
	}{
		"one that ends":       {worker("ends"), `\Acan't be started: the worker ended: exit status 3; its last output: pid \d+\z`},
		"one of no file":      {process.Command([]string{"./no-such-worker"}), `\Acan't be started: [^;]*no-such-worker[^;]*\z`},
		"one that ends badly": {worker("ends badly"), `\Adid not end well: exit status 4\z`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := launch.Ask(t.Context(), c.launcher, launch.Order{}); err == nil ||
				!regexp.MustCompile(c.want).MatchString(err.Error()) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestAWorkerThatHangsAtHelloIsGivenUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, giveUp := context.WithCancelCause(t.Context())
	go func() {
		if conn, err := listener.Accept(); err == nil {
			defer conn.Close()
			giveUp(errors.New("enough"))
		}
	}()
	_, err = launch.Start(ctx, worker("hangs at hello", path), launch.Order{})
	wantError(t, err, "did not answer: enough")
	var lost *launch.LostError
	if !errors.As(err, &lost) {
		t.Fatalf("%T, want a LostError", err)
	}
	wantGone(t, lost.LastWords)
}

func TestAProgramThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	_, err := launch.Start(t.Context(), process.Command([]string{"./no-such-worker"}), launch.Order{})
	wantError(t, err, "start a worker", "no-such-worker")
}

func TestEndOfInputEndsAWorker(t *testing.T) {
	t.Parallel()
	p := start(t, "good")
	if _, err := p.Mark(t.Context()); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil { // again
		t.Error(err)
	}
	wantGone(t, p.LastWords())
}

func TestAWorkerThatHangsAtTheEndIsKilledAfterItsPatience(t *testing.T) {
	t.Parallel()
	p := start(t, "hangs at the end")
	wantError(t, p.CloseWithin(10*time.Millisecond), "did not end within 10ms and was killed")
	wantGone(t, p.LastWords())
}

func TestAWorkerThatSomebodyKilledSaysSo(t *testing.T) {
	t.Parallel()
	w, p := started(t, "hangs at the end")
	p.Kill()
	<-w.Ended()
	wantError(t, w.Close(), "signal: killed")
	wantGone(t, w.LastWords())
	p.Kill() // of one that is gone is nothing
}

func TestAWorkerThatDiesLeavesItsLastWords(t *testing.T) {
	t.Parallel()
	p := start(t, "dies")
	_, err := p.Mark(t.Context())
	wantError(t, err, "the worker ended")
	wantError(t, p.Close(), "exit status 137")
	if !strings.HasSuffix(p.LastWords(), "out of memory") {
		t.Errorf("last words %q", p.LastWords())
	}
}

func TestAWorkerThatNobodyListensToCanEnd(t *testing.T) {
	t.Parallel()
	p := start(t, "floods")
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	wantGone(t, p.LastWords())
}

func TestAbortEndsAWorkerThatHangs(t *testing.T) {
	t.Parallel()
	p := start(t, "hangs at the end")
	if err := p.Abort(); err != nil {
		t.Error(err)
	}
	wantGone(t, p.LastWords())
}

// Its end may not be known yet when patience is over, on a machine that stood still.
func TestAWorkerThatEndedByItselfWasNotKilled(t *testing.T) {
	t.Parallel()
	p := start(t, "dies")
	if _, err := p.Mark(t.Context()); err == nil {
		t.Error("it goes on")
	}
	wantError(t, p.CloseWithin(-1), "exit status 137")
}
