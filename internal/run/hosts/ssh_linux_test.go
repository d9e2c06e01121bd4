package hosts

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/launch"
)

func TestTheBinaryIsCopiedOnceAndChecked(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	server := serveSSH(t, "127.0.0.1", cache)
	l := ready(t, server.host("db1"))
	found := copies(t, cache)
	if len(found) != 1 {
		t.Fatalf("copies %q", found)
	}
	before, err := os.Stat(found[0])
	if err != nil {
		t.Fatal(err)
	}
	ready(t, server.host("db1"))
	if again, err := os.Stat(found[0]); err != nil || !os.SameFile(before, again) {
		t.Errorf("it was copied again: %v", err)
	}
	if err := os.Truncate(found[0], before.Size()/2); err != nil {
		t.Fatal(err)
	}
	ready(t, server.host("db1"))
	if again, err := os.Stat(found[0]); err != nil || again.Size() != before.Size() {
		t.Errorf("a copy that is damaged is kept: %v", err)
	}
	if left, _ := filepath.Glob(cache + "/rpcbench/.copy*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	w := started(t, l, "db1")
	if at := w.Host(); at.ID != "db1" || at.Address != "127.0.0.1" {
		t.Errorf("host %+v", at)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	wantNone(t, cache)
}

// kept collects a driver's results.
type kept struct{ trials []result.Trial }

func (k *kept) Append(t result.Trial) error { k.trials = append(k.trials, t); return nil }
func (*kept) Begun([]plan.Trial, int)       {}
func (*kept) Ended(result.Trial)            {}

// apart is a trial whose client and server are on two hosts.
func apart() plan.Trial {
	return plan.Trial{ID: "t1", Repetition: 1, Spec: plan.Spec{
		Stack: "tcp", Server: "tcp", Protocol: "tcp", Kind: "unary", RequestBytes: 10, ResponseBytes: 10, Connections: 2, InFlight: 1,
		Load: plan.LoadClosed, Security: "plaintext", Network: "tcp", Compression: "none", Payload: "random",
		DeadlineNs: 10e9, DrainNs: 10e9, DurationNs: 300e6, ClientHosts: "a,b", ServerHosts: "b",
	}}
}

func TestATrialRunsBetweenHosts(t *testing.T) {
	t.Parallel()
	caches := []string{t.TempDir(), t.TempDir()}
	first, second := serveSSH(t, "127.0.0.1", caches[0]), serveSSH(t, "127.0.0.2", caches[1])
	l := ready(t, first.host("a"), second.host("b"))
	found := &kept{}
	_, err := driver.Run(t.Context(), driver.Config{
		Trials: []plan.Trial{apart()}, Launcher: l, Results: found, Progress: found, Now: time.Now,
	})
	if err != nil || len(found.trials) != 1 || found.trials[0].Status != result.StatusOK {
		t.Fatalf("%v, %+v", err, found.trials)
	}
	trial := found.trials[0]
	if trial.Clients[0].Host != "a" || trial.Clients[1].Host != "b" || trial.Servers[0].Host != "b" {
		t.Errorf("clients on %s and %s, server on %s", trial.Clients[0].Host, trial.Clients[1].Host, trial.Servers[0].Host)
	}
	if len(trial.Hosts) != 2 || trial.Hosts[0].CPU == nil || trial.Hosts[1].Hiccups.Count == 0 {
		t.Errorf("hosts %+v", trial.Hosts)
	}
	for i, c := range trial.Clients {
		if c.Arrivals == 0 {
			t.Errorf("client %d made no call", i+1)
		}
	}
	wantNone(t, caches[0])
	wantNone(t, caches[1])
}

// A server of ssh refuses some of many connections that have not logged in yet.
func TestManyWorkersStartOnOneHost(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	l := ready(t, serveSSH(t, "127.0.0.1", cache).host("db1"))
	var starting sync.WaitGroup
	errs := make([]error, 24)
	for i := range errs {
		starting.Go(func() {
			w, err := launch.Start(t.Context(), l, order("db1"))
			if errs[i] = err; err == nil {
				errs[i] = w.Close()
			}
		})
	}
	starting.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	wantNone(t, cache)
}

// A worker notices the end of its connection.
func TestNoWorkerOutlivesItsConnection(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	server := serveSSH(t, "127.0.0.1", cache)
	l := ready(t, server.host("db1"))
	// The driver's end closes, as when the driver is killed.
	process, err := l.Launch(t.Context(), order("db1"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(process, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	process.Kill()
	_ = process.Wait()
	wantNone(t, cache)
	// The server ends, with all its sessions.
	w := started(t, l, "db1")
	if err := syscall.Kill(-server.process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	killSessions(t, cache)
	<-w.Ended()
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "exit status 255") {
		t.Errorf("error %v", err)
	}
	wantNone(t, cache)
}

func TestADeadConnectionIsFound(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes 9 seconds")
	}
	cache := t.TempDir()
	server := serveSSH(t, "127.0.0.1", cache)
	w := started(t, ready(t, server.host("db1")), "db1")
	sessions := sessionsOf(t, cache)
	for _, pid := range sessions {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	<-w.Ended()
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "not responding") {
		t.Errorf("error %v", err)
	}
	for _, pid := range sessions { // the host comes back
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	wantNone(t, cache)
}

func TestAHostThatCannotBeUsedIsOneSentence(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	server := serveSSH(t, "127.0.0.1", cache)
	stranger := server.host("db1")
	server.key(t, "other")
	t.Cleanup(func() { wantNone(t, cache) })
	for name, c := range map[string]struct {
		change func(*Host)
		want   string
	}{
		"a key that is not let in": {func(h *Host) {
			h.Options = append([]string{"-i", server.file("other")}, h.Options[:4]...)
			h.Options = append(h.Options, stranger.Options[6:]...)
		}, "host db1: "},
		"nobody listens":          {func(h *Host) { h.Options = append([]string{"-p", "1"}, h.Options[4:]...) }, "Connection refused"},
		"a path where nothing is": {func(h *Host) { h.Program = "/nowhere/rpcbench" }, "host db1: "},
		"no such binary":          {func(h *Host) { h.Binary = "/nowhere/rpcbench" }, "host db1: open /nowhere/rpcbench"},
		"no shell":                {func(h *Host) { *h = Host{Name: "db1", Command: []string{"echo"}} }, "gave no shell there"},
		"a full disk": {func(h *Host) {
			*h = Host{Name: "db1", Command: []string{"sh", "-c", "ulimit -f 8; XDG_CACHE_HOME=" + t.TempDir() + ` exec "$@"`, "x"}}
		}, "rpcbench could not be copied there: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := stranger
			c.change(&host)
			_, err := (&Launcher{}).Add(t.Context(), []Host{host}, "rpcbench version 1")
			if err == nil || !strings.HasPrefix(err.Error(), "host db1: ") || !strings.Contains(err.Error(), c.want) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %s", err, c.want)
			}
			t.Log(err)
		})
	}
}

func TestAHostWithAnotherKeyIsRefused(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	server := serveSSH(t, "127.0.0.1", cache)
	stranger := server.host("db1")
	server.key(t, "other")
	server.trust(t, "other") // the client knows it by that
	_, err := (&Launcher{}).Add(t.Context(), []Host{stranger}, "")
	if err == nil || err.Error() != "host db1: Host key verification failed." {
		t.Errorf("error %v", err)
	}
	wantNone(t, cache)
}

// Where a file system can be made, the disk is really full.
func TestAFullDiskLeavesNothing(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no file system can be made: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	server := serveSSH(t, "127.0.0.1", disk)
	_, err := (&Launcher{}).Add(t.Context(), []Host{server.host("db1")}, "")
	if err == nil || !strings.Contains(err.Error(), "could not be copied there") || !strings.Contains(err.Error(), "No space left") {
		t.Errorf("error %v", err)
	}
	if left, _ := filepath.Glob(disk + "/rpcbench/*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if left, _ := filepath.Glob(disk + "/rpcbench/.copy*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
