package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// built are files by which the server of a language can be told to have been built: make servers does that.
var built = map[string]string{
	"go": "go/server", "java": "java/target/server.jar", "cpp": "cpp/build/server", "rust": "rust/target/release/server-rust",
	"node": "node/node_modules", "python": "python/benchmark_pb2_grpc.py",
}

// languages is what the test reads of languages.yaml.
type languages struct {
	Defaults struct {
		Server []map[string]string `yaml:"server"`
	} `yaml:"defaults"`
	Cases []struct{} `yaml:"cases"`
}

// The servers are measured where they were built, and those that were not are left out.
func TestServersInOtherLanguagesAreMeasured(t *testing.T) {
	folder := filepath.Join(root, "examples", "servers")
	var all languages
	if err := yaml.Unmarshal([]byte(readFile(t, filepath.Join(folder, "languages.yaml"))), &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Defaults.Server) != len(built) || len(all.Cases) != 3 {
		t.Fatalf("languages.yaml has %d servers and %d cases", len(all.Defaults.Server), len(all.Cases))
	}
	libraries := map[string]string{}
	here := slices.DeleteFunc(slices.Clone(all.Defaults.Server), func(server map[string]string) bool {
		_, err := os.Stat(filepath.Join(folder, built[server["name"]]))
		if err != nil {
			t.Logf("%s is left out: it was not built", server["name"])
			return true
		}
		server["ready_within"] = "10m"
		libraries[server["name"]] = server["library"]
		return false
	})
	if len(here) == 0 {
		t.Skip("no server was built; make servers builds them")
	}
	servers, err := yaml.MarshalWithOptions(here, yaml.Flow(true))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "languages.jsonl")
	command := exec.CommandContext(patience(t), program, "run", "languages.yaml", "--trust", "languages.yaml", "--trials", "1",
		"--set", "server="+strings.TrimSpace(string(servers)), "--set", "calls=20", "--set", "warmup=0s", "--no-floor", "--out", out)
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
