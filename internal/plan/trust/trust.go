// Package trust decides what a foreign file may do: a scenario, a results file whose plan is replayed, the requests of a
// load. Measuring on this machine, within the limits of scenarios, needs no consent. Anything else that such a file would
// execute, read, write or reach is an Ask. It happens only if the user consents: to the whole file, by naming it, or to the
// list of Asks, at a terminal.
//
// The package is pure: it reads no file, resolves no name and prompts nobody itself. What the user types is not judged
// here.
package trust

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"rpcbench/internal/call/target"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// A Kind is the subject of an Ask.
type Kind string

// Kinds.
const (
	// JVMOption is an option that may do more than size and tune the JVM: run a command, load code, read or write a file.
	JVMOption Kind = "jvm_option"
	// Target is a server that may be on another machine.
	Target Kind = "target"
	// Variable is an environment variable whose value would be sent to the server.
	Variable Kind = "variable"
	// Call is a method or a URL of a foreign server, here or elsewhere: its effect is unknown.
	Call Kind = "call"
	// Host is a machine of hosts.yaml on which processes would be started.
	Host Kind = "host"
	// Program is one that would be executed, to plan too.
	Program Kind = "program"
	// Server is the command of a server that would be started for each trial.
	Server Kind = "server"
	// Proxy is the command of one that would be started for each trial, and its configuration, by which it may do anything.
	Proxy Kind = "proxy"
	// Read is a file or folder that would be read and sent.
	Read Kind = "read"
)

// Stdin is an Ask's File where it was read from standard input.
const Stdin = "-"

// An Ask is one thing that a file would do and that needs consent.
type Ask struct {
	File string `json:"file"`
	Kind Kind   `json:"kind"`
	What string `json:"what"` // the file's own words
}

// String returns what is asked for, without the file's name. Text from the file is quoted, so it can't pass for our words.
func (a Ask) String() string {
	switch a.Kind {
	case JVMOption:
		return fmt.Sprintf("start a JVM with %q", a.What)
	case Target:
		return fmt.Sprintf("load the server at %q", a.What)
	case Call:
		return fmt.Sprintf("call %q", a.What)
	case Host:
		return fmt.Sprintf("start processes on the host %q", a.What)
	case Program:
		return fmt.Sprintf("execute %q", a.What)
	case Server:
		return fmt.Sprintf("start the server %q", a.What)
	case Proxy:
		return fmt.Sprintf("start the proxy %q", a.What)
	case Read:
		return fmt.Sprintf("read %q", a.What)
	default:
		return fmt.Sprintf("send the environment variable %q", a.What)
	}
}

// Host returns the host of a Target as it is spelled; empty if there is none.
func (a Ask) Host() string {
	host, _, err := net.SplitHostPort(a.What)
	if a.Kind != Target || err != nil {
		return ""
	}
	return host
}

// OfScenario returns what a scenario asks for, without duplicates. A built-in scenario asks for nothing. Values of the command
// line are the user's own.
func OfScenario(s scenario.Scenario) []Ask {
	if s.File == "" {
		return nil
	}
	list := asks{file: s.File}
	for _, c := range s.Cases {
		if !c.Overridden("jvm_options") {
			for _, p := range c.Each("jvm_options") {
				list.options(p.JVMOptions)
			}
		}
		if !c.Overridden("binary") {
			for _, p := range c.Each("binary") {
				list.binary(p.Spec)
			}
		}
		if !c.Overridden("server") {
			for _, p := range c.Each("server") {
				list.program(p.Program)
			}
		}
		if !c.Overridden("proxy") {
			for _, p := range c.Each("proxy") {
				list.proxy(p.Proxy)
			}
		}
		list.service(c)
		list.places(c)
		list.sizes(c)
	}
	return list.found
}

// places adds the hosts that a case runs on.
func (l *asks) places(c scenario.Case) {
	for _, key := range []string{"client_hosts", "server_hosts"} {
		if c.Overridden(key) {
			continue
		}
		for _, p := range c.Each(key) { // which has no other key
			l.hosts(p.ClientHosts)
			l.hosts(p.ServerHosts)
		}
	}
}

