package cli_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/result"
)

const threeTrials = `
name: mine
question: How long?
defaults: {warmup: 10ms, duration: 2s, trials: 3}
cases:
  - {title: echo, kind: unary, stack: grpc-go}
`

// interruptedWithin is how long after Ctrl-C a user gets the prompt back.
const interruptedWithin = 3 * time.Second

func TestAnInterruptionKeepsWhatIsFinishedAndLeavesNoProcess(t *testing.T) {
	t.Parallel()
	const sentence = "rpcbench: interrupted; every finished trial is in r.jsonl, " +
		"and the same command with --resume --out r.jsonl goes on\n"
	for _, test := range []struct {
		name      string
		interrupt func(t *testing.T, p *program, server int)
		sentence  string
	}{
		{"once", func(t *testing.T, p *program, _ int) { p.signal(t, syscall.SIGINT) }, sentence},
		{"twice", func(t *testing.T, p *program, _ int) {
			p.signal(t, syscall.SIGINT)
			time.Sleep(10 * time.Millisecond) // or the two are one
			p.signal(t, syscall.SIGINT)
		}, ""},
		{"terminated", func(t *testing.T, p *program, _ int) { p.signal(t, syscall.SIGTERM) }, sentence},
		{"with a worker that hangs", func(t *testing.T, p *program, server int) {
			if err := syscall.Kill(server, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			p.signal(t, syscall.SIGINT)
		}, sentence},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder := write(t, threeTrials)
			file := filepath.Join(folder, "r.jsonl")
			args := []string{"run", "mine.yaml", "--no-floor", "--out", "r.jsonl"}
			p := start(t, folder, args...)
			server := 0 // kept, because a later look may find none, and kill takes 0 for the test's own group
			waitUntil(t, "the second trial", func() bool {
				if trials(file) == 1 {
					server = p.server()
				}
				return server > 0
			})
			begun := time.Now()
			test.interrupt(t, p, server)
			if got := p.exit(t); got != 130 {
				t.Errorf("exit code %d, want 130; stderr: %s", got, p.err.String())
			}
			if took := time.Since(begun); took > interruptedWithin {
				t.Errorf("it took %v to end, want at most %v", took, interruptedWithin)
			}
			if !strings.HasSuffix(p.err.String(), test.sentence) {
				t.Errorf("stderr %q, want %q at its end", p.err.String(), test.sentence)
			}
			if p.out.Len() > 0 {
				t.Errorf("stdout %q", p.out.String())
			}
			waitUntil(t, "the end of all workers", func() bool { return len(p.processes()) == 0 })
			kept := whole(t, file)
			if len(kept.Trials) != 1 || kept.Trials[0].Status != result.StatusOK {
				t.Fatalf("trials %+v, want the first alone", kept.Trials)
			}
			resume(t, folder, append(args, "--resume"), kept)
		})
	}
}

// resume carries out what is missing, once, and leaves what was there.
func resume(t *testing.T, folder string, args []string, kept *result.File) {
	t.Helper()
	p := start(t, folder, args...)
	if got := p.exit(t); got != 0 {
		t.Errorf("resumed: exit code %d; stderr: %s", got, p.err.String())
	}
	if !strings.HasPrefix(p.err.String(), "2 trials, about ") {
		t.Errorf("resumed: stderr %q, want 2 trials announced", p.err.String())
	}
	file := filepath.Join(folder, "r.jsonl")
	now := whole(t, file)
	if len(now.Trials) != 3 || trials(file) != 3 || !now.Trials[0].Started.Equal(kept.Trials[0].Started) {
		t.Errorf("resumed: %d trials on %d lines, the first of %v; want 3 on 3, %v",
			len(now.Trials), trials(file), now.Trials[0].Started, kept.Trials[0].Started)
	}
	if left := p.processes(); len(left) > 0 {
		t.Errorf("resumed: processes %v are left", left)
	}
}

func TestAKilledWorkerFailsItsTrialAlone(t *testing.T) {
	t.Parallel()
	folder := write(t, threeTrials)
	p := start(t, folder, "run", "mine.yaml", "--no-floor", "--out", "r.jsonl")
	if err := syscall.Kill(p.awaitServer(t), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := p.exit(t); got != 1 {
		t.Errorf("exit code %d, want 1; stderr: %s", got, p.err.String())
	}
	file := whole(t, filepath.Join(folder, "r.jsonl"))
	if len(file.Trials) != 3 {
		t.Fatalf("%d trials, want 3", len(file.Trials))
	}
	first := file.Trials[0]
	if first.Status != result.StatusFailed || !strings.Contains(first.Failure, "server: ") ||
		!strings.Contains(first.Failure, "killed") {
		t.Errorf("the first trial is %s: %q; want it failed, by a server that was killed", first.Status, first.Failure)
	}
	for _, trial := range file.Trials[1:] {
		if trial.Status != result.StatusOK {
			t.Errorf("trial %s is %s: %s", trial.ID, trial.Status, trial.Failure)
		}
	}
	for _, want := range []string{
		"trial " + first.ID + " failed (grpc-go unary 1000 B 1x1 closed): " + first.Failure,
		"rpcbench: 1 trial of 3 failed; the same command with --resume --out r.jsonl runs what failed again",
	} {
		if !strings.Contains(p.err.String(), want+"\n") {
			t.Errorf("stderr %q, want %q in it", p.err.String(), want)
		}
	}
	if !strings.Contains(p.out.String(), "1 of 3 trials failed: "+first.Failure) {
		t.Errorf("stdout %s, want the failure in it", p.out.String())
	}
	if left := p.processes(); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}
