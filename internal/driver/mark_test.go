package driver

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/control"
	"rpcbench/internal/result"
)

func TestServersTogetherKnowWhatAllOfThemKnow(t *testing.T) {
	t.Parallel()
	known := func(n int64) *int64 { return &n }
	sum := sumOf([]*control.Snapshot{
		{TimeNs: 5, CpuUserNs: 10, Sockets: 1, VoluntarySwitches: known(100), InvoluntarySwitches: known(7), GcCycles: known(1)},
		{TimeNs: 9, CpuUserNs: 20, Sockets: 2, VoluntarySwitches: known(200), InvoluntarySwitches: known(8)},
	})
	want := &result.Snapshot{
		TimeNs: 5, CPUUserNs: 30, Sockets: 3, VoluntarySwitches: known(300), InvoluntarySwitches: known(15),
	}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
