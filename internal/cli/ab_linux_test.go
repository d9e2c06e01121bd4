package cli_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
)

// abServer is the command of a server of its own, which takes so long for each call. With "dies" it ends at the first.
func abServer(t *testing.T, address, behaviour string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("env AB_ADDRESS=%s AB_BEHAVIOUR=%s %s -test.run ^TestServeForAB$", address, behaviour, self)
}

// TestServeForAB is no test, but what abServer runs.
func TestServeForAB(t *testing.T) {
	address, behaviour := os.Getenv("AB_ADDRESS"), os.Getenv("AB_BEHAVIOUR")
	if address == "" {
		t.Skip("a program of other tests")
	}
	listener, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	server, err := grpcgo.New().Serve(stack.ServeConfig{
		Listener: listener,
		Reply:    func(n int) []byte { return make([]byte, n) },
		Authorize: func(tls.ConnectionState) error {
			if behaviour == "dies" {
				once.Do(func() { fmt.Fprintln(os.Stderr, "out of heart"); os.Exit(7) })
			}
			delay, err := time.ParseDuration(behaviour)
			time.Sleep(delay)
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	<-signals
	if err := server.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// compareServers runs ab on two servers, with trials as short as can be.
func compareServers(t *testing.T, a, b string, args ...string) *program {
	t.Helper()
	folder := t.TempDir()
	return start(t, folder, append([]string{
		"ab", "--a", abServer(t, "s", a), "--b", abServer(t, "s", b), "unix:s", "--duration", "50ms", "--warmup", "0s",
		"--aa-pairs", "6", "--width", "100000%", "--time", "2m", "--out", "r.jsonl",
	}, args...)...)
}

func TestAServerThatDiesFailsItsTrials(t *testing.T) {
	t.Parallel()
	p := compareServers(t, "0s", "dies")
	if got := p.exit(t); got != 1 {
		t.Errorf("exit code %d, want 1; stderr: %s", got, p.err.String())
	}
	const sentence = "server B ended by itself with exit status 7 while it was measured"
	want := "rpcbench: three pairs in a row failed; the last because: " + sentence + "\n"
	if !strings.HasSuffix(p.err.String(), want) {
		t.Errorf("stderr %q, want %q at its end", p.err.String(), want)
	}
	if !strings.HasPrefix(p.out.String(), "Nothing can be told of A and B in calls_per_sec: 0 pairs of A and B can be used") {
		t.Errorf("stdout %s", p.out.String())
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

func TestAnInterruptedComparisonLeavesNoServer(t *testing.T) {
	t.Parallel()
	for _, signals := range []int{1, 2} {
		p := compareServers(t, "0s", "0s")
		waitUntil(t, "the third trial", func() bool { return trials(filepath.Join(p.folder, "r.jsonl")) == 2 })
		for range signals {
			p.signal(t, syscall.SIGINT)
			time.Sleep(10 * time.Millisecond) // or the two are one
		}
		if got := p.exit(t); got != 130 {
			t.Errorf("exit code %d, want 130; stderr: %s", got, p.err.String())
		}
		want := "rpcbench: interrupted; every finished trial is in r.jsonl\n"
		if signals == 1 && !strings.HasSuffix(p.err.String(), want) {
			t.Errorf("stderr %q, want %q at its end", p.err.String(), want)
		}
		waitUntil(t, "the end of all processes", func() bool { return len(p.processes()) == 0 })
		if file := whole(t, filepath.Join(p.folder, "r.jsonl")); len(file.Trials) < 2 {
			t.Errorf("%d trials are kept", len(file.Trials))
		}
	}
}

func TestAServerThatNeverStartsEndsItAtOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, b, ready, want string }{
		{abServer(t, "s", "0s"), "sh -c 'echo no such port; exit 4'", "20s",
			"server B ended by itself with exit status 4; its last words: no such port"},
		{"sleep 60", abServer(t, "s", "0s"), "200ms", "server A did not listen on s within 200ms"},
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
	p := start(t, t.TempDir(), "ab", "--a", "sleep 60", "--b", "sleep 60", listener.Addr().String(), "--time", "1h")
	if got := p.exit(t); got != 2 || !strings.Contains(p.err.String(), "something listens on "+listener.Addr().String()+" already") {
		t.Errorf("exit code %d, stderr %q", got, p.err.String())
	}
	if err := listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}
