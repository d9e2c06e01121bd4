package cluster

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// admit gives the driver what the manual tells its readers to give it: a namespace, a Role, and no more.
func (c *cluster) admit() error {
	manual, err := os.ReadFile("../../../docs/kubernetes.md")
	if err != nil {
		return err
	}
	_, rights, _ := strings.Cut(string(manual), "```yaml\n")
	rights, _, _ = strings.Cut(rights, "```")
	if _, err := c.kubectl(rights, "apply", "-f", "-"); err != nil {
		return err
	}
	err = until("the Role is known", func() error {
		_, err := c.kubectl("", "auth", "can-i", "create", "pods", "-n", "bench", "--as=system:serviceaccount:bench:rpcbench")
		return err
	})
	if err != nil {
		return err
	}
	token, err := c.kubectl("", "create", "token", "rpcbench", "-n", "bench", "--duration=1h")
	if err != nil {
		return err
	}
	return c.kubeconfig("user.conf", token)
}

// hosts are four Pods for clients and one for servers. The words replace what is said of them.
func hosts(words ...string) string {
	const all = `
pool:
  kubernetes: {context: lab, namespace: bench, image: "localhost/rpcbench:VERSION", count: 4, pull_policy: Never,
    resources: {cpu: 1, memory: 256Mi}}
service:
  kubernetes: {context: lab, namespace: bench, image: "localhost/rpcbench:VERSION", pull_policy: Never,
    resources: {cpu: 1, memory: 256Mi}}
`
	return strings.NewReplacer(append(words, "VERSION", version)...).Replace(all)
}

// version is that of the image, by make test-kubernetes.
var version = os.Getenv("RPCBENCH_TEST_KUBERNETES_VERSION")

// A driver is an rpcbench outside the cluster.
type driver struct {
	cmd    *exec.Cmd
	folder string
	said   bytes.Buffer // on standard output and error
	gone   chan struct{}
}

// command is an rpcbench that was not started yet, in a folder with the given hosts.yaml.
func command(t *testing.T, hosts string, words ...string) *driver {
	t.Helper()
	if lab == nil {
		t.Skip("make test-kubernetes runs this on a real node")
	}
	d := &driver{folder: t.TempDir(), gone: make(chan struct{})}
	if err := os.WriteFile(filepath.Join(d.folder, "hosts.yaml"), []byte(hosts), 0o600); err != nil {
		t.Fatal(err)
	}
	d.cmd = exec.Command(lab.path("rpcbench"), words...)
	d.cmd.Dir = d.folder
	d.cmd.Env = append(os.Environ(), "KUBECONFIG="+lab.file("user.conf"), "HOME="+d.folder)
	d.cmd.Stdout, d.cmd.Stderr = &d.said, &d.said
	return d
}

// start runs it beside the test, at whose end it has ended and has left nothing.
func (d *driver) start(t *testing.T) *driver {
	t.Helper()
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(d.gone)
		_ = d.cmd.Wait() // its code tells
	}()
	t.Cleanup(func() {
		_ = d.cmd.Process.Kill() // or it has ended
		<-d.gone
		if t.Failed() {
			t.Logf("rpcbench said:\n%s", d.said.String())
		}
	})
	return d
}

// code waits for its end.
func (d *driver) code() int {
	<-d.gone
	return d.cmd.ProcessState.ExitCode()
}

// measure is a run of three trials of five seconds each.
func measure(t *testing.T) *driver {
	t.Helper()
	return command(t, hosts(), "run", "latency", "--stacks", "grpc-go", "--no-floor", "--set", "client_hosts=pool",
		"--set", "server_hosts=service", "--set", "shape=4x1", "--set", "request_bytes=100", "--trials", "3",
		"--warmup", "0s", "--duration", "5s", "--out", "results.jsonl").start(t)
}

// A trial is what the tests read of a line of a results file.
type trial struct {
	Status  string
	Failure string
	Clients []struct {
		Host     string
		Arrivals int64
	}
	Servers []struct{ Host string }
}

func (d *driver) trials(t *testing.T) []trial {
	t.Helper()
	file, err := os.Open(filepath.Join(d.folder, "results.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewReader(file)
	var found []trial
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return found // what is not whole is being written
		}
		var one trial
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		if one.Status != "" {
			found = append(found, one)
		}
	}
}

// recorded waits until so many trials are in the results file, so that the next one has begun.
func (d *driver) recorded(t *testing.T, n int) {
	t.Helper()
	must(t, until(fmt.Sprintf("%d trials are recorded", n), func() error {
		select {
		case <-d.gone:
			t.Fatalf("rpcbench has ended: %s", d.said.String())
		default:
		}
		if got := len(d.trials(t)); got < n {
			return fmt.Errorf("there are %d", got)
		}
		return nil
	}))
}

// working waits until the workers of a trial run, in Pods: four clients and a server.
func (d *driver) working(t *testing.T) {
	t.Helper()
	must(t, until("the workers run", func() error {
		programs, err := filepath.Glob("/proc/[0-9]*/cmdline")
		if err != nil {
			return err
		}
		n := 0
		for _, program := range programs {
			words, _ := os.ReadFile(program) // or it has ended meanwhile
			if bytes.Contains(words, []byte("\x00worker\x00--tether")) {
				n++
			}
		}
		if n < 5 {
			return fmt.Errorf("there are %d", n)
		}
		return nil
	}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// left are the Pods and Jobs of rpcbench that there are.
func left(t *testing.T) string {
	t.Helper()
	found, err := lab.kubectl("", "get", "pods,jobs", "-n", "bench", "-l", "app.kubernetes.io/name=rpcbench", "-o", "name")
	must(t, err)
	return found
}
