package analysis

import (
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/worker/host"
)

// SharesProcessors reports whether client and server could run on the same processor, and compete for it.
func (r *Row) SharesProcessors() bool {
	if apart(r.Spec) {
		return false
	}
	if r.Spec.ClientCPUs == "" || r.Spec.ServerCPUs == "" {
		return true
	}
	client, _ := processors(r.Spec.ClientCPUs) // a list that can't be read has no processor
	server, _ := processors(r.Spec.ServerCPUs)
	taken := map[int]bool{}
	for _, cpu := range client {
		taken[cpu] = true
	}
	for _, cpu := range server {
		if taken[cpu] {
			return true
		}
	}
	return false
}

// apart reports whether no client runs on the host of a server.
func apart(s plan.Spec) bool {
	servers := point.HostList(s.ServerHosts)
	return s.Target == "" && !slices.ContainsFunc(point.HostList(s.ClientHosts), func(host string) bool {
		return slices.Contains(servers, host)
	})
}

// Apart reports whether every call went from one host to another.
func (r *Row) Apart() bool { return !r.Spec.Coding() && apart(r.Spec) }

// clientProcessors returns how many processors a trial's clients on a host may use, 0 if unknown.
func clientProcessors(t *Trial, id string) int {
	if cpus, err := processors(t.Spec.ClientCPUs); err == nil && len(cpus) > 0 {
		return len(cpus)
	}
	return t.Source.Header.HostOf(id).Processors
}

// processors returns the processors of all sets in a text: each set has a process on every host.
func processors(text string) ([]int, error) {
	sets, err := host.ParseCPUSets(text)
	return slices.Concat(sets...), err
}
