package cli

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"rpcbench/internal/host"
	"rpcbench/internal/plan"
	"rpcbench/internal/result"
	"rpcbench/internal/scenario"
)

// header says what a results file is about to hold.
func header(p plan.Plan, scenarios []scenario.Scenario) result.Header {
	h := result.Header{
		Created: time.Now().UTC().Truncate(time.Second), Seed: p.Seed, Binary: binary(), Host: machine(),
		Environment: environment(), Notes: p.Notes, Plan: p.Trials,
	}
	for _, s := range scenarios {
		h.Scenarios = append(h.Scenarios,
			result.Scenario{Name: s.Name, Question: s.Question, Trials: s.Trials(), Note: s.Note, Cases: titles(s)})
	}
	return h
}

// titles returns the titles of a scenario's cases, each once: a case with a list of kinds has become several.
func titles(s scenario.Scenario) []string {
	var titles []string
	for _, c := range s.Cases {
		if !slices.Contains(titles, c.Title) {
			titles = append(titles, c.Title)
		}
	}
	return titles
}

// runtimeVariables change how the runtime of a worker behaves, which gets them from here. JAVA_OPTS stands in the
// specifications.
var runtimeVariables = []string{
	"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS",
}

func environment() map[string]string {
	found := map[string]string{}
	for _, name := range runtimeVariables {
		if value := os.Getenv(name); value != "" {
			found[name] = value
		}
	}
	return found
}

func machine() result.Host {
	m := host.Describe()
	return result.Host{
		Name: m.Name, OS: runtime.GOOS, Arch: runtime.GOARCH, Kernel: m.Kernel, CPU: m.CPU,
		Processors: m.Processors, MemoryBytes: m.MemoryBytes, Governor: m.Governor,
	}
}

// checkResume returns an error that names what differs between what a file holds and what is asked for now.
func checkResume(path string, old, now result.Header) error {
	differs := func(what string, before, after any) error {
		return fmt.Errorf("--resume: %s has another %s: %v there, %v now", path, what, before, after)
	}
	before, after := facts(old), facts(now)
	for i, fact := range before {
		if fact.value != after[i].value {
			return differs(fact.name, orUnknown(fact.value), orUnknown(after[i].value))
		}
	}
	planned, asked := ids(old.Plan), ids(now.Plan)
	if slices.Equal(planned, asked) {
		return nil
	}
	return differs("plan", planDifference(old.Plan, asked), planDifference(now.Plan, planned))
}

// A fact is what must be the same in all of a file.
type fact struct {
	name  string
	value any
}

func facts(h result.Header) []fact {
	return []fact{
		{"seed", h.Seed},
		{"version of rpcbench", h.Binary.Version},
		{"commit of rpcbench", h.Binary.Commit},
		{"version of Go", h.Binary.Go},
		{"host", h.Host.Name},
		{"operating system", h.Host.OS},
		{"architecture", h.Host.Arch},
		{"kernel", h.Host.Kernel},
		{"model of processor", h.Host.CPU},
		{"number of processors", h.Host.Processors},
		{"size of memory", h.Host.MemoryBytes},
		{"frequency governor", h.Host.Governor},
		{"environment", cmp.Or(h.EnvironmentWords(), "none")},
	}
}

func orUnknown(value any) any {
	if value == "" {
		return "unknown"
	}
	return value
}

func ids(trials []plan.Trial) []string {
	ids := make([]string, len(trials))
	for i, t := range trials {
		ids[i] = t.ID
	}
	return ids
}

// planDifference names the first trial that the other plan has not.
func planDifference(trials []plan.Trial, other []string) string {
	for _, t := range trials {
		if !slices.Contains(other, t.ID) {
			return fmt.Sprintf("%d trials, among them %s for %v", len(trials), t.Spec, time.Duration(t.Spec.DurationNs))
		}
	}
	return fmt.Sprintf("%d trials", len(trials))
}

// missing returns the trials that the file lacks, or has as failed.
func missing(trials []plan.Trial, done []result.Trial) []plan.Trial {
	good := map[string]bool{}
	for _, t := range done {
		good[t.ID] = t.Status == result.StatusOK
	}
	return slices.DeleteFunc(slices.Clone(trials), func(t plan.Trial) bool { return good[t.ID] })
}
