package driver

import (
	"context"
	"sync"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

const (
	// useLength is the length of the parts of a measured phase for which a process reports its use, until there are too many.
	useLength = time.Second

	// maxUses limits the number of parts; beyond it their length doubles. It is even.
	maxUses = 600
)

// A useWatch takes snapshots of the processes of both sides while the measured phase runs.
type useWatch struct {
	now       func() time.Time
	begun     time.Time // of the phase at the latest; zero before its first interval
	processes []*usedProcess
}

// A usedProcess is one of the processes, with its use over time.
type usedProcess struct {
	mark func(context.Context) (*result.Snapshot, error)
	side *result.Side

	mu   sync.Mutex
	over bool // what is still said is passed over
	seen []useMoment
}

type useMoment struct {
	at   time.Time
	used *result.Snapshot
}

func (s *sides) newUseWatch() *useWatch {
	w := &useWatch{now: s.Now}
	for i, p := range s.servers {
		w.processes = append(w.processes, &usedProcess{mark: p.use, side: &s.evidence.Servers[i]})
	}
	if s.knowsTarget() {
		w.processes = append(w.processes, &usedProcess{mark: s.targetSnapshot, side: &s.evidence.Servers[0]})
	}
	if s.proxy.Worker != nil {
		w.processes = append(w.processes, &usedProcess{mark: s.proxy.use, side: s.evidence.Proxy})
	}
	for i, p := range s.clients {
		w.processes = append(w.processes, &usedProcess{mark: p.use, side: &s.evidence.Clients[i].Side})
	}
	return w
}

// begin watches until end is called. end does not block. A phase too short for two parts is not watched.
func (w *useWatch) begin(ctx context.Context, lasts time.Duration) (end func()) {
	if lasts > 0 && lasts < 2*useLength {
		return func() {}
	}
	over := make(chan struct{})
	for _, p := range w.processes {
		// A session takes no command behind one that was broken off, and at the end others follow.
		go p.watch(context.WithoutCancel(ctx), over, w.now)
	}
	return func() {
		close(over)
		for _, p := range w.processes {
			p.mu.Lock()
			p.over = true
			p.mu.Unlock()
		}
	}
}

// see takes an interval of a client, which ended when it was sent.
func (w *useWatch) see(i *control.Interval) {
	if begun := w.now().Add(-time.Duration(i.GetEndNs())); w.begun.IsZero() || begun.Before(w.begun) {
		w.begun = begun
	}
}

// watch takes a snapshot of a process for each part. A process that does not answer is not asked again.
func (p *usedProcess) watch(ctx context.Context, over <-chan struct{}, now func() time.Time) {
	length := useLength
	ticker := time.NewTicker(length)
	defer ticker.Stop()
	for {
		select {
		case <-over:
			return
		case <-ticker.C:
		}
		taken, err := p.mark(ctx)
		if err != nil {
			return
		}
		if p.keep(useMoment{now(), taken}) {
			length *= 2
			ticker.Reset(length)
		}
	}
}

// keep keeps a moment, and reports whether parts are twice as long from now on.
func (p *usedProcess) keep(m useMoment) (halves bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return false
	}
	p.seen = append(p.seen, m)
	if halves = len(p.seen) == maxUses; halves {
		p.seen = halved(p.seen)
	}
	return halves
}

// halved keeps every second moment.
func halved(seen []useMoment) (kept []useMoment) {
	for i := 1; i < len(seen); i += 2 {
		kept = append(kept, seen[i])
	}
	return kept
}

// keep adds what was observed to the evidence, from the snapshots before the phase to those after it.
func (w *useWatch) keep() {
	for _, p := range w.processes {
		if len(p.seen) == 0 || w.begun.IsZero() || p.side.Begin == nil || p.side.End == nil {
			continue
		}
		last := p.seen[len(p.seen)-1].used
		if rest := p.side.End.TimeNs - last.TimeNs; 2*rest >= useLength.Nanoseconds() {
			p.seen = append(p.seen, useMoment{w.now(), p.side.End})
		}
		p.side.Parts = usesOf(p.side.Begin, p.seen, w.begun)
	}
}

// usesOf returns the parts between snapshots; none for a process that does not report its use meanwhile.
func usesOf(before *result.Snapshot, seen []useMoment, begun time.Time) (uses []result.Use) {
	first := before
	for _, m := range seen {
		end := m.at.Sub(begun).Nanoseconds()
		uses = append(uses, result.Use{
			StartNs: max(end-(m.used.TimeNs-before.TimeNs), 0), EndNs: end, CPUNs: cpuNs(m.used) - cpuNs(before),
			GCPauseNs: grown(before.GCPauseNs, m.used.GCPauseNs), HeapBytes: m.used.HeapBytes,
		})
		before = m.used
	}
	if cpuNs(before) == cpuNs(first) {
		return nil
	}
	return uses
}

func cpuNs(s *result.Snapshot) int64 { return s.CPUUserNs + s.CPUSystemNs }

func grown(before, after *int64) *int64 {
	if before == nil || after == nil {
		return nil
	}
	return new(*after - *before)
}
