// Package fleet knows the workers that can be started, this binary and those of manifests: what their stacks support, which
// plans they can carry out, and how to launch them.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/adb"
	"rpcbench/internal/run/launch/browser"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/launch/qps"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

const (
	// Env is the environment's word for --workers.
	Env = "RPCBENCH_WORKERS"
	// jvmOptionsEnv names the variable with options for every JVM, as in other programs' start scripts.
	jvmOptionsEnv = "JAVA_OPTS"
)

// A Fleet is all workers that can be started: this binary, which hosts the Go stacks, and those of manifests.
type Fleet struct {
	own     []stack.Info
	workers []manifest.Worker
	qps     *qps.Launcher // of gRPC's own workers
	remotes []remote      // devices that have workers
	around  Surroundings
	heard   map[string]answer // by the worker's name, of those that were asked
	builds  map[string]*build // by their paths
}

// Surroundings configure all workers.
type Surroundings struct {
	Environment []string          // names of variables that they get besides the usual ones
	Temporary   *scratch.Dir      // for their temporary files; nil is the system's
	QPS         []qps.Worker      // gRPC's own, which run already
	Browser     *browser.Launcher // of workers in a page; nil without one
	Phone       *adb.Launcher     // of workers in the app of a phone; nil without one
}

// An answer is what a worker's stacks support, or why it did not answer.
type answer struct {
	hello  *control.Hello
	offers []Offer
	err    error
}

// A StartError says that a worker which is needed can't be started.
type StartError struct{ err error }

// NotStarted returns a StartError of what Ask returned.
func NotStarted(errs []error) *StartError { return &StartError{errors.Join(errs...)} }

func (e *StartError) Error() string { return e.err.Error() }
func (e *StartError) Unwrap() error { return e.err }

// Find finds the workers besides own stacks: in the given folder, in that of the environment, or next to this binary. A folder
// that the user names must have some.
func Find(own []stack.Info, folder string, around Surroundings) (*Fleet, error) {
	named := "--workers"
	if folder == "" {
		named, folder = Env, os.Getenv(Env)
	}
	folders := []string{folder}
	if folder == "" {
		named = ""
		self, err := ownPath()
		if err != nil {
			return nil, err
		}
		folders = []string{filepath.Join(filepath.Dir(self), "java"), filepath.Join(filepath.Dir(self), "cpp")}
	}
	workers, err := manifest.Find(folders...)
	if err != nil {
		return nil, err
	}
	if named != "" && len(workers) == 0 {
		return nil, fmt.Errorf("%s %s: there is no %s in it, or in a folder of it", named, folder, manifest.FileName)
	}
	f := &Fleet{own: own, workers: workers, around: around, heard: map[string]answer{}, builds: map[string]*build{}}
	f.addQPS(around.QPS)
	f.addRemotes()
	return f, f.checkOwn()
}

// checkOwn refuses a worker that claims one of this binary's stacks.
func (f *Fleet) checkOwn() error {
	for _, info := range f.own {
		if w, ok := f.HostOf(info.Name); ok {
			return fmt.Errorf("%s and this binary both claim the stack %s", w, info.Name)
		}
	}
	return nil
}

// Beside is the path of a file that was built with this binary: in a folder next to it. It is "" where the binary is not found.
func Beside(names ...string) string {
	self, err := ownPath()
	if err != nil {
		return ""
	}
	return filepath.Join(append([]string{filepath.Dir(self)}, names...)...)
}

// ownPath is this binary's, where it really lies.
func ownPath() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("find this binary: %w", err)
	}
	return self, nil
}

// HostOf finds the other worker that hosts a stack.
func (f *Fleet) HostOf(name string) (manifest.Worker, bool) {
	i := slices.IndexFunc(f.workers, func(w manifest.Worker) bool { return slices.Contains(w.Stacks, name) })
	if i < 0 {
		return manifest.Worker{}, false
	}
	return f.workers[i], true
}

