package campaign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/worker/host"
)

// CheckProcessors refuses trials on processors that the machine does not have. It accepts all if the processors are unknown. The
// kernel would silently use those of the list that exist.
func CheckProcessors(trials []plan.Trial, online []int) error {
	if len(online) == 0 {
		return nil
	}
	for _, t := range trials {
		for _, side := range []struct{ key, list, hosts string }{
			{"client_cpus", t.Spec.ClientCPUs, t.Spec.ClientHosts}, {"server_cpus", t.Spec.ServerCPUs, t.Spec.ServerHosts},
		} {
			if side.list == "" || !slices.Contains(point.HostList(side.hosts), point.LocalHost) {
				continue
			}
			sets, err := host.ParseCPUSets(side.list)
			if err != nil {
				return fmt.Errorf("%s: %w", side.key, err)
			}
			for _, cpu := range slices.Concat(sets...) {
				if !slices.Contains(online, cpu) {
					return fmt.Errorf("%s %s: this machine has no processor %d; available: %s", side.key, side.list, cpu, listed(online))
				}
			}
		}
	}
	return nil
}

func listed(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", ")
}
