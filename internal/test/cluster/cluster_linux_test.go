package cluster

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Four clients on three nodes load a server on another Pod, and the report's figures are those of all four together.
func TestPodsMeasureTogether(t *testing.T) {
	d := measure(t)
	d.recorded(t, 1)
	pods, err := lab.kubectl("", "get", "pods", "-n", "bench", "-o",
		`jsonpath={range .items[*]}{.metadata.labels.rpcbench/host} {.spec.nodeName} {.status.qosClass}{"\n"}{end}`)
	must(t, err)
	nodes := map[string]bool{}
	for line := range strings.Lines(pods) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[2] != "Guaranteed" {
			t.Errorf("Pod %q, want one whose resources are guaranteed", line)
			continue
		}
		nodes[fields[1]] = true
	}
	if strings.Count(pods, "\n")+1 != 5 || len(nodes) != 3 {
		t.Errorf("the Pods are %q, want 5 on 3 nodes", pods)
	}
	if code := d.code(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	trials := d.trials(t)
	if len(trials) != 3 {
		t.Fatalf("%d trials, want 3", len(trials))
	}
	var calls int64
	for _, one := range trials {
		if one.Status != "ok" || len(one.Clients) != 4 || len(one.Servers) != 1 || one.Servers[0].Host != "service" {
			t.Fatalf("trial %+v", one)
		}
		for i, c := range one.Clients {
			if c.Host != "pool-"+strconv.Itoa(i+1) || c.Arrivals == 0 {
				t.Errorf("client %d made %d calls on %s", i+1, c.Arrivals, c.Host)
			}
			calls += c.Arrivals
		}
	}
	if got := reported(t, d); got != calls {
		t.Errorf("the report has %d calls, and the clients made %d", got, calls)
	}
	if got := left(t); got != "" {
		t.Errorf("left: %s", got)
	}
}

// reported is how many calls a report has in all.
func reported(t *testing.T, d *driver) int64 {
	t.Helper()
	report := exec.Command(lab.path("rpcbench"), "report", "--format", "csv", "results.jsonl")
	report.Dir = d.folder
	said, err := report.Output()
	must(t, err)
	rows, err := csv.NewReader(strings.NewReader(string(said))).ReadAll()
	must(t, err)
	if len(rows) != 2 {
		t.Fatalf("the report has %d rows, want 1:\n%s", len(rows)-1, said)
	}
	for i, name := range rows[0] {
		if name == "calls" {
			n, err := strconv.ParseInt(rows[1][i], 10, 64)
			must(t, err)
			return n
		}
	}
	t.Fatalf("no column calls in %v", rows[0])
	return 0
}

// A static CPU manager gives a Pod whose processors are whole a processor of its own, which rpcbench then sees.
func TestAPodIsPinnedByTheKubelet(t *testing.T) {
	d := command(t, hosts("count: 4", "count: 1, node_selector: {kubernetes.io/hostname: node"+strconv.Itoa(pinned)+"}",
		"resources: {cpu: 1, memory: 256Mi}}\nservice", "resources: {cpu: 1, memory: 256Mi}}\nother"),
		"hosts", "check", "--format", "json").start(t)
	if code := d.code(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	type host struct {
		Name       string
		Processors int
	}
	var checked []host
	must(t, json.Unmarshal(d.said.Bytes(), &checked))
	slices.SortFunc(checked, func(a, b host) int { return strings.Compare(a.Name, b.Name) })
	if want := []host{{"other", 2}, {"pool", 1}}; !slices.Equal(checked, want) {
		t.Errorf("%+v, want %+v", checked, want)
	}
}

// In the middle of a trial a client's Pod is deleted, or the API server restarts. That trial fails, and the next is measured.
func TestATrialFailsAlone(t *testing.T) {
	for name, c := range map[string]struct {
		disturb func(t *testing.T)
		want    string
	}{
		"a Pod is deleted": {
			func(t *testing.T) {
				_, err := lab.kubectl("", "delete", "pod", "-n", "bench", "-l", "rpcbench/host=pool-2", "--grace-period=0", "--force")
				must(t, err)
			},
			"client 2 of 4 (pool-2): Pod rpcbench-pool-",
		},
		"the API server restarts": {
			func(t *testing.T) {
				must(t, lab.server.cmd.Process.Kill())
				<-lab.server.gone
				must(t, lab.serve())
			},
			"Kubernetes API server",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := measure(t)
			d.recorded(t, 1)
			d.working(t)
			c.disturb(t)
			if code := d.code(); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			trials := d.trials(t)
			if len(trials) != 3 || trials[0].Status != "ok" || trials[2].Status != "ok" {
				t.Fatalf("trials %+v", trials)
			}
			if got := trials[1]; got.Status == "ok" || !strings.Contains(got.Failure, c.want) {
				t.Errorf("trial 2 is %s: %s; want it to name %s", got.Status, got.Failure, c.want)
			}
			if got := left(t); got != "" {
				t.Errorf("left: %s", got)
			}
		})
	}
}