// Ask starts workers that were not asked yet, in parallel, to ask what their stacks support. It returns an error for each that
// did not answer well, now or before, in the order of the workers.
func (f *Fleet) Ask(ctx context.Context, workers []manifest.Worker) []error {
	answers := make([]answer, len(workers))
	var asking sync.WaitGroup
	for i, w := range workers {
		var known bool
		if answers[i], known = f.heard[w.Name]; !known {
			asking.Go(func() { answers[i] = f.askOne(ctx, w) })
		}
	}
	asking.Wait()
	var errs []error
	for i, w := range workers {
		f.heard[w.Name] = answers[i]
		if answers[i].err != nil {
			errs = append(errs, answers[i].err)
		}
	}
	return errs
}

func (f *Fleet) askOne(ctx context.Context, w manifest.Worker) answer {
	launcher, err := f.asking(w)
	if err != nil {
		return answer{err: fmt.Errorf("%s can't be started: %w", w, err)}
	}
	hello, err := launch.Ask(ctx, launcher, launch.Order{Stack: w.Stacks[0]})
	if err != nil {
		return answer{err: fmt.Errorf("%s %w", w, err)}
	}
	offers, err := offersOf(w, hello)
	return answer{hello, offers, err}
}

// AskFor asks the workers that the named stacks need. A worker that does not answer is an error if its stack is named, and a note
// if all stacks are. The stacks in serverless need one of our servers.
func (f *Fleet) AskFor(ctx context.Context, names, serverless []string) (notes []plan.Note, err error) {
	named := slices.DeleteFunc(slices.Clone(f.workers), func(w manifest.Worker) bool {
		return !slices.ContainsFunc(w.Stacks, func(s string) bool { return slices.Contains(names, s) })
	})
	if errs := f.Ask(ctx, named); len(errs) > 0 {
		return nil, NotStarted(errs)
	}
	if slices.Contains(names, point.All) || f.alone(serverless) {
		for _, err := range f.Ask(ctx, f.workers) {
			notes = append(notes, plan.Note{Code: plan.NoteWorkerMissing, Text: err.Error() + "."})
		}
	}
	return notes, nil
}

// serverless are the stacks of cases whose clients need a server of a worker's.
func serverless(scenarios []scenario.Scenario) []string {
	var names []string
	for _, s := range scenarios {
		for _, c := range s.Cases {
			if c.Service().IsZero() {
				names = append(names, namesOf(c)...)
			}
		}
	}
	return names
}

// StackNames are all that the cases say of stacks, on either side.
func StackNames(scenarios []scenario.Scenario) []string {
	var names []string
	for _, s := range scenarios {
		for _, c := range s.Cases {
			names = append(names, namesOf(c)...)
		}
	}
	return names
}

// namesOf returns the names of stacks in a case.
func namesOf(c scenario.Case) []string {
	var names []string
	for _, p := range c.Each("stack") {
		names = append(names, p.Stack)
	}
	for _, p := range c.Each("server") {
		if p.Program == nil {
			names = append(names, p.Server)
		}
	}
	return names
}

// alone reports whether a client among the names has no server of its protocol yet, so that one must be looked for.
func (f *Fleet) alone(names []string) bool {
	infos := f.Infos()
	return slices.ContainsFunc(infos, func(client stack.Info) bool {
		return slices.Contains(names, client.Name) && client.Calls && client.Protocol != stack.ProtocolCodec &&
			!slices.ContainsFunc(infos, func(server stack.Info) bool {
				return server.Serves && server.Protocol == client.Protocol
			})
	})
}

// Own are the binary's own stacks.
func (f *Fleet) Own() []stack.Info { return f.own }

