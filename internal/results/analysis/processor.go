package analysis

import "rpcbench/internal/worker/host"

// SharesProcessors tells whether client and server could run on the same processor: what one uses the other lacks.
func (r *Row) SharesProcessors() bool {
	if r.Spec.ClientCPUs == "" || r.Spec.ServerCPUs == "" {
		return true
	}
	client, _ := host.ParseCPUs(r.Spec.ClientCPUs) // a list that can't be read has no processor
	server, _ := host.ParseCPUs(r.Spec.ServerCPUs)
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

// clientProcessors is how many processors a trial's client may use, 0 where that is unknown.
func clientProcessors(t *Trial) int {
	if cpus, err := host.ParseCPUs(t.Spec.ClientCPUs); err == nil && len(cpus) > 0 {
		return len(cpus)
	}
	return t.Source.Header.Host.Processors
}
