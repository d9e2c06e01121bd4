package hosts

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/server"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/worker"
)

// This test binary is the worker that gets to other hosts.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // workers with the race detector would sleep for a second when they end
	if !slices.Contains(os.Args, "--tether") {
		os.Exit(m.Run())
	}
	signal.Ignore(os.Interrupt)
	err := worker.RunTethered(context.Background(), os.Stdin, os.Stdout, []stack.Stack{tcp.New()}, func() { os.Exit(1) })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// An sshd is OpenSSH's server with keys made for the test, on an address of the loopback interface.
type sshd struct {
	address, port string
	folder        string // of its files
	cache         string // where its users have their caches
	process       *os.Process
}

// serveSSH starts one. Its users' caches are in the folder that is given.
func serveSSH(t *testing.T, address, cache string) *sshd {
	t.Helper()
	free, err := server.FreePortOf(address) // it can't listen on a port of its own choice
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free)
	return serveSSHBy(t, nil, address, port, cache)
}

// serveSSHBy starts one behind the words of another command.
func serveSSHBy(t *testing.T, words []string, address, port, cache string) *sshd {
	t.Helper()
	program, err := exec.LookPath("/usr/sbin/sshd")
	if err != nil {
		t.Skip("there is no OpenSSH server: make sshd installs it")
	}
	s := &sshd{address: address, port: port, folder: t.TempDir(), cache: cache}
	s.key(t, "host")
	s.key(t, "user")
	_ = os.Mkdir("/run/sshd", 0o755) // which it wants where it is root's
	config := fmt.Sprintf("ListenAddress %s\nPort %s\nHostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\n"+
		"PidFile none\nPasswordAuthentication no\nMaxStartups 12:100:12\nSetEnv XDG_CACHE_HOME=%s\n",
		address, s.port, s.file("host"), s.file("user.pub"), cache)
	if err := os.WriteFile(s.file("config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	words = append(slices.Clip(words), program, "-D", "-e", "-f", s.file("config"))
	command := exec.Command(words[0], words[1:]...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	s.process = command.Process
	t.Cleanup(func() { _ = syscall.Kill(-s.process.Pid, syscall.SIGKILL); _ = command.Wait() })
	lines, said := bufio.NewScanner(log), ""
	for lines.Scan() {
		said += lines.Text() + "\n"
		if strings.HasPrefix(lines.Text(), "Server listening") {
			go func() {
				for lines.Scan() {
				}
			}()
			s.trust(t, "host")
			return s
		}
	}
	t.Fatalf("sshd does not listen:\n%s", said)
	return nil
}

func (s *sshd) file(name string) string { return filepath.Join(s.folder, name) }

func (s *sshd) key(t *testing.T, name string) {
	t.Helper()
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", s.file(name)).CombinedOutput(); err != nil {
		t.Skipf("no key can be made: %v: %s", err, out)
	}
}

// trust has the client know the server by a key.
func (s *sshd) trust(t *testing.T, key string) {
	t.Helper()
	public, err := os.ReadFile(s.file(key + ".pub"))
	if err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("[%s]:%s %s", s.address, s.port, public)
	if err := os.WriteFile(s.file("known"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
}

// host is how to get there.
func (s *sshd) host(name string) Host {
	return Host{Name: name, SSH: s.address, Options: []string{
		"-F", "none", "-p", s.port, "-i", s.file("user"), "-o", "IdentitiesOnly=yes", "-o", "UserKnownHostsFile=" + s.file("known"),
	}}
}

// workers are the processes whose program is in the cache.
func workers(t *testing.T, cache string) (pids []int) {
	t.Helper()
	programs, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range programs {
		if path, err := os.Readlink(link); err == nil && strings.HasPrefix(path, cache+"/") {
			pid, _ := strconv.Atoi(strings.Split(link, "/")[2])
			pids = append(pids, pid)
		}
	}
	return pids
}

// wantNone waits until no worker is left.
func wantNone(t *testing.T, cache string) {
	t.Helper()
	for range 3000 {
		if len(workers(t, cache)) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("workers are left: %v", workers(t, cache))
}

// copies are the programs in the cache.
func copies(t *testing.T, cache string) []string {
	t.Helper()
	found, err := filepath.Glob(cache + "/rpcbench/*/rpcbench")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// ready is a launcher of hosts.
func ready(t *testing.T, hosts ...Host) *Launcher {
	t.Helper()
	l := &Launcher{}
	hellos, err := l.Add(t.Context(), hosts, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, hello := range hellos {
		if at := Describe(hosts[i].Name, hello); at.ID != hosts[i].Name || at.OS != "linux" || at.Name == "" || at.Processors == 0 {
			t.Errorf("%+v", at)
		}
	}
	return l
}

func started(t *testing.T, l *Launcher, host string) *launch.Worker {
	t.Helper()
	w, err := launch.Start(t.Context(), l, launch.Order{Host: host})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Abort() })
	return w
}

func order(host string) launch.Order { return launch.Order{Host: host} }

// sessionsOf are the processes of sshd that the workers of a cache were started by.
func sessionsOf(t *testing.T, cache string) (pids []int) {
	t.Helper()
	for _, pid := range workers(t, cache) {
		for pid = parentOf(t, pid); pid > 1; pid = parentOf(t, pid) {
			if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err != nil || !strings.HasPrefix(string(name), "sshd") {
				break
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

func killSessions(t *testing.T, cache string) {
	t.Helper()
	for _, pid := range sessionsOf(t, cache) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func parentOf(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		t.Fatal(err)
	}
	return parent
}
