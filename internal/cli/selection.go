package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/cli/alias"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/consent"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/run/launch/adb"
	"rpcbench/internal/run/launch/browser"
	"rpcbench/internal/run/launch/qps"
	"rpcbench/internal/run/service"
)

// defaultScenario is the default of run and plan.
const defaultScenario = "quick"

// A selection holds the choices of run and plan.
type selection struct {
	workers workerFlags
	theirs  theirScenarios
	sets    []string
	chosen  choiceFlags
	seed    uint64
	noFloor bool
	reuse   bool
	mayLoad bool
	given   *pflag.FlagSet
}

func (s *selection) flags(command *cobra.Command) {
	flags := command.Flags()
	s.given = flags
	for _, key := range point.Keys() {
		switch flag := key.Run; {
		case flag.Name == "":
		case flag.Form == point.AsList:
			flags.StringArray(flag.Name, nil, flag.Help)
		default:
			flags.String(flag.Name, "", flag.Help)
		}
	}
	flags.StringArrayVar(&s.sets, "set", nil,
		"set a key of every case that can have it, `KEY=VALUE` with VALUE in YAML; repeatable")
	s.chosen.flags(flags)
	flags.Uint64Var(&s.seed, "seed", 1, "`seed` of trial order, payloads and random arrivals")
	flags.BoolVar(&s.noFloor, "no-floor", false, "omit the bare-socket baseline")
	flags.BoolVar(&s.mayLoad, consent.Flag, false, "allow scenarios to load servers on other machines")
	s.workers.add(flags)
	s.theirs.flags(flags)
	flags.SetNormalizeFunc(alias.Underscores)
}

// reuseFlag is for verbs whose results say that trials are not independent.
func (s *selection) reuseFlag(flags *pflag.FlagSet) {
	flags.BoolVar(&s.reuse, "reuse", false,
		"reuse processes in later trials, also of rows that differ in sizes, "+
			"connections or rates: faster, but the trials are not independent")
}

// workerFlags say where other workers are, and which environment variables workers get.
type workerFlags struct {
	folder      string
	environment []string
	running     []string          // workers that run already, or whose launcher is no program: gRPC's, and a phone's
	browser     *browser.Launcher // of the page of phone; nil in other verbs
}

func (f *workerFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.folder, "workers", "",
		"`folder` of workers in other languages (default: java and cpp next to this binary, or $"+fleet.Env+")")
	flags.StringSliceVar(&f.running, "worker", nil,
		"running gRPC benchmark `worker`, [NAME=]qps://HOST:PORT, as the stack qps or qps-NAME, or the app on a phone, "+
			"adb:[SERIAL][@ADDRESS]; repeatable (default $"+qps.Env+")")
	flags.StringSliceVar(&f.environment, "worker-env", nil,
		"comma-separated `names` of environment variables to pass to workers besides the usual ones")
}

// fleet finds the workers.
func (e *env) fleet(f workerFlags) (*fleet.Fleet, error) {
	for _, name := range f.environment {
		if name == "" || strings.Contains(name, "=") {
			return nil, badInput(fmt.Errorf("--worker-env: %q is not the name of a variable", name))
		}
	}
	workers, err := f.qpsWorkers()
	if err != nil {
		return nil, badInput(err)
	}
	phone, err := f.phone()
	if err != nil {
		return nil, badInput(err)
	}
	found, err := fleet.Find(e.infos(), f.folder, fleet.Surroundings{
		Environment: f.environment, Temporary: e.temporary, QPS: workers, Browser: f.browser, Phone: phone,
	})
	return found, badInput(err)
}

// qpsWorkers are gRPC's own: those of the flag, or else those of the environment.
func (f *workerFlags) qpsWorkers() ([]qps.Worker, error) {
	words, from := slices.DeleteFunc(slices.Clone(f.running), isPhone), "--worker"
	if len(words) == 0 {
		words, from = qps.FromEnv(os.Getenv(qps.Env)), qps.Env
	}
	workers, err := qps.Parse(words)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return workers, nil
}

func isPhone(word string) bool { return strings.HasPrefix(word, adb.Scheme) }

// phone is the one among the words of the flag; nil without one.
func (f *workerFlags) phone() (*adb.Launcher, error) {
	words := slices.DeleteFunc(slices.Clone(f.running), func(word string) bool { return !isPhone(word) })
	if len(words) == 0 {
		return nil, nil
	}
	if len(words) > 1 {
		return nil, fmt.Errorf("--worker: %s and %s: there can be one phone at a time", words[0], words[1])
	}
	phone, err := adb.Parse(words[0], networkAddress())
	if err != nil {
		return nil, fmt.Errorf("--worker: %w", err)
	}
	return &adb.Launcher{Phone: phone}, nil
}

// plan makes the work of the named scenarios.
func (s *selection) plan(ctx context.Context, e *env, names []string, strangers strangerFlags, hosts hostFlags) (work, error) {
	scenarios, err := s.scenarios(names)
	if err != nil {
		return work{}, badInput(err)
	}
	f, err := e.fleet(s.workers)
	if err != nil {
		return work{}, err
	}
	r := reach{fleet: f, strangerFlags: strangers, hostFlags: hosts, mayLoad: s.mayLoad}
	return e.planReached(ctx, r, scenarios, s.config(), service.Config{Seed: s.seed})
}

func (s *selection) config() plan.Config {
	return plan.Config{Seed: s.seed, Floor: !s.noFloor, Reuse: s.reuse}
}

// badOrNotStarted distinguishes a worker that can't be started from bad input.
func badOrNotStarted(err error) error {
	if _, ok := errors.AsType[*fleet.StartError](err); ok {
		return failed(err)
	}
	return badInput(err)
}

// scenarios reads the named scenarios, or the default one, and applies the command line.
func (s *selection) scenarios(names []string) ([]scenario.Scenario, error) {
	workers, err := s.workers.qpsWorkers()
	if err != nil {
		return nil, err
	}
	sides := runningWorkers(workers)
	scenarios, err := s.theirs.read(sides)
	if err != nil {
		return nil, err
	}
	if len(names)+len(scenarios) == 0 {
		names = []string{defaultScenario}
	}
	for _, name := range names {
		one, err := named(name, sides)
		if err != nil {
			return nil, err
		}
		scenarios = append(scenarios, one)
	}
	overrides, err := s.overrides()
	if err != nil {
		return nil, err
	}
	choice, err := s.chosen.choice()
	if err != nil {
		return nil, err
	}
	if scenarios, err = scenario.Apply(scenarios, overrides); err != nil {
		return nil, err
	}
	return scenario.Choose(scenarios, choice)
}

// overrides returns what the command line sets, the flags for keys first.
func (s *selection) overrides() ([]scenario.Override, error) {
	var overrides []scenario.Override
	for _, key := range point.Keys() {
		if key.Run.Name == "" || !s.given.Changed(key.Run.Name) {
			continue
		}
		if key.Run.Form == point.AsList {
			list, err := s.given.GetStringArray(key.Run.Name)
			if err != nil {
				return nil, err
			}
			overrides = append(overrides, scenario.Override{
				Key: key.Name, As: &scenario.Setting{Key: key.Name, List: list}, Flag: "--" + key.Run.Name,
			})
		} else {
			overrides = append(overrides, scenario.ByFlag(key.Name, key.Run, s.given.Lookup(key.Run.Name).Value.String()))
		}
	}
	for _, set := range s.sets {
		override, err := scenario.Set(set)
		if err != nil {
			return nil, err
		}
		overrides = append(overrides, override)
	}
	return overrides, nil
}
