package hosts

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
)

// withinNamespaces tells the test binary that it may create networks: it runs in its own namespaces, which disappear with it.
const withinNamespaces = "RPCBENCH_TEST_NAMESPACES"

// Two hosts have a network namespace and an address each, and a bridge between them.
func TestTwoHostsOnANetwork(t *testing.T) { //nolint:tparallel // its parts follow each other
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes 20 seconds")
	}
	if os.Getenv(withinNamespaces) == "" {
		inNamespaces(t)
		return
	}
	for _, command := range []string{
		"mount --make-rprivate /", "mount -t tmpfs none /run", "mkdir /run/netns", "ip link set lo up",
		"ip link add bridge0 type bridge", "ip addr add 198.18.0.1/24 dev bridge0", "ip link set bridge0 up",
	} {
		must(t, command)
	}
	caches := []string{t.TempDir(), t.TempDir()}
	l := ready(t, host(t, "a", "198.18.0.2", caches[0]), host(t, "b", "198.18.0.3", caches[1]))
	t.Run("a trial runs between them", func(t *testing.T) { //nolint:paralleltest // the next one cuts the network
		found := &kept{}
		_, err := driver.Run(t.Context(), driver.Config{
			Trials: []plan.Trial{apart()}, Launcher: l, Results: found, Progress: found, Now: time.Now,
		})
		if err != nil || len(found.trials) != 1 || found.trials[0].Status != result.StatusOK {
			t.Fatalf("%v, %+v", err, found.trials)
		}
		one := found.trials[0]
		for i, c := range one.Clients {
			if c.Arrivals == 0 || c.Begin.SegmentsOut == nil || *c.End.SegmentsOut <= *c.Begin.SegmentsOut {
				t.Errorf("client %d on %s: %d calls, segments from %v to %v", i+1, c.Host, c.Arrivals, c.Begin.SegmentsOut, c.End.SegmentsOut)
			}
		}
		wantNone(t, caches[0])
		wantNone(t, caches[1])
	})
	t.Run("a network that is cut is found", func(t *testing.T) { //nolint:paralleltest // as above
		cut, left := started(t, l, "a"), started(t, l, "b")
		must(t, "ip link set to-a down")
		<-cut.Ended()
		if err := cut.Close(); err == nil || !strings.Contains(err.Error(), "not responding") {
			t.Errorf("error %v", err)
		}
		if _, err := left.Mark(t.Context()); err != nil {
			t.Errorf("the other host is lost too: %v", err)
		}
		must(t, "ip link set to-a up") // the host comes back
		wantNone(t, caches[0])
		if err := left.Close(); err != nil {
			t.Error(err)
		}
		wantNone(t, caches[1])
	})
}

// host makes one with an address, and starts OpenSSH's server there.
func host(t *testing.T, name, address, cache string) Host {
	t.Helper()
	for _, command := range []string{
		"ip netns add " + name, "ip link add to-" + name + " type veth peer name eth0 netns " + name,
		"ip link set to-" + name + " master bridge0 up", "ip -n " + name + " addr add " + address + "/24 dev eth0",
		"ip -n " + name + " link set eth0 up", "ip -n " + name + " link set lo up",
	} {
		must(t, command)
	}
	return serveSSHBy(t, []string{"ip", "netns", "exec", name}, address, "2222", cache).host(name)
}

func must(t *testing.T, command string) {
	t.Helper()
	words := strings.Fields(command)
	if said, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", command, err, said)
	}
}

// inNamespaces runs the test in namespaces, where this process may make some.
func inNamespaces(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/usr/sbin/sshd"); err != nil {
		t.Skip("there is no OpenSSH server: make sshd installs it")
	}
	const tried = "ip link add a0 type bridge && ip link add a1 type veth peer name a2 && mount --make-rprivate / && " +
		"mount -t tmpfs none /run && mkdir /run/netns && ip netns add a"
	if said, err := exec.Command("unshare", "--net", "--mount", "sh", "-c", tried).CombinedOutput(); err != nil {
		t.Skipf("no network namespaces can be made here: %v: %s", err, strings.TrimSpace(string(said)))
	}
	command := exec.Command("unshare", "--net", "--mount", os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), withinNamespaces+"=yes")
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	said, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "--- PASS: "+t.Name()+"/a_network_that_is_cut_is_found") {
		t.Errorf("%v:\n%s", err, said)
	}
}
