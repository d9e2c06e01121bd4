package driver

import (
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/worker/control"
)

// fruitless is how long the calls of a closed load that ends after a number of them may fail one after another. A server that
// does not answer would draw it out by a deadline a call.
const fruitless = time.Minute

// fruitlessMost is how long no call may be OK: whatever was sent after the last one that was may take its deadline first.
func (s *sides) fruitlessMost() time.Duration { return time.Duration(s.spec.DeadlineNs) + fruitless }

// A harvest tells when a phase has been fruitless for too long. All other loads end by themselves, however far apart or
// slow their calls are: the zero harvest, of those, never tells so.
type harvest struct {
	most     time.Duration // without an OK call
	lastOKNs int64
}

// harvests are those of the clients.
func (s *sides) harvests() []harvest {
	yields := make([]harvest, len(s.clients))
	if s.spec.Load == plan.LoadClosed && s.spec.Calls > 0 {
		for i := range yields {
			yields[i].most = s.fruitlessMost()
		}
	}
	return yields
}

func (h *harvest) isOver(i *control.Interval) bool {
	if i.GetOk() > 0 {
		h.lastOKNs = i.GetEndNs()
	}
	return h.most > 0 && time.Duration(i.GetEndNs()-h.lastOKNs) > h.most
}
