package driver

import (
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/worker/control"
)

// fruitless limits how long the calls of a closed load that ends after a number of calls may all fail. A server that does not
// answer would prolong it by a deadline per call.
const fruitless = time.Minute

// maxFruitless returns how long no call may be OK: calls sent after the last OK one may take their deadline first.
func (s *sides) maxFruitless() time.Duration { return time.Duration(s.spec.DeadlineNs) + fruitless }

// A harvest reports when a phase has been fruitless for too long. All other loads end by themselves, however slow their calls
// are: their zero harvest never does.
type harvest struct {
	most     time.Duration // without an OK call
	lastOKNs int64
}

// harvests returns one for each client.
func (s *sides) harvests() []harvest {
	yields := make([]harvest, len(s.clients))
	if s.spec.Load == plan.LoadClosed && s.spec.Calls > 0 {
		for i := range yields {
			yields[i].most = s.maxFruitless()
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
