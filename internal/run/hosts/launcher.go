package hosts

import (
	"context"
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
	hosts   map[string]launch.Launcher
	added   []Host
}

// A prepared host takes workers.
type prepared struct {
	launch.Launcher

	address string // at which others reach it
}

// Close removes everything made on hosts. It is called whether or not Add succeeded.
func (l *Launcher) Close() error { return closePods(l.added) }

// Add prepares hosts concurrently, and returns what a worker on each reports. The error names the first host that can't be used.
func (l *Launcher) Add(ctx context.Context, hosts []Host, version string) ([]*control.Hello, error) {
	l.added = append(l.added, hosts...)
	launchers, hellos, errs := make([]prepared, len(hosts)), make([]*control.Hello, len(hosts)), make([]error, len(hosts))
	var preparing sync.WaitGroup
	for i, host := range hosts {
		preparing.Go(func() { launchers[i], hellos[i], errs[i] = host.greet(ctx, version) })
	}
	preparing.Wait()
	if l.hosts == nil {
		l.hosts = map[string]launch.Launcher{}
	}
	for i, host := range hosts {
		if errs[i] != nil {
			return nil, errs[i]
		}
		l.hosts[host.Name] = launchers[i]
	}
	return hellos, nil
}

// prepare has a host ready for workers.
func (h Host) prepare(ctx context.Context, version string) (prepared, error) {
	if h.pool != nil {
		return h.preparePod(ctx, version)
	}
	machine, err := h.machine(ctx, version)
	if err != nil {
		return prepared{}, err
	}
	host, err := pipe.Prepare(ctx, machine)
	return prepared{host, machine.Address}, err
}

// greet prepares a host, and returns what a worker there reports.
func (h Host) greet(ctx context.Context, version string) (prepared, *control.Hello, error) {
	host, err := h.prepare(ctx, version)
	if err != nil {
		return prepared{}, nil, err
	}
	hello, err := launch.Ask(ctx, host, launch.Order{Host: h.Name})
	if err != nil {
		return prepared{}, nil, fmt.Errorf("host %s: its worker %w", h.Name, err)
	}
	return host, hello, nil
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
	return launch.At(p, l.Address), nil
}

// Describe converts a worker's description of its machine into a host of results.
func Describe(name string, hello *control.Hello) result.Host {
	at := hello.GetHost()
	return result.Host{
		ID: name, Name: at.GetName(), OS: at.GetOs(), Arch: at.GetArch(), Kernel: at.GetKernel(), CPU: at.GetCpu(),
		Processors: int(hello.GetProcessors()), MemoryBytes: at.GetMemoryBytes(), Governor: at.GetGovernor(),
	}
}
