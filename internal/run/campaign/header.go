package campaign

import (
	"os"
	"runtime"
	"slices"
	"time"

	"rpcbench/internal/call/secret"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/host"
)

// NewHeader returns the header of a results file that is about to hold a plan's trials, measured here by a binary.
func NewHeader(binary result.Binary, p plan.Plan, scenarios []scenario.Scenario) result.Header {
	h := result.Header{
		Created: time.Now().UTC().Truncate(time.Second), Seed: p.Seed, Binary: binary, Hosts: []result.Host{Machine()},
		Environment: Environment(), Notes: p.Notes, Plan: p.Trials,
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

// runtimeVariables change how the runtime of a worker behaves, which inherits them. JAVA_OPTS is part of the specifications.
var runtimeVariables = []string{
	"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS",
}

// Environment has the variables of this process that change how a runtime runs, without secrets; those that are not set are
// absent.
func Environment() map[string]string {
	found := map[string]string{}
	for _, name := range runtimeVariables {
		if value := os.Getenv(name); value != "" {
			found[name] = secret.Text(value)
		}
	}
	return found
}

// Machine describes this one.
func Machine() result.Host {
	m := host.Describe()
	return result.Host{
		Name: m.Name, OS: runtime.GOOS, Arch: runtime.GOARCH, Kernel: m.Kernel, CPU: m.CPU,
		Processors: m.Processors, MemoryBytes: m.MemoryBytes, Governor: m.Governor,
	}
}