// Infos are the stacks that can be planned: the binary's own, then those of the workers that were asked.
func (f *Fleet) Infos() []stack.Info {
	infos := slices.Clone(f.own)
	for _, w := range f.workers {
		for _, o := range f.heard[w.Name].offers {
			infos = append(infos, o.Info)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(f.builds)) {
		for _, info := range f.builds[path].infos {
			if !slices.ContainsFunc(infos, func(i stack.Info) bool { return i.Name == info.Name }) {
				infos = append(infos, info)
			}
		}
	}
	return infos
}

// Protocols returns the protocols of all stacks by name, "" if the stack's worker was not asked yet.
func (f *Fleet) Protocols() map[string]string {
	protocols := map[string]string{}
	for _, name := range f.Names() {
		protocols[name] = ""
	}
	for _, info := range f.Infos() {
		protocols[info.Name] = info.Protocol
	}
	return protocols
}

// Names are all stacks that can be had, asked or not, in order of the alphabet.
func (f *Fleet) Names() []string {
	var names []string
	for _, info := range f.own {
		names = append(names, info.Name)
	}
	for _, w := range f.workers {
		names = append(names, w.Stacks...)
	}
	slices.Sort(names)
	return names
}

// Servers returns the names of stacks that can serve. For other workers this is unknown until they are asked, so all are
// included.
func (f *Fleet) Servers() []string {
	return slices.DeleteFunc(f.Names(), func(name string) bool {
		return slices.ContainsFunc(f.own, func(i stack.Info) bool { return i.Name == name && !i.Serves })
	})
}

// Config adds what the plan needs to know of workers.
func (f *Fleet) Config(config plan.Config) (plan.Config, error) {
	config.Hosts, config.Elsewhere = map[string]plan.Host{}, manifest.Known()
	for _, name := range browser.Stacks() {
		config.Elsewhere[name] = "rpcbench phone measures it, in a browser"
	}
	for _, name := range adb.Stacks() {
		config.Elsewhere[name] = "--worker adb: has the app on a phone measure it"
	}
	config.Binaries = map[string]plan.Binary{}
	for path, b := range f.builds {
		config.Binaries[path] = b.Binary
	}
	var err error
	if config.JVMOptions, err = environmentOptions(); err != nil {
		return config, err
	}
	for _, w := range f.workers {
		for _, name := range w.Stacks {
			config.Elsewhere[name] = ""
		}
		for _, o := range f.heard[w.Name].offers {
			host := plan.Host{Abilities: o.Abilities, Worker: w.Name, JVM: w.JVM()}
			switch {
			case f.qps.Hosts(o.Name):
				host.Payload, host.Lacks, host.Note = stack.PayloadZeros, lacksQPS, qpsNote
			case f.around.Browser.Hosts(o.Name):
				host = suitBrowser(host)
			case f.around.Phone.Hosts(o.Name):
				host.Note = phoneNote
			}
			config.Hosts[o.Name] = host
		}
	}
	return config, nil
}

// Temporary returns the directory for temporary files.
func (f *Fleet) Temporary() *scratch.Dir { return f.around.Temporary }

// Launcher starts the workers that host the stacks.
func (f *Fleet) Launcher() launch.Launcher { return launchers{f} }

// Program is the program of the worker that hosts an order's stack.
func (f *Fleet) Program(order launch.Order) (process.Program, error) {
	if order.Binary != "" {
		return f.binary(order)
	}
	host, other := f.HostOf(order.Stack)
	if !other {
		return f.Self("worker")
	}
	if !host.JVM() {
		return f.program(host, nil)
	}
	options, err := jvmWords(order.JVMOptions)
	if err != nil {
		return process.Program{}, err
	}
	return f.program(host, options)
}

// Self is this binary as a worker, with these arguments.
func (f *Fleet) Self(arguments ...string) (process.Program, error) {
	self, err := os.Executable()
	return process.Program{Command: append([]string{self}, arguments...), Environment: f.around.Environment}, err
}

// program returns the program of another worker, with options after its command.
func (f *Fleet) program(w manifest.Worker, options []string) (process.Program, error) {
	temporary, err := f.around.Temporary.Path()
	return process.Program{
		Command:     slices.Concat(w.Command, options),
		Environment: slices.Concat(f.around.Environment, w.Environment), Temporary: temporary,
	}, err
}

// CheckEnvironment refuses options of the environment that a worker can't take, where one would get them.
func CheckEnvironment(jvm bool) error {
	if !jvm {
		return nil
	}
	if _, err := point.JVMWords(os.Getenv(jvmOptionsEnv)); err != nil {
		return fmt.Errorf("the environment's %s: %w", jvmOptionsEnv, err)
	}
	return nil
}
