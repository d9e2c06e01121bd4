package worker

import (
	"testing"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// counting is a program with three sockets.
type counting struct {
	Program
	looks int
}

func (p *counting) Usage() (host.Usage, bool) { return host.Usage{}, false }

func (p *counting) Sockets() int64 {
	p.looks++
	return 3
}

func TestABriefMarkLooksForNoSockets(t *testing.T) {
	t.Parallel()
	p := &counting{}
	if s := programSnapshot(p, &control.Mark{Brief: true}); s.GetSockets() != 0 || p.looks != 0 {
		t.Errorf("a brief mark: %d sockets by %d looks, want none", s.GetSockets(), p.looks)
	}
	if s := programSnapshot(p, nil); s.GetSockets() != 3 || p.looks != 1 {
		t.Errorf("a mark: %d sockets by %d looks, want 3 by 1", s.GetSockets(), p.looks)
	}
}
