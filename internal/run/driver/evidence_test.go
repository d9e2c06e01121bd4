package driver

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

func TestOptionsOfAVirtualMachineAreKeptWithoutSecrets(t *testing.T) {
	t.Parallel()
	if got := virtualMachineOf(nil); got != nil {
		t.Errorf("of a process without one: %+v", got)
	}
	said := &control.VirtualMachine{
		Collector: "G1", MaxHeapBytes: 1 << 30, Arguments: []string{"-Xmx1g", "-Djavax.net.ssl.keyStorePassword=hunter2"},
	}
	want := &result.VirtualMachine{
		Collector: "G1", MaxHeapBytes: 1 << 30, Arguments: []string{"-Xmx1g", "-Djavax.net.ssl.keyStorePassword=…"},
	}
	if diff := cmp.Diff(want, virtualMachineOf(said)); diff != "" {
		t.Error(diff)
	}
}

func TestASnapshotKeepsWhatAVirtualMachineTells(t *testing.T) {
	t.Parallel()
	said := &control.Snapshot{
		SafepointSyncNs: new(int64(3e6)), Safepoints: new(int64(17)),
		SegmentsOut: new(int64(5)), Retransmits: new(int64(2)), ThrottledNs: new(int64(9)),
	}
	want := &result.Snapshot{
		CPUUnknown:      true,
		SafepointSyncNs: new(int64(3e6)), Safepoints: new(int64(17)),
		SegmentsOut: new(int64(5)), Retransmits: new(int64(2)), ThrottledNs: new(int64(9)),
	}
	if diff := cmp.Diff(want, snapshotOf(said)); diff != "" {
		t.Error(diff)
	}
}
