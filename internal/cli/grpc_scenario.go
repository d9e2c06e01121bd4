package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan/grpcscenario"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/report"
	"rpcbench/internal/report/formats"
	"rpcbench/internal/results/source"
	"rpcbench/internal/run/launch/qps"
)

// theirScenarios holds gRPC's scenarios, given by the flags of gRPC's driver in addition to those named as ours.
type theirScenarios struct {
	file, text string
}

// flags adds the flags of gRPC's driver, which are hidden: for our own, the name of a file says what is in it.
func (t *theirScenarios) flags(flags *pflag.FlagSet) {
	flags.StringVar(&t.file, "scenarios-file", "", "Scenarios of gRPC's benchmarks in JSON")
	flags.StringVar(&t.text, "scenarios-json", "", "the same, as text")
	for _, name := range []string{"scenarios-file", "scenarios-json"} {
		_ = flags.MarkHidden(name) // it is there
	}
}

// read reads the given scenarios.
func (t *theirScenarios) read(workers runningWorkers) (read []scenario.Scenario, err error) {
	if t.file != "" {
		one, err := readTheirs(t.file, workers)
		if err != nil {
			return nil, err
		}
		read = append(read, one)
	}
	if t.text != "" {
		w, err := workers.sides()
		if err != nil {
			return nil, err
		}
		one, err := grpcscenario.Parse("--scenarios_json", []byte(t.text), w)
		if err != nil {
			return nil, err
		}
		read = append(read, one)
	}
	return read, nil
}

// named reads a scenario by its name: one of ours, or of gRPC's benchmarks.
func named(name string, workers runningWorkers) (scenario.Scenario, error) {
	if pattern, ok := strings.CutPrefix(name, grpcscenario.Prefix); ok {
		w, err := workers.sides()
		if err != nil {
			return scenario.Scenario{}, err
		}
		return grpcscenario.Named(pattern, w)
	}
	if strings.HasSuffix(name, ".json") {
		return readTheirs(name, workers)
	}
	return scenario.Load(name)
}

func readTheirs(name string, workers runningWorkers) (scenario.Scenario, error) {
	unreadable := func(err error) error {
		return scenario.Errorf(name, "Scenarios can't be read: %v", plain.Cause(err))
	}
	file, err := infile.Open(name)
	if err != nil {
		return scenario.Scenario{}, unreadable(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, grpcscenario.BytesMax+1))
	if err != nil {
		return scenario.Scenario{}, unreadable(err)
	}
	w, err := workers.sides()
	if err != nil {
		return scenario.Scenario{}, err
	}
	s, err := grpcscenario.Parse(name, data, w)
	s.File = name
	return s, err
}

// runningWorkers are gRPC's own workers.
type runningWorkers []qps.Worker

// sides assigns workers to sides as gRPC's driver does: the first serves, and the others call. Workers with one name are a pool,
// which both sides use.
func (r runningWorkers) sides() (grpcscenario.Workers, error) {
	switch len(r) {
	case 0:
		return grpcscenario.Workers{}, nil
	case 1:
		return grpcscenario.Workers{}, scenario.Errorf("--worker",
			"a scenario of gRPC's benchmarks needs a worker for each side, and one is given: %s", r[0])
	}
	sides := grpcscenario.Workers{Server: r[0].Stack, Client: r[1].Stack}
	for _, w := range r[1:] {
		if w.Stack == sides.Client {
			sides.Clients++
		}
	}
	return sides, nil
}

// listTheirs prints the names that gRPC gives its scenarios.
func (e *env) listTheirs() error {
	for _, name := range grpcscenario.Names() {
		if _, err := fmt.Fprintln(e.out, grpcscenario.Prefix+name); err != nil {
			return failed(err)
		}
	}
	return nil
}

// theirNotes says how fields about gRPC's libraries were treated.
func theirNotes(scenarios []scenario.Scenario) (text string) {
	for _, s := range scenarios {
		if s.Note != "" && (strings.HasPrefix(s.Name, grpcscenario.Prefix) || strings.HasSuffix(s.Name, ".json")) {
			text += fmt.Sprintf("note: %s: %s\n", s.Name, s.Note)
		}
	}
	return text
}

// scenarioResultFile is the name in gRPC's driver for --output with --format scenario-result.
const scenarioResultFile = "scenario-result-file"

// checkScenarioResult refuses, before anything is measured, a file that can't be written then.
func (f *outputFlags) checkScenarioResult() error {
	if f.scenarioResult == "" {
		return nil
	}
	output := namedFile{"--scenario_result_file", f.scenarioResult}
	return cmp.Or(checkOverwrite(output, []namedFile{{"--out", f.out}}), checkWritable(output))
}

// saveScenarioResult writes that file, if it is asked for.
func (e *env) saveScenarioResult(f *outputFlags) error {
	if f.scenarioResult == "" {
		return nil
	}
	built, err := source.Report([]string{f.out}, point.Choice{})
	if err != nil {
		return failed(err)
	}
	return e.write(built, reportFlags{format: formats.ScenarioResult, output: f.scenarioResult}, report.Options{})
}
