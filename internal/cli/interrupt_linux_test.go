package cli_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"rpcbench/internal/results/result"
)

// A call may wait for an hour, so that nothing but the test ends a trial that stands at the gate.
const fourTrials = `
name: mine
question: How long?
defaults: {warmup: 0s, calls: 3, trials: 4, deadline: 1h}
cases:
  - {title: echo, kind: unary, stack: grpc-gated}
`

// runGated prepares a run of fourTrials whose server of a trial stops at the gate at its first call.
func runGated(t *testing.T, trial int) (*program, gate) {
	t.Helper()
	folder, g := gatedScenario(t, fourTrials), gate{t.TempDir()}
	p := prepare(t, folder, gatedArgs...)
	p.cmd.Env = append(p.cmd.Env, g.environment(trial, 1)...)
	return p, g
}

var gatedArgs = []string{"run", "mine.yaml", "--workers", ".", "--no-floor", "--stall", "1h", "--out", "r.jsonl"}

func TestAnInterruptionKeepsWhatIsFinishedAndLeavesNoProcess(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		interrupt func(t *testing.T, p *program, server int)
	}{
		{"interrupted", func(t *testing.T, p *program, _ int) { p.signal(t, syscall.SIGINT) }},
		{"terminated", func(t *testing.T, p *program, _ int) { p.signal(t, syscall.SIGTERM) }},
		{"hung up", func(t *testing.T, p *program, _ int) { p.signal(t, syscall.SIGHUP) }},
		{"with a worker that hangs", func(t *testing.T, p *program, server int) {
			if err := syscall.Kill(server, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			p.signal(t, syscall.SIGINT)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, g := runGated(t, 2)
			p.begin(t)
			test.interrupt(t, p, g.await(t, p))
			if got := p.exit(t); got != 130 {
				t.Errorf("exit code %d, want 130; stderr: %s", got, p.err.String())
			}
			if !strings.HasSuffix(p.err.String(), interrupted) {
				t.Errorf("stderr %q, want %q at its end", p.err.String(), interrupted)
			}
			if !strings.Contains(p.out.String(), "grpc-gated ") {
				t.Errorf("stdout %q, want a report of the trial that had finished", p.out.String())
			}
			if left := p.processes(); len(left) > 0 {
				t.Errorf("processes %v are left", left)
			}
			resume(t, p.folder, keptOne(t, p.folder))
		})
	}
}

// interrupted is what the program ends with where something was measured.
const interrupted = "rpcbench: interrupted; the report covers what was measured until then, and the same command with --resume " +
	"--out r.jsonl measures the rest\n"

// The server of the second trial stops at its fourth call of eight.
func TestAnInterruptedTrialIsReportedAndMeasuredAgain(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string]string{"one client": "", "two clients": "clients: 2, shape: 2x1, "} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			yaml := strings.Replace(fourTrials, "calls: 3, ", "calls: 8, "+keys, 1)
			p, g := prepare(t, gatedScenario(t, yaml), gatedArgs...), gate{t.TempDir()}
			p.cmd.Env = append(p.cmd.Env, g.environment(2, 4)...)
			p.begin(t)
			g.await(t, p)
			p.signal(t, syscall.SIGINT)
			if got := p.exit(t); got != 130 || !strings.HasSuffix(p.err.String(), interrupted) {
				t.Errorf("exit code %d, want 130; stderr %q, want %q at its end", got, p.err.String(), interrupted)
			}
			for _, want := range []string{" INTERRUPTED", "INTERRUPTED in 1 of 2 trials: it ended after ", "--resume"} {
				if !strings.Contains(p.out.String(), want) {
					t.Errorf("stdout %s, want %q in it", p.out.String(), want)
				}
			}
			kept := whole(t, filepath.Join(p.folder, "r.jsonl"))
			if len(kept.Trials) != 2 || kept.Trials[0].Interrupted || !kept.Trials[1].Interrupted {
				t.Fatalf("kept are %+v, want two trials, the second interrupted", kept.Trials)
			}
			// Of two clients, one may have begun all of its calls by then.
			stopped := func(c result.Client) bool { return c.StoppedNs > 0 }
			if part := kept.Trials[1]; part.Status != result.StatusOK || !slices.ContainsFunc(part.Clients, stopped) {
				t.Errorf("the second trial is %s (%s), and no client was stopped", part.Status, part.Failure)
			}
			again := start(t, p.folder, append(gatedArgs, "--resume")...)
			if got := again.exit(t); got != 0 || !strings.HasPrefix(again.err.String(), "3 trials, ") {
				t.Errorf("resumed: exit code %d, stderr %q, want 3 trials", got, again.err.String())
			}
			for _, trial := range whole(t, filepath.Join(p.folder, "r.jsonl")).Trials {
				if trial.Interrupted || trial.Status != result.StatusOK {
					t.Errorf("resumed: trial %d is %s, interrupted %v", trial.Repetition, trial.Status, trial.Interrupted)
				}
			}
		})
	}
}

