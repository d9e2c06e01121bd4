package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rpcbench/internal/results/result"
)

// An environment is what must be equal for trials of two files to measure the same thing.
type environment struct {
	source   *Source // the first file of it
	hosts    []result.Host
	binary   result.Binary
	told     string            // the workers' runtimes, by variables
	versions map[string]string // by side and stack: runtime and library
}

// join adds a file to the first one that it agrees with. If it agrees with none, its rows are kept separate, and a warning names
// what differs.
func (b *builder) join(source *Source, trials []result.Trial) {
	own := &environment{
		source, source.Header.Hosts, source.Header.Binary, cmp.Or(source.Header.EnvironmentWords(), "none"), versions(trials),
	}
	var differences []string
	for _, group := range b.groups {
		differs := group.differs(own)
		if len(differs) == 0 {
			maps.Copy(group.versions, own.versions)
			source.Joined, source.apart = group.source, group.source.apart
			return
		}
		differences = append(differences, fmt.Sprintf("%s in %s", group.source.Name, strings.Join(differs, ", ")))
	}
	source.Joined, source.apart = source, len(b.groups) > 0
	b.groups = append(b.groups, own)
	if len(differences) > 0 {
		b.warnf("%s is reported separately, because it differs from %s", source.Name, strings.Join(differences, "; and from "))
	}
}

func versions(trials []result.Trial) map[string]string {
	found := map[string]string{}
	for _, trial := range trials {
		note := func(role, stack string, side result.Side) {
			if version := strings.TrimSpace(side.Library + " " + side.Runtime); version != "" {
				found[role+" "+stack] = version
			}
		}
		for _, c := range trial.Clients {
			note("client", trial.Spec.Stack, c.Side)
		}
		for _, side := range trial.Servers {
			note("server", trial.Spec.Server, side)
		}
	}
	return found
}

func (e *environment) differs(o *environment) []string {
	var found []string
	check := func(name string, a, b any) {
		if a != b {
			found = append(found, fmt.Sprintf("%s (%v, %v)", name, a, b))
		}
	}
	check("environment", e.told, o.told)
	check("hosts", len(e.hosts), len(o.hosts))
	for i := range min(len(e.hosts), len(o.hosts)) {
		a, b := e.hosts[i], o.hosts[i]
		of := ""
		if i > 0 {
			of = b.ID + "'s "
		}
		check(of+"host", a.Name, b.Name)
		check(of+"OS", a.OS, b.OS)
		check(of+"architecture", a.Arch, b.Arch)
		check(of+"kernel", a.Kernel, b.Kernel)
		check(of+"CPU", a.CPU, b.CPU)
		check(of+"processors", a.Processors, b.Processors)
		check(of+"memory bytes", a.MemoryBytes, b.MemoryBytes)
		check(of+"governor", a.Governor, b.Governor)
	}
	check("rpcbench version", e.binary.Version, o.binary.Version)
	check("commit", e.binary.Commit, o.binary.Commit)
	check("Go", e.binary.Go, o.binary.Go)
	for _, side := range slices.Sorted(maps.Keys(o.versions)) {
		if version, ok := e.versions[side]; ok {
			check(side, version, o.versions[side])
		}
	}
	return found
}
