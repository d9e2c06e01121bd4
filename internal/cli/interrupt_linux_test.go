package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/results/result"
)

const fourTrials = `
name: mine
question: How long?
defaults: {warmup: 10ms, duration: 1s, trials: 4}
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
			folder := write(t, fourTrials)
			file := filepath.Join(folder, "r.jsonl")
			args := []string{"run", "mine.yaml", "--no-floor", "--out", "r.jsonl"}
			p := start(t, folder, args...)
			finished, server := 0, 0 // kept, because a later look may find no server, and kill takes 0 for the test's own group
			waitUntil(t, "a trial after the first", func() bool {
				if finished = trials(file); finished > 0 {
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
			// One more may have finished since the look at the file.
			if n := len(kept.Trials); n < finished || n > min(finished+1, 3) {
				t.Fatalf("%d trials kept, want the %d that had finished", n, finished)
			}
			for _, trial := range kept.Trials {
				if trial.Status != result.StatusOK {
					t.Errorf("trial %s is %s: %s", trial.ID, trial.Status, trial.Failure)
				}
			}
			resume(t, folder, append(args, "--resume"), kept)
		})
	}
}

func TestAnInterruptionBeforeATrialHasFinishedSaysSo(t *testing.T) {
	t.Parallel()
	folder := write(t, strings.Replace(fourTrials, "duration: 1s", "duration: 20s", 1))
	p := start(t, folder, "run", "mine.yaml", "--no-floor", "--out", "r.jsonl")
	p.awaitServer(t)
	p.signal(t, syscall.SIGINT)
	if got := p.exit(t); got != 130 {
		t.Errorf("exit code %d, want 130; stderr: %s", got, p.err.String())
	}
	const want = "rpcbench: interrupted before a trial had finished; the same command with --resume --out r.jsonl begins anew\n"
	if !strings.HasSuffix(p.err.String(), want) {
		t.Errorf("stderr %q, want %q at its end", p.err.String(), want)
	}
}

// resume carries out what is missing, once, and leaves what was there.
func resume(t *testing.T, folder string, args []string, kept *result.File) {
	t.Helper()
	p := start(t, folder, args...)
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
	folder := write(t, fourTrials)
	p := start(t, folder, "run", "mine.yaml", "--no-floor", "--out", "r.jsonl")
	if err := syscall.Kill(p.awaitServer(t), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := p.exit(t); got != 1 {
		t.Errorf("exit code %d, want 1; stderr: %s", got, p.err.String())
	}
	file := whole(t, filepath.Join(folder, "r.jsonl"))
	if len(file.Trials) != 4 {
		t.Fatalf("%d trials, want 4", len(file.Trials))
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
		"rpcbench: 1 trial of 4 failed; the same command with --resume --out r.jsonl runs what failed again",
	} {
		if !strings.Contains(p.err.String(), want+"\n") {
			t.Errorf("stderr %q, want %q in it", p.err.String(), want)
		}
	}
	if !strings.Contains(p.out.String(), "1 of 4 trials failed: "+first.Failure) {
		t.Errorf("stdout %s, want the failure in it", p.out.String())
	}
	if left := p.processes(); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}