// sizes adds the files that a case has lengths from.
func (l *asks) sizes(c scenario.Case) {
	for _, key := range point.SizesFileKeys {
		if c.Overridden(key) {
			continue
		}
		for _, p := range c.Each(key) { // which has no other key
			for _, path := range p.SizesFiles() {
				l.add(Read, path)
			}
		}
	}
}

func (l *asks) hosts(names string) {
	for _, name := range point.HostList(names) {
		if name != point.LocalHost {
			l.add(Host, name)
		}
	}
}

// service adds what a case's service reaches, reads and sends.
func (l *asks) service(c scenario.Case) {
	s := c.Service()
	typed := c.Overridden("target")
	if at := s.Target; !typed && !isHere(at.Network, at.Address) {
		l.add(Target, at.Address)
	}
	if s.Runs() {
		l.calls(c, typed)
	}
	for _, path := range s.Files() {
		l.add(Read, path)
	}
	if s.TokenEnv != "" && !c.Overridden("token_env") {
		l.add(Variable, s.TokenEnv)
	}
}

// calls adds what a case calls at its target, unless that was typed.
func (l *asks) calls(c scenario.Case, typed bool) {
	s := c.Service()
	switch {
	case len(s.Mix) > 0 && !c.Overridden("mix"):
		for _, m := range s.Mix {
			l.add(Call, m.Title()+" at "+s.Where())
		}
	case len(s.Mix) > 0:
	case s.IsForeign() && (!typed || s.Call != "" && !c.Overridden("call")):
		l.add(Call, s.Verb()+" at "+s.Where())
	}
}

// OfPlan returns what the plan in a results file asks for, without duplicates.
func OfPlan(file string, trials []plan.Trial) []Ask {
	list := asks{file: file}
	for _, t := range trials {
		list.options(t.Spec.JVMOptions)
		list.hosts(t.Spec.ClientHosts)
		list.hosts(t.Spec.ServerHosts)
		list.binary(t.Spec)
		list.program(t.Spec.Program)
		list.proxy(t.Spec.Proxy)
		if !isHere(t.Spec.Network, t.Spec.Target) {
			list.add(Target, t.Spec.Target)
		}
	}
	return list.found
}

// OfVariable returns the Ask of a file of requests or metadata that names an environment variable.
func OfVariable(file, name string) Ask { return Ask{file, Variable, name} }

// asks collects those of a file.
type asks struct {
	file  string
	found []Ask
}

func (l *asks) add(kind Kind, what string) {
	if ask := (Ask{l.file, kind, what}); !slices.Contains(l.found, ask) {
		l.found = append(l.found, ask)
	}
}

// binary adds the program that a point would be hosted by.
func (l *asks) binary(s plan.Spec) {
	if s.Binary != "" {
		l.add(Program, cmp.Or(s.BinaryPath(), s.Binary))
	}
}

// program adds the command of a server.
func (l *asks) program(p *point.Program) {
	if p == nil {
		return
	}
	l.add(Server, p.Says())
	if !strings.HasPrefix(p.Address, "/") && !isHere(stack.NetworkTCP, p.Address) {
		l.add(Target, p.Address)
	}
}

// proxy adds the command of a proxy that is not built in.
func (l *asks) proxy(p *point.Proxy) {
	if p != nil && p.Program != nil {
		l.add(Proxy, p.Program.Says())
	}
}

// options adds the words of a text of JVM options that do not only tune. One that can't be split is added whole.
func (l *asks) options(text string) {
	words, err := point.JVMWords(text)
	if err != nil {
		words = []string{text}
	}
	for _, word := range words {
		if err != nil || !tunes(word) {
			l.add(JVMOption, word)
		}
	}
}

// isHere reports whether a target is on this machine by its spelling alone: a Unix socket, an IP address of the loopback
// interface, or localhost. A name can lead here when it is looked up and elsewhere a moment later.
func isHere(network, address string) bool {
	if address == "" || network == stack.NetworkUnix {
		return true
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return target.IsLoopback(host) || err == nil && target.LeadsHere(ip)
}
