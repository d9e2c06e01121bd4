package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/run/scratch"
)

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
