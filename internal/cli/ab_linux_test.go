package cli_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rpcbench/internal/results/result"
)

// gatedCommand is the command of a server of ab's.
const gatedCommand = "gated listen s"

// Servers that have left their process group, one of them without a parent.
const (
	sessionCommand = "sh -c 'setsid " + gatedCommand + " & wait'"
	orphanCommand  = "sh -c '(setsid " + gatedCommand + " &) ; exec sleep 1000'"
)

// compareServers prepares ab on two servers that calls reach at unix:s.
func compareServers(t *testing.T, a, b string) *program {
	t.Helper()
	return prepare(t, t.TempDir(), "ab", "--a", a, "--b", b, "unix:s", "--calls", "3", "--warmup", "0s", "--aa-pairs", "8",
		"--width", "100000%", "--time", "24h", "--ready", "24h", "--deadline", "1h", "--stall", "1h", "--out", "r.jsonl")
}

// What servers print is next to the results file, and standard output has no such place.
func TestNoFolderIsNamedThatIsAboutToBeRemoved(t *testing.T) {
	t.Parallel()
	p := compareServers(t, gatedCommand, "env "+gateDeath+"=1 "+gatedCommand)
	p.cmd.Args[len(p.cmd.Args)-1] = "-"
	p.begin(t)
	const want = "; with a file as --out, servers' output is kept\n"
	if got := p.exit(t); got != 1 || !strings.HasSuffix(p.err.String(), want) {
		t.Errorf("exit code %d, stderr %q; want 1, %q at its end", got, p.err.String(), want)
	}
}

func TestAServerThatDiesFailsItsTrials(t *testing.T) {
	t.Parallel()
	p := compareServers(t, gatedCommand, "env "+gateDeath+"=1 "+gatedCommand)
	p.begin(t)
	if got := p.exit(t); got != 1 {
		t.Errorf("exit code %d, want 1; stderr: %s", got, p.err.String())
	}
	const sentence = "server B exited unexpectedly with exit status 7 while it was measured"
	want := "rpcbench: three pairs in a row failed; the last because: " + sentence + "; servers' output is in r.evidence\n"
	if !strings.HasSuffix(p.err.String(), want) {
		t.Errorf("stderr %q, want %q at its end", p.err.String(), want)
	}
	answer, _, _ := strings.Cut(p.out.String(), "\n\n")
	if want := "Can't tell A and B apart in calls_per_sec: 0 pairs of A and B can be used, and 14 are needed. It ended early.\n" +
		"3 of 3 trials of B failed, the last because: " + sentence + "."; answer != want {
		t.Errorf("stdout begins %q, want %q", answer, want)
	}
	again := start(t, p.folder, "report", "r.jsonl")
	if got := again.exit(t); got != 0 || !strings.HasPrefix(again.out.String(), answer+"\n\n") {
		t.Errorf("the report has exit code %d and begins %.400q, want %q", got, again.out.String(), answer)
	}
	died := 0
	for _, trial := range whole(t, filepath.Join(p.folder, "r.jsonl")).Trials {
		if trial.Status == result.StatusFailed {
			died++
			if trial.Failure != sentence || !strings.HasPrefix(trial.LastWords, "out of heart") {
				t.Errorf("%q, %q", trial.Failure, trial.LastWords)
			}
		}
	}
	if died != 3 {
		t.Errorf("%d trials failed, want 3", died)
	}
	if log, err := os.ReadFile(filepath.Join(p.folder, "r.evidence", "server-b.log")); err != nil ||
		strings.Count(string(log), "out of heart\n") != 3 {
		t.Errorf("%q %v", log, err)
	}
}

// abGate is the number of the server in ab's third trial: before the first, each server is started once.
const abGate = 5

