package driver

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
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

func TestARelayIsTheDifferenceOfItsSnapshots(t *testing.T) {
	t.Parallel()
	known := func(n int64) *int64 { return &n }
	before := &control.Snapshot{
		TimeNs: 100, CpuUserNs: 10, CpuSystemNs: 5, PacerCpuNs: known(3), BytesOut: known(50), BytesIn: known(70),
		RelayLateP99Ns: known(1), RelayLateMaxNs: known(2),
	}
	after := &control.Snapshot{
		TimeNs: 900, CpuUserNs: 30, CpuSystemNs: 6, PacerCpuNs: known(9), BytesOut: known(150), BytesIn: known(71),
		RelayLateP99Ns: known(4), RelayLateMaxNs: known(8),
	}
	want := &result.Relay{ElapsedNs: 800, CPUNs: 21, WaitCPUNs: 6, UpBytes: 100, DownBytes: 1, LateP99Ns: 4, LateMaxNs: 8}
	if diff := cmp.Diff(want, relayOf(before, after)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if relayOf(nil, nil) != nil {
		t.Error("there is a relay without a link")
	}
}
