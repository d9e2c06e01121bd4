package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/results/result"
)

// A program is an rpcbench that runs, in a process group of its own as from a shell.
type program struct {
	cmd      *exec.Cmd
	folder   string
	mark     string // in its environment, and so in that of its workers
	out, err bytes.Buffer
	ended    chan error
}

// start starts rpcbench in a folder. What is left of it at the end of the test is killed.
func start(t *testing.T, folder string, args ...string) *program {
	t.Helper()
	p := prepare(t, folder, args...)
	p.begin(t)
	return p
}

// prepare makes a program that has not begun.
func prepare(t *testing.T, folder string, args ...string) *program {
	t.Helper()
	p := &program{
		cmd: exec.Command("rpcbench", args...), folder: folder, ended: make(chan error, 1),
		mark: fmt.Sprintf("RPCBENCH_TEST_MARK=%s-%d", t.Name(), time.Now().UnixNano()),
	}
	p.cmd.Dir, p.cmd.Env = folder, append(os.Environ(), p.mark)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return p
}

func (p *program) begin(t *testing.T) {
	t.Helper()
	hearSignals()
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, pid := range p.processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	go func() { p.ended <- p.cmd.Wait() }()
}

// hearSignals has programs start with signals that end them, whatever started the tests: nohup ignores SIGHUP, a shell SIGINT
// of what it runs in the background, and programs inherit what is ignored.
var hearSignals = sync.OnceFunc(func() {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
})

// exit waits for the end and returns the exit code.
func (p *program) exit(t *testing.T) int {
	t.Helper()
	select {
	case err := <-p.ended:
		return code(err)
	case <-time.After(patience(t)):
		t.Fatalf("rpcbench does not end; processes %v", p.processes())
		return 0
	}
}

// signal sends a signal to the program's group, as a terminal does.
func (p *program) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(-p.cmd.Process.Pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
}

// processes returns those that have the mark: rpcbench, and every worker that it has started.
func (p *program) processes() []int {
	var pids []int
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is good
	for _, folder := range folders {
		environment, err := os.ReadFile(filepath.Join(folder, "environ"))
		if err != nil || !bytes.Contains(environment, []byte(p.mark)) {
			continue // gone meanwhile, another user's, or a stranger
		}
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// workers are those of them that are not rpcbench itself.
func (p *program) workers() []int {
	return slices.DeleteFunc(p.processes(), func(pid int) bool { return pid == p.cmd.Process.Pid })
}

// hasWorker reports whether a worker of it runs; a server under ab is none.
func (p *program) hasWorker() bool {
	return slices.ContainsFunc(p.workers(), func(pid int) bool {
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return err == nil && bytes.HasSuffix(command, []byte("\x00worker\x00"))
	})
}

// leadsItsGroup reports whether a signal to rpcbench's group no longer reaches a process, as it does before a worker is executed.
func leadsItsGroup(pid int) bool {
	group, err := syscall.Getpgid(pid)
	return err == nil && group == pid
}

// waitUntil polls for what the program does by itself.
func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience(t)); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("there was never %s", what)
		}
	}
}

// trials returns how many trials a results file holds by now.
func trials(path string) int {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return max(0, bytes.Count(data, []byte("\n"))-1)
}

// whole reads a results file, in which nothing may be cut off.
func whole(t *testing.T, path string) *result.File {
	t.Helper()
	file, err := result.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Warnings) > 0 {
		t.Fatalf("warnings %v", file.Warnings)
	}
	return file
}

// write puts a scenario into a fresh folder.
func write(t *testing.T, yaml string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "mine.yaml"), []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}
