package driver

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

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
	want := &result.Relay{
		Host: "db1", ElapsedNs: 800, CPUNs: 21, WaitCPUNs: 6, UpBytes: 100, DownBytes: 1, LateP99Ns: 4, LateMaxNs: 8,
	}
	if diff := cmp.Diff(want, relayOf("db1", before, after)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
