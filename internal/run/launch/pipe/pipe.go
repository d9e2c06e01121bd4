// Package pipe launches workers of this binary on other machines, through any command that gives a pipe to a shell there:
// OpenSSH, srun, docker exec, kubectl exec.
//
// The binary gets there by itself: it is streamed once, checked by its hash, and kept in the user's cache folder. A worker
// ends with its pipe, and also when nothing comes through it any more.
package pipe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/run/child"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/worker/host"
)

// A Machine says how workers get to another machine.
type Machine struct {
	ID      string   // in results
	Address string   // at which the processes of a trial reach what listens there
	Shell   Shell    // runs scripts there
	Program string   // of an rpcbench that is there already; empty has this one copied
	Version string   // what that must say of itself
	Names   []string // variables of this process's environment that workers get there
	// Binary finds this rpcbench for a system and a processor, by Go's names.
	Binary func(system, processor string) (path string, err error)
}

// A Shell is the command that runs a script of a POSIX shell on a machine.
type Shell func(script string) []string

// A Host is a Machine where workers can be started.
type Host struct {
	machine Machine
	program string // as a shell has it
	gate    gate
}

// Prepare has the machine ready for workers: it is reached, and has the binary. The error names the machine.
func Prepare(ctx context.Context, m Machine) (*Host, error) {
	program, err := m.provide(ctx)
	if err != nil {
		return nil, fmt.Errorf("host %s: %w", m.ID, err)
	}
	return &Host{machine: m, program: program, gate: connecting}, nil
}

// Launch implements launch.Launcher, for workers of this binary. It waits while many are on their way.
func (h *Host) Launch(ctx context.Context, order launch.Order) (launch.Process, error) {
	leave, err := h.gate.enter(ctx)
	if err != nil {
		return nil, fmt.Errorf("host %s: %w", h.machine.ID, err)
	}
	words := h.machine.Shell(h.script(order))
	command := exec.Command(words[0], words[1:]...)
	command.Stderr = order.Output
	piped, err := child.StartPiped(command, nil)
	if err != nil {
		leave()
		return nil, fmt.Errorf("host %s: %w", h.machine.ID, err)
	}
	return &remote{&process.Process{Piped: piped}, leave, launch.Host{ID: h.machine.ID, Address: h.machine.Address}}, nil
}

// script starts a worker in place of the shell.
func (h *Host) script(order launch.Order) string {
	var script strings.Builder
	for _, name := range h.machine.Names {
		if value, set := os.LookupEnv(name); set {
			fmt.Fprintf(&script, "export %s=%s; ", name, point.Quoted(value))
		}
	}
	if padding := order.Layout.Padding(); padding != "" {
		script.WriteString("export " + padding + "; ")
	}
	script.WriteString("exec ")
	if len(order.CPUs) > 0 {
		fmt.Fprintf(&script, "taskset -c %s ", host.FormatCPUs(order.CPUs))
	}
	script.WriteString(h.program + " worker --tether")
	return script.String()
}

// A remote is a worker on another machine. Killing it kills the command that leads there, which ends the worker.
type remote struct {
	*process.Process
	arrived func() // called when it has logged in there, or never will
	host    launch.Host
}

// Read implements launch.Process.
func (r *remote) Read(b []byte) (int, error) {
	n, err := r.Process.Read(b)
	r.arrived()
	return n, err
}

// Host implements launch.Process.
func (r *remote) Host() launch.Host { return r.host }

// Wait implements launch.Process. The end of the command that leads there is said in its own words.
func (r *remote) Wait() error {
	err := r.Process.Wait()
	r.arrived()
	if _, killed := errors.AsType[*launch.KilledError](err); err == nil || killed {
		return err
	}
	if words := launch.LastLine(r.LastWords()); words != "" {
		return fmt.Errorf("%w: %s", err, words)
	}
	return err
}

// Command is the Shell of any command that provides a pipe to a machine. {host} in its words stands for the machine's name.
func Command(words []string, name string) Shell {
	return func(script string) []string {
		var all []string
		for _, word := range words {
			all = append(all, strings.ReplaceAll(word, "{host}", name))
		}
		return append(all, "sh", "-c", script)
	}
}

// SSH is the Shell of the user's OpenSSH, with the user's configuration, agent and known hosts. It asks nothing, and finds
// within 10 seconds that a connection is dead. Where an option of both is given twice, the first holds.
func SSH(destination string, options []string) Shell {
	return func(script string) []string {
		return append(ssh(options), destination, "exec sh -c "+point.Quoted(script))
	}
}

func ssh(options []string) []string {
	return append([]string{
		"ssh", "-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=3", "-o", "ServerAliveCountMax=2", "-o", "ConnectTimeout=10",
	}, options...)
}

// AddressOf returns the address at which OpenSSH reaches a destination.
func AddressOf(ctx context.Context, destination string, options []string) (string, error) {
	words := append(append(ssh(options), "-G"), destination)
	said, err := exec.CommandContext(ctx, words[0], words[1:]...).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(words[:1], " "), explained(err))
	}
	for line := range strings.Lines(string(said)) {
		if name, ok := strings.CutPrefix(line, "hostname "); ok {
			return Resolve(ctx, strings.TrimSpace(name))
		}
	}
	return "", fmt.Errorf("ssh -G %s does not say where it is", destination)
}

// Resolve returns the IP address of a name, of IPv4 where it has one, so that all processes mean the same.
func Resolve(ctx context.Context, name string) (string, error) {
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", name)
	if err != nil {
		return "", err
	}
	for _, address := range addresses {
		if address.Unmap().Is4() {
			return address.Unmap().String(), nil
		}
	}
	return addresses[0].String(), nil
}

// explained adds the command's standard error to the error.
func explained(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && launch.LastLine(string(exit.Stderr)) != "" {
		return errors.New(launch.LastLine(string(exit.Stderr)))
	}
	return err
}
