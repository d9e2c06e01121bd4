package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/hosts"
	"rpcbench/internal/run/launch/kube"
	"rpcbench/internal/run/launch/pipe"
	"rpcbench/internal/stack"
)

// hostFlags say which machines there are.
type hostFlags struct {
	file  string
	named func() bool // whether the user named the file
}

func (f *hostFlags) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "hosts", hosts.FileName, "`file` that lists the hosts of --client-hosts, client_hosts and server_hosts")
	f.named = func() bool { return flags.Changed("hosts") }
}

// read reads the list of hosts.
func (f *hostFlags) read() (hosts.List, error) {
	list, err := hosts.Read(f.file)
	if !errors.Is(err, fs.ErrNotExist) {
		return list, err
	}
	const lists = "no such file; it lists the hosts, such as \"db1: {ssh: me@db1.example.com}\""
	if f.named() {
		return list, fmt.Errorf("--hosts %s: %s", f.file, lists)
	}
	return list, fmt.Errorf("%s: %s; --hosts names another file", f.file, lists)
}

// expand returns a function that replaces an entry for several Pods by each of them. The list of hosts is read when hosts are
// prepared.
func (f *hostFlags) expand() func(hosts string) (string, error) {
	read := sync.OnceValues(func() (hosts.List, error) { return hosts.Read(f.file) })
	return func(names string) (string, error) {
		if names == "" {
			return "", nil
		}
		list, err := read()
		if errors.Is(err, fs.ErrNotExist) {
			return names, nil
		}
		return list.Expand(names), err
	}
}

// place prepares the hosts that the work runs on, adds them to the header, and has the workers start there.
func (e *env) place(ctx context.Context, f hostFlags, w *work, head *result.Header) error {
	here := &hosts.Launcher{Here: w.fleet.Launcher()}
	w.launcher, w.release = here, func() { e.release(here) }
	names := hostsOf(w.plan.Trials)
	if len(names) == 0 && !f.named() {
		return nil
	}
	list, err := f.read()
	if err != nil {
		return badInput(err)
	}
	others, err := list.Named(names)
	if err != nil {
		return badInput(err)
	}
	if len(names) == 0 {
		return nil // the file is good, and nothing asks for it
	}
	for _, trial := range w.plan.Trials {
		if err := suits(trial.Spec, list, w.fleet.Own()); err != nil {
			return badInput(err)
		}
	}
	if here.Address = list.LocalAddress(); here.Address != "" {
		if here.Address, err = pipe.Resolve(ctx, here.Address); err != nil {
			return badInput(fmt.Errorf("%s: local: %w", f.file, err))
		}
	}
	fmt.Fprintf(e.err, "preparing hosts: %s\n", strings.Join(names, ", "))
	ctx, restore := interruptible(ctx, nothing, w.release) // what has no handler would leave Pods behind
	defer restore()
	hellos, err := here.Add(ctx, others, e.said())
	switch {
	case ctx.Err() != nil:
		w.release()
		return &exitError{exitInterrupted, errors.New("interrupted while the hosts were prepared")}
	case err != nil:
		w.release()
		return failed(err)
	}
	for i, hello := range hellos {
		head.Hosts = append(head.Hosts, hosts.Describe(others[i].Name, hello))
	}
	return nil
}

// release removes what was created for hosts.
func (e *env) release(l *hosts.Launcher) {
	if err := l.Close(); err != nil {
		fmt.Fprintf(e.err, "warning: %v.\n", err)
	}
}

// hostsOf are the hosts of trials beside this machine, each once, sorted.
func hostsOf(trials []plan.Trial) []string {
	var names []string
	for _, t := range trials {
		names = append(names, t.Spec.Hosts()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// suits refuses a trial whose processes can't run where they are to, or can't be reached there.
func suits(s plan.Spec, list hosts.List, own []stack.Info) error {
	for _, side := range []struct{ key, hosts, stack string }{
		{"client_hosts", s.ClientHosts, s.Stack}, {"server_hosts", s.ServerHosts, s.Server},
	} {
		isOwn := slices.ContainsFunc(own, func(i stack.Info) bool { return i.Name == side.stack })
		if side.hosts != "" && side.stack != "" && !isOwn {
			return fmt.Errorf("%s: the stack %s can't run on other hosts, because its worker is not part of this binary",
				side.key, side.stack)
		}
	}
	for _, side := range []struct{ key, cpus, hosts string }{
		{"client_cpus", s.ClientCPUs, s.ClientHosts}, {"server_cpus", s.ServerCPUs, s.ServerHosts},
	} {
		if side.cpus != "" && slices.ContainsFunc(point.HostList(side.hosts), list.IsPod) {
			return fmt.Errorf("%s: %w", side.key, kube.ErrCPUs)
		}
	}
	here := slices.Contains(point.HostList(s.ServerHosts), point.LocalHost)
	if s.Apart() && here && list.LocalAddress() == "" {
		return errors.New("a server runs on this machine and its clients on others, so the list of hosts has to say where they " +
			`reach it: "local: {address: 192.0.2.1}"`)
	}
	return nil
}

// said returns the output of --version.
func (e *env) said() string { return "rpcbench version " + version }