func TestASecondInterruptionEndsAtOnce(t *testing.T) {
	t.Parallel()
	p, g := runGated(t, 2)
	p.interruptTwice(t, g, "r.jsonl")
	keptOne(t, p.folder)
}

// What goes to standard output is in a file that nobody else knows until then.
func TestASecondInterruptionLosesNoFinishedTrial(t *testing.T) {
	t.Parallel()
	p, g := runGated(t, 2)
	p.cmd.Args[len(p.cmd.Args)-1] = "-"
	p.interruptTwice(t, g, "standard output")
	writeText(t, filepath.Join(p.folder, "r.jsonl"), p.out.String())
	keptOne(t, p.folder)
}

// interruptTwice has a standard error that nobody reads keep the first interruption from ending rpcbench.
func (p *program) interruptTwice(t *testing.T, g gate, out string) {
	t.Helper()
	read, written, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer written.Close()
	room, err := unix.FcntlInt(written.Fd(), unix.F_SETPIPE_SZ, 1)
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = written
	p.begin(t)
	g.await(t, p)
	announced := make([]byte, room)
	if n, err := read.Read(announced); err != nil || !strings.HasSuffix(string(announced[:n]), ", into "+out+"\n") {
		t.Fatalf("stderr %q, %v", announced[:n], err)
	}
	if _, err := written.Write(make([]byte, room)); err != nil {
		t.Fatal(err)
	}
	p.signal(t, syscall.SIGINT)
	waitUntil(t, "the end of all workers", func() bool { return len(p.workers()) == 0 })
	p.signal(t, syscall.SIGINT)
	if got := p.exit(t); got != 130 {
		t.Errorf("exit code %d, want 130", got)
	}
}

// keptOne wants a results file of the trial before the gate, and returns it.
func keptOne(t *testing.T, folder string) *result.File {
	t.Helper()
	kept := whole(t, filepath.Join(folder, "r.jsonl"))
	if len(kept.Trials) != 1 || kept.Trials[0].Status != result.StatusOK {
		t.Fatalf("kept are %+v, want the trial that had finished", kept.Trials)
	}
	return kept
}

func TestAnInterruptionBeforeACallWasMeasuredSaysSo(t *testing.T) {
	t.Parallel()
	p, g := runGated(t, 1)
	p.begin(t)
	g.await(t, p)
	p.signal(t, syscall.SIGINT)
	if got := p.exit(t); got != 130 {
		t.Errorf("exit code %d, want 130; stderr: %s", got, p.err.String())
	}
	const want = "rpcbench: interrupted before a call was measured; repeat the command with --resume --out r.jsonl to start again\n"
	if !strings.HasSuffix(p.err.String(), want) {
		t.Errorf("stderr %q, want %q at its end", p.err.String(), want)
	}
}

// Nothing can be resumed of standard output.
func TestAnInterruptionBeforeACallSaysThatStandardOutputHasNothing(t *testing.T) {
	t.Parallel()
	p, g := runGated(t, 1)
	p.cmd.Args[len(p.cmd.Args)-1] = "-"
	p.begin(t)
	g.await(t, p)
	p.signal(t, syscall.SIGINT)
	const want = "rpcbench: interrupted before a call was measured, so standard output has no trial\n"
	if got := p.exit(t); got != 130 || !strings.HasSuffix(p.err.String(), want) || p.out.Len() > 0 {
		t.Errorf("exit code %d, stderr %q, stdout %q; want 130, %q, nothing", got, p.err.String(), p.out.String(), want)
	}
}

// resume carries out what is missing, once, and leaves what was there.
func resume(t *testing.T, folder string, kept *result.File) {
	t.Helper()
	p := start(t, folder, append(gatedArgs, "--resume")...)
	if got := p.exit(t); got != 0 {
		t.Errorf("resumed: exit code %d; stderr: %s", got, p.err.String())
	}
	announced := fmt.Sprintf("%d trial", 4-len(kept.Trials))
	if !strings.HasPrefix(p.err.String(), announced) {
		t.Errorf("resumed: stderr %q, want %q first", p.err.String(), announced)
	}
	file := filepath.Join(folder, "r.jsonl")
	now := whole(t, file)
	if len(now.Trials) != 4 || trials(file) != 4 || !now.Trials[0].Started.Equal(kept.Trials[0].Started) {
		t.Errorf("resumed: %d trials on %d lines, the first of %v; want 4 on 4, %v",
			len(now.Trials), trials(file), now.Trials[0].Started, kept.Trials[0].Started)
	}
	if left := p.processes(); len(left) > 0 {
		t.Errorf("resumed: processes %v are left", left)
	}
}

