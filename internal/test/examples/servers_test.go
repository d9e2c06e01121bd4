package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// needed are what a server needs to run, which make servers builds or installs: a file, or a command.
var needed = map[string]string{
	"go": "go/server", "java": "java/target/server.jar", "cpp": "cpp/build/server", "rust": "rust/target/release/server-rust",
	"node": "node/node_modules", "python": "python/benchmark_pb2_grpc.py",
	"python-http": "python3", "apache": "/usr/lib/apache2/modules/mod_wsgi.so",
}

// servers is what the test reads of a scenario.
type servers struct {
	Defaults struct {
		Server []any `yaml:"server"` // the names of stacks, and programs
	} `yaml:"defaults"`
	Cases []struct{} `yaml:"cases"`
}

func TestServersInOtherLanguagesAreMeasured(t *testing.T) {
	t.Run("languages", func(t *testing.T) { measureServers(t, "languages.yaml", 6) })
	t.Run("mobile", func(t *testing.T) { measureServers(t, "mobile.yaml", 2) })
}

func isHere(folder, need string) bool {
	if !strings.Contains(need, "/") {
		_, err := exec.LookPath(need)
		return err == nil
	}
	if !filepath.IsAbs(need) {
		need = filepath.Join(folder, need)
	}
	_, err := os.Stat(need)
	return err == nil
}

// measureServers measures the programs of a scenario that are here, and leaves out those that were not built.
func measureServers(t *testing.T, file string, programs int) {
	t.Helper()
	folder := filepath.Join(root, "examples", "servers")
	var all servers
	if err := yaml.Unmarshal([]byte(readFile(t, filepath.Join(folder, file))), &all); err != nil {
		t.Fatal(err)
	}
	libraries := map[string]string{}
	var here []map[string]any
	for _, entry := range all.Defaults.Server {
		server, ok := entry.(map[string]any)
		if !ok {
			continue
		}
		programs--
		name := server["name"].(string)
		if !isHere(folder, needed[name]) {
			t.Logf("%s is left out: there is no %s", name, needed[name])
			continue
		}
		server["ready_within"] = "10m"
		libraries[name] = server["library"].(string)
		here = append(here, server)
	}
	if programs != 0 {
		t.Errorf("%s has %d programs fewer than it should have", file, programs)
	}
	if len(here) == 0 {
		t.Skip("no server was built; make servers builds them")
	}
	told, err := yaml.MarshalWithOptions(here, yaml.Flow(true))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "servers.jsonl")
	command := exec.CommandContext(patience(t), program, "run", file, "--trust", file, "--trials", "1",
		"--set", "server="+strings.TrimSpace(string(told)), "--set", "calls=20", "--set", "warmup=0s", "--no-floor", "--out", out)
	command.Dir = folder
	text, err := command.CombinedOutput()
	t.Logf("%s", text)
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]int{}
	for _, trial := range trials(t, filepath.Dir(out), filepath.Base(out)) {
		server := trial.Spec.Server
		measured[server]++
		if outcomes := trial.Clients[0].Outcomes; len(outcomes) != 1 || outcomes[0].Code != "OK" || outcomes[0].Calls != 20 {
			t.Errorf("%s: %+v, want 20 good calls", server, outcomes)
		}
		if side := trial.Servers[0]; side.Library != libraries[server] || side.End.CPUUserNs+side.End.CPUSystemNs == 0 {
			t.Errorf("%s: %q, with %d ns of the processor", server, side.Library, side.End.CPUUserNs+side.End.CPUSystemNs)
		}
	}
	for name := range libraries {
		if measured[name] != len(all.Cases) {
			t.Errorf("%s: %d trials, want one of each of %d cases", name, measured[name], len(all.Cases))
		}
	}
}
