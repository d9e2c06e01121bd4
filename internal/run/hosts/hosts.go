// Package hosts has the machines that the user has listed in hosts.yaml, and launches workers on them and here.
package hosts

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/infile"
	"rpcbench/internal/plan/yamlbound"
	"rpcbench/internal/run/launch/kube"
)

// FileName is the default name of the file.
const FileName = "hosts.yaml"

// Local is the entry of this machine.
const Local = "local"

// fileBytesMax is far more than a list of machines needs; a longer file was named by mistake.
const fileBytesMax = 1 << 20

// A Host is how to get to a machine. It has one of SSH, Command and Kubernetes.
type Host struct {
	Name    string   `yaml:"-"`
	SSH     string   `yaml:"ssh"`      // user@host, or a name of the user's ~/.ssh/config
	Options []string `yaml:"options"`  // of ssh
	Command []string `yaml:"command"`  // that gives a pipe; {host} stands for the name
	Address string   `yaml:"address"`  // at which other hosts reach it
	Program string   `yaml:"rpcbench"` // the path of an rpcbench that is there already
	Binary  string   `yaml:"binary"`   // the path of an rpcbench here that is for that machine

	// Kubernetes has the host be a Pod, or as many as it counts.
	Kubernetes *kube.Spec `yaml:"kubernetes"`

	pool   *kube.Pool // of the entry
	member int        // of the pool, from 1
}

// A List is the content of a file.
type List struct {
	path  string
	hosts map[string]Host
	pods  map[string][]Host // of entries of Kubernetes, by the entry's name
}

var name = regexp.MustCompile(`\A[A-Za-z0-9][A-Za-z0-9._-]*\z`)

// maxName is checked apart from the form, where it would take long to compile.
const maxName = 64

// Read reads a file. Every error is one sentence that names the file.
func Read(path string) (List, error) {
	text, err := infile.Read(path, fileBytesMax)
	if err != nil {
		return List{}, err
	}
	return parse(path, text)
}

func parse(path string, text []byte) (List, error) {
	list := List{path: path, pods: map[string][]Host{}}
	var below struct{ Hosts map[string]Host }
	under := isBelowHosts(text)
	var into any = &list.hosts
	if under {
		into = &below
	}
	if err := yamlbound.Decode(path, text, into); err != nil {
		if strings.Contains(err.Error(), ": unknown field") {
			err = fmt.Errorf("%w; a host has ssh, options, command, address, rpcbench, binary and kubernetes", err)
		}
		if strings.HasSuffix(err.Error(), "; expected a map") {
			err = fmt.Errorf("%w: each host is a name and its fields, such as db1: {ssh: user@host}", err)
		}
		return List{}, err
	}
	if under {
		list.hosts = below.Hosts
	}
	for _, name := range slices.Sorted(maps.Keys(list.hosts)) {
		host := list.hosts[name]
		host.Name = name
		if err := host.check(); err != nil {
			return List{}, fmt.Errorf("%s: %s: %w", path, name, err)
		}
		list.hosts[name] = host
	}
	if err := list.addPods(); err != nil {
		return List{}, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// isBelowHosts returns whether the file is one map, "hosts:", of hosts; a host of that name has fields and no maps.
func isBelowHosts(text []byte) bool {
	if _, err := yamlbound.Check(text); err != nil {
		return false // Decode says why
	}
	var all map[string]any
	if yaml.Unmarshal(yamlbound.TrimMark(text), &all) != nil || len(all) != 1 {
		return false
	}
	below, ok := all["hosts"].(map[string]any)
	for _, host := range below {
		if _, isMap := host.(map[string]any); !isMap {
			return false
		}
	}
	return ok && len(below) > 0
}

func (h Host) check() error {
	switch {
	case len(h.Name) > maxName || !name.MatchString(h.Name):
		return fmt.Errorf("a name has letters, digits, dots, hyphens and underscores, %d at most", maxName)
	case h.Name == Local:
		return h.checkLocal()
	}
	if err := h.checkWay(); err != nil {
		return err
	}
	switch {
	case h.Program != "" && h.Binary != "":
		return errors.New("rpcbench is there already, so binary has nothing to copy: give one of the two")
	case slices.Contains(h.Command, "") || slices.Contains(h.Options, ""):
		return errors.New("a word is empty")
	default:
		return nil
	}
}

// checkLocal checks the entry of this machine, to which no way leads.
func (h Host) checkLocal() error {
	if h.SSH != "" || len(h.Options) > 0 || len(h.Command) > 0 || h.Program != "" || h.Binary != "" || h.Kubernetes != nil {
		return errors.New("this entry is the machine that rpcbench runs on; it takes only an address")
	}
	return nil
}

// checkWay checks how the host is reached.
func (h Host) checkWay() error {
	if h.Kubernetes != nil {
		return h.checkKubernetes()
	}
	switch {
	case (h.SSH == "") == (len(h.Command) == 0):
		return errors.New("a host has either ssh, such as user@host, or command, a list of words that give a pipe to it, or kubernetes")
	case strings.HasPrefix(h.SSH, "-") || strings.ContainsAny(h.SSH, " \t\n"):
		return fmt.Errorf("ssh: %q is not a destination, such as user@host: options go into a separate list", h.SSH)
	case h.SSH == "" && len(h.Options) > 0:
		return errors.New("options are of ssh; a command has its own among its words")
	default:
		return nil
	}
}

// Named returns hosts by their names.
func (l List) Named(names []string) ([]Host, error) {
	var found []Host
	for _, name := range names {
		hosts, ok := l.named(name)
		if !ok {
			return nil, fmt.Errorf("the host %q is not in %s%s", name, cmp.Or(l.path, FileName), hint.Of(name, l.Names()))
		}
		for _, host := range hosts {
			if !slices.ContainsFunc(found, func(h Host) bool { return h.Name == host.Name }) {
				found = append(found, host)
			}
		}
	}
	return found, nil
}

// named are the hosts of a name: one, or all Pods of an entry; none for this machine.
func (l List) named(name string) ([]Host, bool) {
	if name == Local {
		return nil, true
	}
	if pods, ok := l.pods[name]; ok {
		return pods, true
	}
	for _, pods := range l.pods {
		if i := slices.IndexFunc(pods, func(h Host) bool { return h.Name == name }); i >= 0 {
			return pods[i : i+1], true
		}
	}
	host, ok := l.hosts[name]
	return []Host{host}, ok
}

// Names returns the names of all hosts except this one, sorted.
func (l List) Names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(l.hosts)), func(name string) bool { return name == Local })
}

// LocalAddress is the address at which other hosts reach this machine, or empty if unknown.
func (l List) LocalAddress() string { return l.hosts[Local].Address }
