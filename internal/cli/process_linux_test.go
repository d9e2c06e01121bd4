package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/results/result"
)

// patience is about the machine, not about rpcbench: what takes longer hangs.
const patience = 30 * time.Second

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
	p := &program{
		cmd: exec.Command("rpcbench", args...), folder: folder, ended: make(chan error, 1),
		mark: fmt.Sprintf("RPCBENCH_TEST_MARK=%s-%d", t.Name(), time.Now().UnixNano()),
	}
	p.cmd.Dir, p.cmd.Env = folder, append(os.Environ(), p.mark)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, pid := range p.processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	go func() { p.ended <- p.cmd.Wait() }()
	return p
}

// exit waits for the end and returns the exit code.
func (p *program) exit(t *testing.T) int {
	t.Helper()
	select {
	case err := <-p.ended:
		return code(err)
	case <-time.After(patience):
		t.Fatalf("rpcbench did not end within %v; stderr: %s", patience, p.err.String())
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

// server returns the worker that listens and has accepted a connection, 0 where there is none.
func (p *program) server() int {
	listens, accepted := socketsInState(tcpListen), socketsInState(tcpEstablished)
	for _, pid := range p.processes() {
		own := sockets(pid)
		if anyOf(own, listens) && anyOf(own, accepted) {
			return pid
		}
	}
	return 0
}

// awaitServer returns the server once it has a client. It is never 0, which kill would take for the test's own group.
func (p *program) awaitServer(t *testing.T) (pid int) {
	t.Helper()
	waitUntil(t, "a server with a client", func() bool {
		pid = p.server()
		return pid > 0
	})
	return pid
}

// States of /proc/net/tcp.
const (
	tcpEstablished = "01"
	tcpListen      = "0A"
)

// socketsInState returns the inodes of TCP sockets.
func socketsInState(state string) map[string]bool {
	found := map[string]bool{}
	table, _ := os.ReadFile("/proc/net/tcp") // an empty one finds nothing, and the test says so
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 9 && fields[3] == state {
			found["socket:["+fields[9]+"]"] = true
		}
	}
	return found
}

// sockets returns what the descriptors of a process point to.
func sockets(pid int) []string {
	var found []string
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // the pattern is good
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil {
			found = append(found, target)
		}
	}
	return found
}

func anyOf(words []string, set map[string]bool) bool {
	for _, word := range words {
		if set[word] {
			return true
		}
	}
	return false
}

// waitUntil polls for what the program does by itself.
func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for begun := time.Now(); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Since(begun) > patience {
			t.Fatalf("waited %v for %s", patience, what)
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
