package driver

import (
	"context"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// begins and ends return where a side's snapshots are stored.
func begins(side *result.Side) **result.Snapshot { return &side.Begin }
func ends(side *result.Side) **result.Snapshot   { return &side.End }

// mark takes a snapshot of every process of both sides, and one of the relay, which it returns; nil where there is no link.
func (s *sides) mark(
	ctx context.Context, place func(*result.Side) **result.Snapshot,
) (relay *control.Snapshot, err error) {
	if relay, err = s.markRelay(ctx); err != nil {
		return nil, err
	}
	for i, server := range s.servers {
		if err := s.markServing(ctx, server, place(&s.evidence.Servers[i])); err != nil {
			return nil, err
		}
	}
	if s.proxy.Worker != nil {
		if err := s.markServing(ctx, s.proxy, place(s.evidence.Proxy)); err != nil {
			return nil, err
		}
	}
	s.markTarget(place)
	for i, client := range s.clients {
		if err := markOne(ctx, client, place(&s.evidence.Clients[i].Side)); err != nil {
			return nil, err
		}
	}
	return relay, nil
}

func markOne(ctx context.Context, process namedProcess, place **result.Snapshot) (err error) {
	*place, err = process.snapshot(ctx)
	return blame(process.name, err)
}

// snapshot returns what the process has used so far.
func (p namedProcess) snapshot(ctx context.Context) (*result.Snapshot, error) {
	return kept(p.Mark(ctx))
}

// use returns what the process has used so far, without what takes long to count.
func (p namedProcess) use(ctx context.Context) (*result.Snapshot, error) {
	return kept(p.MarkBriefly(ctx))
}

// kept is a snapshot as results keep it.
func kept(taken *control.Snapshot, err error) (*result.Snapshot, error) {
	if err != nil {
		return nil, err
	}
	return snapshotOf(taken), nil
}

// relayOf returns the relay's activity on a host between two of its snapshots.
func relayOf(host string, before, after *control.Snapshot) *result.Relay {
	cpu := func(s *control.Snapshot) int64 { return s.GetCpuUserNs() + s.GetCpuSystemNs() }
	return &result.Relay{
		Host:      host,
		ElapsedNs: after.GetTimeNs() - before.GetTimeNs(),
		CPUNs:     cpu(after) - cpu(before),
		WaitCPUNs: after.GetPacerCpuNs() - before.GetPacerCpuNs(),
		UpBytes:   after.GetBytesOut() - before.GetBytesOut(),
		DownBytes: after.GetBytesIn() - before.GetBytesIn(),
		LateP99Ns: after.GetRelayLateP99Ns(), LateMaxNs: after.GetRelayLateMaxNs(),
	}
}
