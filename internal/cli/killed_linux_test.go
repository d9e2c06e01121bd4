package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// kill kills rpcbench alone, as the kernel does when memory is short, and waits for its end.
func (p *program) kill(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(p.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.exit(t)
}

// temporaries lists what lies in a folder for temporary files.
func temporaries(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestTheNextRunRemovesWhatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	temporary := t.TempDir()
	folder, g := gatedScenario(t, strings.Replace(fourTrials, "{warmup", "{network: unix, warmup", 1)), gate{t.TempDir()}
	p := prepare(t, folder, gatedArgs...)
	p.cmd.Env = append(append(p.cmd.Env, g.environment(1, 1)...), "TMPDIR="+temporary)
	p.begin(t)
	g.await(t, p)
	p.kill(t)
	if left := temporaries(t, temporary); len(left) != 1 || !strings.HasPrefix(filepath.Base(left[0]), "rpcbench-") {
		t.Fatalf("%v is left, want one folder, or the test shows nothing", left)
	}
	next := prepare(t, folder, append(gatedArgs, "--resume")...)
	next.cmd.Env = append(next.cmd.Env, "TMPDIR="+temporary)
	next.begin(t)
	if got := next.exit(t); got != 0 {
		t.Errorf("exit code %d; stderr: %s", got, next.err.String())
	}
	if left := temporaries(t, temporary); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if _, err := os.Stat(filepath.Join(folder, "r.jsonl")); err != nil {
		t.Error(err)
	}
}

func TestAKilledComparisonLeavesNoServer(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"itself":         gatedCommand,
		"child":          "sh -c '" + gatedCommand + " & wait'",
		"of a session":   sessionCommand,
		"without parent": orphanCommand,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, p := gate{t.TempDir()}, compareServers(t, command, command)
			p.cmd.Env = append(append(p.cmd.Env, g.environment(abGate, 1)...), gateStubborn+"=1")
			p.begin(t)
			g.await(t, p)
			p.kill(t)
			waitUntil(t, "the end of all processes", func() bool { return len(p.processes()) == 0 })
		})
	}
}