func TestAnInterruptedComparisonLeavesNoServer(t *testing.T) {
	t.Parallel()
	once := func(t *testing.T, p *program) { t.Helper(); p.signal(t, syscall.SIGINT) }
	// A server that does not end when it is asked to is given seconds, unless there is a second interruption.
	twice := func(t *testing.T, p *program) {
		t.Helper()
		if !p.hasWorker() {
			t.Fatal("no client runs")
		}
		p.signal(t, syscall.SIGINT)
		waitUntil(t, "the end of the client", func() bool { return !p.hasWorker() })
		p.signal(t, syscall.SIGINT)
	}
	for _, test := range []struct {
		name, command string
		stubborn      bool
		interrupt     func(t *testing.T, p *program)
	}{
		{"once", gatedCommand, false, once},
		{"twice", gatedCommand, true, twice},
		{"once, of a session", sessionCommand, false, once},
		{"twice, of a session", sessionCommand, true, twice},
		{"twice, without parent", orphanCommand, true, twice},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g, p := gate{t.TempDir()}, compareServers(t, test.command, test.command)
			p.cmd.Env = append(p.cmd.Env, g.environment(abGate, 1)...)
			if test.stubborn {
				p.cmd.Env = append(p.cmd.Env, gateStubborn+"=1")
			}
			p.begin(t)
			g.await(t, p)
			test.interrupt(t, p)
			if got := p.exit(t); got != 130 {
				t.Errorf("exit code %d, want 130; stderr: %s", got, p.err.String())
			}
			want := "rpcbench: interrupted; the answer covers what was measured until then, and the same command with --resume " +
				"--out r.jsonl goes on\n"
			if !test.stubborn && !strings.HasSuffix(p.err.String(), want) {
				t.Errorf("stderr %q, want %q at its end", p.err.String(), want)
			}
			waitUntil(t, "the end of all processes", func() bool { return len(p.processes()) == 0 })
			if file := whole(t, filepath.Join(p.folder, "r.jsonl")); len(file.Trials) != 2 {
				t.Errorf("%d trials are kept, want 2", len(file.Trials))
			}
		})
	}
}

// Before the first call is answered there is nothing to keep.
func TestAComparisonThatIsInterruptedAtOnceSaysThatNothingIsKept(t *testing.T) {
	t.Parallel()
	g, p := gate{t.TempDir()}, compareServers(t, gatedCommand, gatedCommand)
	p.cmd.Env = append(p.cmd.Env, g.environment(3, 1)...) // the first trial's server: each was started once before
	p.begin(t)
	g.await(t, p)
	p.signal(t, syscall.SIGINT)
	if got := p.exit(t); got != 130 {
		t.Errorf("exit code %d, want 130", got)
	}
	last := "rpcbench: interrupted before a trial was measured, so r.jsonl holds none\n"
	if !strings.HasSuffix(p.err.String(), last) {
		t.Errorf("stderr %q, want %q at its end", p.err.String(), last)
	}
	want := "Can't tell A and B apart in calls_per_sec: 0 pairs of A and B can be used, and 14 are needed. It was interrupted.\n"
	if !strings.HasPrefix(p.out.String(), want) {
		t.Errorf("stdout %q, want %q first", p.out.String(), want)
	}
}

func TestAServerThatNeverStartsEndsItAtOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, b, ready, want string }{
		{gatedCommand, "sh -c 'echo no such port; exit 4'", "24h",
			"server B exited unexpectedly with exit status 4; its last output: no such port"},
		{"sleep 1000", gatedCommand, "200ms", "server A did not listen on s within 200ms; --ready gives it longer"},
	} {
		folder := t.TempDir()
		p := start(t, folder, "ab", "--a", test.a, "--b", test.b, "unix:s", "--ready", test.ready, "--duration", "50ms")
		if got := p.exit(t); got != 2 || p.err.String() != "rpcbench: "+test.want+"\n" {
			t.Errorf("exit code %d, stderr %q, want %q", got, p.err.String(), test.want)
		}
		if files, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(files) > 0 {
			t.Errorf("it leaves %v, %v", files, err)
		}
		if left := p.processes(); len(left) > 0 {
			t.Errorf("processes %v are left", left)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p := start(t, t.TempDir(), "ab", "--a", "sleep 1000", "--b", "sleep 1000", listener.Addr().String(), "--time", "1h")
	if got := p.exit(t); got != 2 || !strings.Contains(p.err.String(), "something already listens on "+listener.Addr().String()) {
		t.Errorf("exit code %d, stderr %q", got, p.err.String())
	}
	if err := listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}
