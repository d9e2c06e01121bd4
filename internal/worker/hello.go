package worker

import (
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// hello returns what this worker supports.
func hello(stacks []stack.Stack) *control.Hello {
	h := &control.Hello{
		Protocol:   control.Version,
		Runtime:    runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Processors: uint32(runtime.NumCPU()),
		Stages:     true,
		Limits:     true,
		StopDrain:  true,
		Watches:    true,
		Ports:      true, IdleStreams: true, Mixes: true, Reconnects: true,
		Host: describeHost(),
	}
	for _, s := range stacks {
		h.Stacks = append(h.Stacks, describe(s.Info()))
	}
	return h
}

func describeHost() *control.Host {
	m := host.Describe()
	return &control.Host{
		Name: m.Name, Os: runtime.GOOS, Arch: runtime.GOARCH, Kernel: m.Kernel, Cpu: m.CPU, MemoryBytes: m.MemoryBytes,
		Governor: m.Governor, OpenFiles: m.OpenFiles, UnixNs: time.Now().UnixNano(),
	}
}

func describe(i stack.Info) *control.StackInfo {
	return &control.StackInfo{
		Name: i.Name, Protocol: i.Protocol, Library: Library(i), Serves: i.Serves, Calls: i.Calls,
		Kinds: i.Kinds, Networks: i.Networks, Securities: i.Securities, Compressions: i.Compressions,
		Multiplexed: i.Multiplexed, Messages: i.Messages, Codecs: i.Codecs,
		Methods: i.Methods, Sizes: i.Sizes, Stores: i.Stores, Options: control.OptionInfos(i.Options),
	}
}

// Library names a stack's library and the version in this binary: "google.golang.org/grpc v1.85.0", or Go's own. Of
// several there are commas between.
func Library(i stack.Info) string {
	if i.Module == "" {
		return "standard library " + runtime.Version()
	}
	libraries := strings.Fields(i.Module)
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return strings.Join(libraries, ", ")
	}
	for n, path := range libraries {
		for _, module := range build.Deps {
			if module.Path == path {
				libraries[n] = module.Path + " " + module.Version
			}
		}
	}
	return strings.Join(libraries, ", ")
}
