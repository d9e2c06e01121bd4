package hosts

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/pipe"
	"rpcbench/internal/worker/control"
)

// A Launcher launches workers here, and on hosts.
type Launcher struct {
	Here    launch.Launcher
	Address string // at which hosts reach this machine; empty if nobody says
	hosts   map[string]*pipe.Host
}

// Add prepares hosts side by side, and returns what a worker there says of each. The error names the first that can't be
// had.
func (l *Launcher) Add(ctx context.Context, hosts []Host, version string) ([]*control.Hello, error) {
	prepared, hellos, errs := make([]*pipe.Host, len(hosts)), make([]*control.Hello, len(hosts)), make([]error, len(hosts))
	var preparing sync.WaitGroup
	for i, host := range hosts {
		preparing.Go(func() { prepared[i], hellos[i], errs[i] = host.prepare(ctx, version) })
	}
	preparing.Wait()
	if l.hosts == nil {
		l.hosts = map[string]*pipe.Host{}
	}
	for i, host := range hosts {
		if errs[i] != nil {
			return nil, errs[i]
		}
		l.hosts[host.Name] = prepared[i]
	}
	return hellos, nil
}

func (h Host) prepare(ctx context.Context, version string) (*pipe.Host, *control.Hello, error) {
	machine, err := h.machine(ctx, version)
	if err != nil {
		return nil, nil, err
	}
	prepared, err := pipe.Prepare(ctx, machine)
	if err != nil {
		return nil, nil, err
	}
	worker, err := launch.Start(ctx, prepared, launch.Order{Host: h.Name})
	if err != nil {
		return nil, nil, fmt.Errorf("host %s: %w", h.Name, withWords(err))
	}
	hello := worker.Hello
	if err := worker.Close(); err != nil {
		return nil, nil, fmt.Errorf("host %s: its worker did not end well: %w", h.Name, err)
	}
	return prepared, hello, nil
}

// withWords adds what a worker said last.
func withWords(err error) error {
	if lost, ok := errors.AsType[*launch.LostError](err); ok && lost.LastWords != "" {
		return fmt.Errorf("%w; it said: %s", err, lost.LastWords)
	}
	return err
}

// Launch implements launch.Launcher.
func (l *Launcher) Launch(ctx context.Context, order launch.Order) (launch.Process, error) {
	if order.Host != "" {
		host, ok := l.hosts[order.Host]
		if !ok {
			return nil, fmt.Errorf("the host %q was not prepared", order.Host)
		}
		return host.Launch(ctx, order)
	}
	p, err := l.Here.Launch(ctx, order)
	if err != nil || !order.Apart {
		return p, err
	}
	return &reached{p, l.Address}, nil
}

// reached is a process on this machine that other hosts reach.
type reached struct {
	launch.Process
	address string
}

// Host implements launch.Process.
func (r *reached) Host() launch.Host { return launch.Host{Address: r.address} }

// Describe makes of what a worker says of its machine the host of results.
func Describe(name string, hello *control.Hello) result.Host {
	at := hello.GetHost()
	return result.Host{
		ID: name, Name: at.GetName(), OS: at.GetOs(), Arch: at.GetArch(), Kernel: at.GetKernel(), CPU: at.GetCpu(),
		Processors: int(hello.GetProcessors()), MemoryBytes: at.GetMemoryBytes(), Governor: at.GetGovernor(),
	}
}