func TestCtrlCRemovesAllPods(t *testing.T) {
	d := measure(t)
	d.recorded(t, 1)
	must(t, d.cmd.Process.Signal(syscall.SIGINT))
	if code := d.code(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	if got := left(t); got != "" {
		t.Errorf("left: %s", got)
	}
}

// Nobody renews the lease of the Pods any more, so the cluster removes them.
func TestTheClusterRemovesThePodsOfAKilledDriver(t *testing.T) {
	d := measure(t)
	d.recorded(t, 1)
	must(t, d.cmd.Process.Kill())
	<-d.gone
	killed := time.Now()
	must(t, until("the Pods are gone", func() error {
		if got := left(t); got != "" {
			return &exec.Error{Name: got, Err: os.ErrExist}
		}
		return nil
	}))
	t.Logf("they were gone after %v", time.Since(killed).Round(time.Second))
}

func TestWhatCannotBeHadIsOneSentence(t *testing.T) {
	quota := func(t *testing.T) {
		_, err := lab.kubectl("", "create", "quota", "small", "-n", "bench", "--hard=pods=0")
		must(t, err)
		t.Cleanup(func() {
			_, err := lab.kubectl("", "delete", "quota", "small", "-n", "bench")
			must(t, err)
		})
	}
	for name, c := range map[string]struct {
		prepare func(t *testing.T)
		hosts   string
		want    string
	}{
		"no image": {
			nil, hosts("VERSION", "none"), "its node does not have the image localhost/rpcbench:none, and pull_policy is Never",
		},
		"no registry": {
			nil, hosts("VERSION", "none", "Never", "IfNotPresent"), "the image localhost/rpcbench:none can't be pulled: ",
		},
		"quota": {quota, hosts(), "the quota of the namespace has no room: exceeded quota: small"},
		"no room": {
			nil, hosts("cpu: 1", "cpu: 3", "pull_policy", "start_timeout: 3s, pull_policy"),
			"no node takes it: 0/3 nodes are available: 3 Insufficient cpu.",
		},
		"no namespace": {nil, hosts("namespace: bench", "namespace: nowhere"), "is not allowed: User "},
		"no program":   {nil, hosts("\nservice:", "\n  rpcbench: /usr/bin/other\nservice:"), "/usr/bin/other"},
	} {
		t.Run(name, func(t *testing.T) {
			if lab != nil && c.prepare != nil {
				c.prepare(t)
			}
			d := command(t, c.hosts, "hosts", "check").start(t)
			if code := d.code(); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			if !strings.Contains(d.said.String(), "host pool-1: ") || !strings.Contains(d.said.String(), c.want) {
				t.Errorf("it does not say %q", c.want)
			}
			if got := left(t); got != "" {
				t.Errorf("left: %s", got)
			}
		})
	}
}

// A Job of the manual measures within a Pod, with results on a volume and in its log.
func TestAJobMeasuresInTheCluster(t *testing.T) {
	if lab == nil {
		t.Skip("make test-kubernetes runs this on a real node")
	}
	results := lab.file("volume")
	must(t, os.MkdirAll(results, 0o777))
	must(t, os.Chmod(results, 0o777))
	apply(t, strings.ReplaceAll(volume, "FOLDER", results))
	job := strings.NewReplacer(
		"registry.example.com/rpcbench:1.0", "localhost/rpcbench:"+version,
		"run, quick, ", "run, quick, --trials, '1', --stacks, grpc-go, ",
		"cpu: 2, memory: 2Gi", "cpu: 1, memory: 512Mi",
	).Replace(documentOf(t, "Job"))
	apply(t, job)
	await(t, "rpcbench")
	log, err := lab.kubectl("", "logs", "job/rpcbench", "-n", "bench")
	must(t, err)
	if !strings.Contains(log, "grpc-go") || !strings.Contains(log, "× floor") {
		t.Errorf("the log is no report:\n%s", log)
	}
	if info, err := os.Stat(filepath.Join(results, "quick.jsonl")); err != nil || info.Size() == 0 {
		t.Errorf("results: %v", err)
	}
}

// A Job with the manual's service account starts Pods itself, and finds the cluster that it runs in.
func TestAJobStartsPods(t *testing.T) {
	if lab == nil {
		t.Skip("make test-kubernetes runs this on a real node")
	}
	indented := strings.ReplaceAll(hosts("context: lab, ", "", "count: 4", "count: 1"), "\n", "\n    ")
	apply(t, strings.ReplaceAll(mounted, "HOSTS", indented))
	job := strings.NewReplacer(
		"registry.example.com/rpcbench:1.0", "localhost/rpcbench:"+version,
		"name: rpcbench, namespace: bench", "name: outer, namespace: bench",
		"      automountServiceAccountToken: false", "      serviceAccountName: rpcbench",
		"run, quick, --out, /results/quick.jsonl", "run, latency, --hosts, /hosts/hosts.yaml, --stacks, grpc-go, --no-floor,"+
			" --set, client_hosts=pool, --set, server_hosts=service, --set, request_bytes=100, --trials, '1', --warmup, 0s,"+
			" --duration, 1s, --out, '-'",
		"{name: results, mountPath: /results}", "{name: hosts, mountPath: /hosts}",
		"- name: results\n          persistentVolumeClaim: {claimName: results}", "- name: hosts\n          configMap: {name: hosts}",
		"cpu: 2, memory: 2Gi", "cpu: 1, memory: 512Mi",
	).Replace(documentOf(t, "Job"))
	apply(t, job)
	await(t, "outer")
	log, err := lab.kubectl("", "logs", "job/outer", "-n", "bench")
	must(t, err)
	if !strings.Contains(log, `"status":"ok"`) || !strings.Contains(log, `"host":"pool`) {
		t.Errorf("the log has no results of Pods:\n%s", log)
	}
	if got := left(t); got != "" {
		t.Errorf("left: %s", got)
	}
}

// apply makes objects, which are removed at the end.
func apply(t *testing.T, manifest string) {
	t.Helper()
	_, err := lab.kubectl(manifest, "apply", "-f", "-")
	must(t, err)
	t.Cleanup(func() {
		_, err := lab.kubectl(manifest, "delete", "-f", "-")
		must(t, err)
	})
}

// await waits until a Job has succeeded.
func await(t *testing.T, job string) {
	t.Helper()
	must(t, until("the Job is done", func() error {
		state, err := lab.kubectl("", "get", "job", job, "-n", "bench", "-o", "jsonpath={.status}")
		if strings.Contains(state, `"failed":`) {
			log, _ := lab.kubectl("", "logs", "job/"+job, "-n", "bench") // or it says nothing
			t.Fatalf("the Job failed:\n%s", log)
		}
		if err == nil && !strings.Contains(state, `"succeeded":1`) {
			return &exec.Error{Name: state, Err: os.ErrNotExist}
		}
		return err
	}))
}

// documentOf is the manual's manifest of a kind.
func documentOf(t *testing.T, kind string) string {
	t.Helper()
	manual, err := os.ReadFile("../../../docs/kubernetes.md")
	must(t, err)
	for block := range strings.SplitSeq(string(manual), "```yaml\n") {
		block, _, _ = strings.Cut(block, "```")
		if strings.Contains(block, "\nkind: "+kind+"\n") {
			return block
		}
	}
	t.Fatalf("the manual has no %s", kind)
	return ""
}

// volume is what a cluster's administrators provide: a folder of the node, for the claim of the manual's Job.
const volume = `apiVersion: v1
kind: PersistentVolume
metadata: {name: results}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: ""
  hostPath: {path: FOLDER}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: results, namespace: bench}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: ""
  volumeName: results
  resources: {requests: {storage: 1Gi}}
`

const mounted = `apiVersion: v1
kind: ConfigMap
metadata: {name: hosts, namespace: bench}
data:
  hosts.yaml: |
    HOSTS
`