func TestAKilledWorkerFailsItsTrialAlone(t *testing.T) {
	t.Parallel()
	p, g := runGated(t, 2)
	p.begin(t)
	if err := syscall.Kill(g.await(t, p), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := p.exit(t); got != 1 {
		t.Errorf("exit code %d, want 1; stderr: %s", got, p.err.String())
	}
	file := whole(t, filepath.Join(p.folder, "r.jsonl"))
	if len(file.Trials) != 4 {
		t.Fatalf("%d trials, want 4", len(file.Trials))
	}
	killed := file.Trials[1]
	if killed.Status != result.StatusFailed || !strings.Contains(killed.Failure, "server: ") ||
		!strings.Contains(killed.Failure, "killed") {
		t.Errorf("the second trial is %s: %q; want it failed, by a server that was killed", killed.Status, killed.Failure)
	}
	for _, i := range []int{0, 2, 3} {
		if trial := file.Trials[i]; trial.Status != result.StatusOK {
			t.Errorf("trial %s is %s: %s", trial.ID, trial.Status, trial.Failure)
		}
	}
	for _, want := range []string{
		"trial " + killed.ID + " failed (grpc-gated unary 1000 B 1x1 closed deadline 1h0m0s): " + killed.Failure,
		"rpcbench: 1 trial of 4 failed; repeat the command with --resume --out r.jsonl to run failed trials again",
	} {
		if !strings.Contains(p.err.String(), want+"\n") {
			t.Errorf("stderr %q, want %q in it", p.err.String(), want)
		}
	}
	if !strings.Contains(p.out.String(), "1 of 4 trials failed: "+killed.Failure) {
		t.Errorf("stdout %s, want the failure in it", p.out.String())
	}
	if left := p.processes(); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

// Verbs that only read and print have nothing to keep: they end at once, with a line that says so.
func TestAnInterruptionEndsEveryVerbAtOnce(t *testing.T) {
	t.Parallel()
	results, err := filepath.Abs(filepath.Join("testdata", "mutated.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"plan", "pipe.yaml"}, {"run", "pipe.yaml"},
		{"report", results, "--format", "json"}, {"compare", results, results, "--format", "json"},
		{"conform", "--", "sleep", "3600"}, {"selftest", "--quick", "--stacks", "tcp"},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			p := prepare(t, t.TempDir(), args...)
			await := p.hasWorker
			switch args[0] {
			case "plan", "run":
				await = p.readsPipe(t)
			case "report", "compare":
				await = p.fillsPipe(t)
			case "conform":
				await = func() bool { return slices.ContainsFunc(p.workers(), leadsItsGroup) }
			}
			p.begin(t)
			waitUntil(t, "something to interrupt", await)
			p.signal(t, syscall.SIGINT)
			if got := p.exit(t); got != 130 || !strings.HasSuffix(p.err.String(), "rpcbench: interrupted\n") {
				t.Errorf("exit code %d, want 130; stderr %q", got, p.err.String())
			}
			waitUntil(t, "an end of all it started", func() bool { return len(p.processes()) == 0 })
		})
	}
}

// readsPipe makes pipe.yaml a pipe into which nothing is ever written, and returns whether it is being read.
func (p *program) readsPipe(t *testing.T) func() bool {
	t.Helper()
	path := filepath.Join(p.folder, "pipe.yaml")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return func() bool {
		written, err := os.OpenFile(path, os.O_WRONLY|unix.O_NONBLOCK, 0) // which needs a reader
		if err == nil {
			t.Cleanup(func() { written.Close() })
		}
		return err == nil
	}
}

// fillsPipe makes standard output a small pipe that nobody reads, and returns whether it is full.
func (p *program) fillsPipe(t *testing.T) func() bool {
	t.Helper()
	read, written, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(read.Close(), written.Close()) })
	room, err := unix.FcntlInt(written.Fd(), unix.F_SETPIPE_SZ, 1)
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout = written
	return func() bool {
		held, err := unix.IoctlGetInt(int(read.Fd()), unix.TIOCINQ)
		return err == nil && held == room
	}
}

// What was found of the hosts is shown, and of the one that still hangs that it was cut short.
func TestAnInterruptedCheckOfHostsSaysWhatItFound(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	begun := filepath.Join(folder, "begun")
	if err := unix.Mkfifo(begun, 0o600); err != nil {
		t.Fatal(err)
	}
	const list = "wrong: {command: [nosuchprogram]}\nstuck: {command: [sh, -c, 'echo >begun; exec sleep 3600']}\n"
	if err := os.WriteFile(filepath.Join(folder, "hosts.yaml"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	p := prepare(t, folder, "hosts", "check")
	p.begin(t)
	if _, err := os.ReadFile(begun); err != nil { // until the host hangs
		t.Fatal(err)
	}
	p.signal(t, syscall.SIGINT)
	if got := p.exit(t); got != 130 || !strings.HasSuffix(p.err.String(), "rpcbench: interrupted\n") {
		t.Errorf("exit code %d, stderr %q", got, p.err.String())
	}
	if want := "host stuck: interrupted before the check was done"; !strings.Contains(p.out.String(), want) {
		t.Errorf("stdout %q, want %q", p.out.String(), want)
	}
	if left := p.processes(); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}
