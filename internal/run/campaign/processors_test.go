package campaign_test

import (
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/run/campaign"
)

func TestProcessorsThatTheMachineHasNotAreRefused(t *testing.T) {
	t.Parallel()
	trial := func(client, server string) []plan.Trial {
		return []plan.Trial{{}, {Spec: plan.Spec{ClientCPUs: client, ServerCPUs: server}}}
	}
	for _, c := range []struct {
		trials []plan.Trial
		online []int
		want   string
	}{
		{trial("0-1", "3"), []int{0, 1, 3}, ""},
		{trial("0-99", ""), nil, ""},
		{trial("0-99", ""), []int{0, 1}, "client_cpus 0-99: this machine has no processor 2; available: 0, 1"},
		{trial("0", "2"), []int{0, 1, 3}, "server_cpus 2: this machine has no processor 2; available: 0, 1, 3"},
	} {
		got := ""
		if err := campaign.CheckProcessors(c.trials, c.online); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("on %v: %q, want %q", c.online, got, c.want)
		}
	}
}
