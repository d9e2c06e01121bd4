package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan/point"
)

func TestBuiltinScenariosOpenWithTheirQuestion(t *testing.T) {
	t.Parallel()
	files, err := builtin.ReadDir("builtin")
	if err != nil || len(files) != len(BuiltinNames()) {
		t.Fatalf("got %d files, %v; want the %d of BuiltinNames", len(files), err, len(BuiltinNames()))
	}
	for _, name := range BuiltinNames() {
		data, err := builtin.ReadFile("builtin/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		s, err := Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		opening := "question: " + s.Question + "\n"
		if s.Name != name || !strings.HasSuffix(s.Question, "?") || !strings.HasPrefix(string(data), opening) {
			t.Errorf("%s: name %q, question %q", name, s.Name, s.Question)
		}
	}
}

func TestQuickNamesTheScenariosThatGiveAVerdict(t *testing.T) {
	t.Parallel()
	s, err := Builtin("quick")
	want := "Three short trials are a preview: too few to separate differences from noise. " +
		"For a comparison run the scenario latency or throughput."
	if err != nil || s.Note != want {
		t.Errorf("got %q, %v", s.Note, err)
	}
	if s.Trials() != 3 {
		t.Errorf("got %d trials, want 3", s.Trials())
	}
}

func TestScenariosForComparingHaveTenTrialsAndWarmUpUntilSteady(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"latency", "throughput", "openloop", "cost"} {
		s, err := Builtin(name)
		if err != nil || s.Trials() != 10 {
			t.Fatalf("%s: %d trials, %v", name, s.Trials(), err)
		}
		for _, c := range s.Cases {
			if got, want := c.first().Warmup(), (point.Warmup{Least: 2 * time.Second, Most: 6 * time.Second}); got != want {
				t.Errorf("%s, %s: got %s, want %s", name, c.Title, got, want)
			}
		}
	}
}

func TestLoadTakesANameOrAPath(t *testing.T) {
	t.Parallel()
	filename := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(filename, []byte(inCase("kind: unary")), 0o600); err != nil {
		t.Fatal(err)
	}
	for nameOrPath, want := range map[string]string{"latency": "latency", filename: "x"} {
		if s, err := Load(nameOrPath); err != nil || s.Name != want {
			t.Errorf("%s: got %q, %v", nameOrPath, s.Name, err)
		}
	}
}

func TestAScenarioThatIsNotThereIsOneSentence(t *testing.T) {
	t.Parallel()
	names := "built-in scenarios: quick, simple, latency, throughput, echo, openloop, cost, batch, ycsb, patterns, channels, " +
		"distance, codec, mobile, phone, qps; " +
		"a file name ends in .yaml"
	folder := t.TempDir()
	for _, test := range []struct{ name, want string }{
		{"quik", `unknown scenario "quik"; did you mean "quick"? (` + names + `)`},
		{"", `unknown scenario "" (` + names + `)`},
		{"soak", `unknown scenario "soak" (` + names + `)`},
		{"..", `unknown scenario ".." (` + names + `)`},
		{"gone.yml", "gone.yml: the scenario can't be read: no such file or directory"},
		{"gone.yaml", "gone.yaml: the scenario can't be read: no such file or directory"},
		{folder + "/gone", folder + "/gone: the scenario can't be read: no such file or directory"},
		{folder + "/", folder + "/: the scenario can't be read: is a directory"},
	} {
		_, err := Load(test.name)
		checkError(t, err, test.want)
	}
}
