// Package fleet knows the workers that can be started, this binary and those of manifests: what their stacks support, which
// plans they can carry out, and how to launch them.
package fleet

import (
	"fmt"
	"os"
	"path/filepath"

	"rpcbench/internal/plan"
	"rpcbench/internal/run/launch/adb"
	"rpcbench/internal/run/launch/browser"
	"rpcbench/internal/run/launch/qps"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/stack"
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
