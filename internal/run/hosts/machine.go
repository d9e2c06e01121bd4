package hosts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"rpcbench/internal/run/launch/pipe"
)

// runtimeVariables tune the runtime of a worker and are recorded in results. Other hosts get no other variables.
var runtimeVariables = []string{"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT"}

// machine says how workers get to the host. Workers that do not listen need no address.
func (h Host) machine(ctx context.Context, version string) (pipe.Machine, error) {
	m := pipe.Machine{ID: h.Name, Program: h.Program, Version: version, Names: runtimeVariables, Binary: h.binary}
	var err error
	switch {
	case h.SSH != "":
		m.Shell = pipe.SSH(h.SSH, h.Options)
	default:
		m.Shell = pipe.Command(h.Command, h.Name)
	}
	switch {
	case h.Address != "":
		m.Address, err = pipe.Resolve(ctx, h.Address)
	case h.SSH != "":
		m.Address, err = pipe.AddressOf(ctx, h.SSH, h.Options)
	}
	if err != nil {
		return m, fmt.Errorf("host %s: its address is not known: %w", h.Name, err)
	}
	return m, nil
}

// binary finds this rpcbench for a machine: itself where that is alike, or one that make dist has built.
func (h Host) binary(system, processor string) (string, error) {
	if h.Binary != "" {
		return h.Binary, nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if system == runtime.GOOS && processor == runtime.GOARCH {
		return self, nil
	}
	name := fmt.Sprintf("rpcbench-%s-%s", system, processor)
	folder := filepath.Dir(self)
	for _, path := range []string{filepath.Join(folder, name), filepath.Join(folder, "..", "dist", name)} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no " + name + " next to this rpcbench: build it with make dist, or name one with binary")
}
