package driver

import (
	"context"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// mark takes a snapshot of both sides, or of the client alone where the server is not ours, and one of the relay, which it
// returns; nil where there is no link.
func (s *sides) mark(ctx context.Context, client, server **result.Snapshot) (relay *control.Snapshot, err error) {
	if s.relay != nil {
		if relay, err = s.relay.Mark(ctx); err != nil {
			return nil, blame(linkSide, err)
		}
	}
	var servers []*control.Snapshot
	for _, one := range s.namedServers() {
		taken, err := one.Mark(ctx)
		if err != nil {
			return nil, blame(one.name, err)
		}
		servers = append(servers, taken)
	}
	if len(servers) > 0 {
		*server = sumOf(servers)
	}
	taken, err := s.client.Mark(ctx)
	if err != nil {
		return nil, blame("client", err)
	}
	*client = snapshotOf(taken)
	return relay, nil
}

// sumOf is what several processes have used together. Their clocks have nothing in common: the time is the first one's.
// A figure that one of them doesn't know is unknown.
func sumOf(servers []*control.Snapshot) *result.Snapshot {
	sum := snapshotOf(servers[0])
	for _, other := range servers[1:] {
		s := snapshotOf(other)
		sum.CPUUserNs += s.CPUUserNs
		sum.CPUSystemNs += s.CPUSystemNs
		sum.PeakMemoryBytes += s.PeakMemoryBytes
		sum.Sockets += s.Sockets
		for _, figure := range []struct{ sum, of **int64 }{
			{&sum.BytesOut, &s.BytesOut}, {&sum.BytesIn, &s.BytesIn},
			{&sum.Allocations, &s.Allocations}, {&sum.AllocatedBytes, &s.AllocatedBytes},
			{&sum.GCCycles, &s.GCCycles}, {&sum.GCPauseNs, &s.GCPauseNs}, {&sum.PacerCPUNs, &s.PacerCPUNs},
			{&sum.HeapBytes, &s.HeapBytes}, {&sum.HeapCommittedBytes, &s.HeapCommittedBytes},
			{&sum.VoluntarySwitches, &s.VoluntarySwitches}, {&sum.InvoluntarySwitches, &s.InvoluntarySwitches},
		} {
			*figure.sum = plus(*figure.sum, *figure.of)
		}
	}
	return sum
}

func plus(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	return new(*a + *b)
}

// relayOf is what the relay did between two of its snapshots; nil where there is none.
func relayOf(before, after *control.Snapshot) *result.Relay {
	if before == nil || after == nil {
		return nil
	}
	cpu := func(s *control.Snapshot) int64 { return s.GetCpuUserNs() + s.GetCpuSystemNs() }
	return &result.Relay{
		ElapsedNs: after.GetTimeNs() - before.GetTimeNs(),
		CPUNs:     cpu(after) - cpu(before),
		WaitCPUNs: after.GetPacerCpuNs() - before.GetPacerCpuNs(),
		UpBytes:   after.GetBytesOut() - before.GetBytesOut(),
		DownBytes: after.GetBytesIn() - before.GetBytesIn(),
		LateP99Ns: after.GetRelayLateP99Ns(), LateMaxNs: after.GetRelayLateMaxNs(),
	}
}
