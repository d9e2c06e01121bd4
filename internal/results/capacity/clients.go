package capacity

import (
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
)

// Added are clients that joined a search, because those before them had no processor time left.
type Added struct {
	PerSec  float64 // the rate at which they were missing
	Clients int     // that there are since
	Why     string  // how the clients before them were the limit
}

// spec returns what every trial starts from. A search begins with one client on each host, and adds clients on further sets of
// processors when it needs them. A number that was asked for stays.
func (c *Course) spec() plan.Spec {
	spec := c.Base.Spec
	sets := point.CPUSets(spec.ClientCPUs)
	if spec.Clients == 0 && c.doublings < len(sets) {
		spec.ClientCPUs = strings.Join(sets[:min(1<<c.doublings, len(sets))], "/")
	}
	return spec
}

// add doubles the clients if they were the limit of a step, as far as there are processors for them; it returns false if there
// are none. Steps that the client's limit decided are measured again, and so are the confirming ones: all of those trials have
// the same number of clients.
func (c *Course) add(done Step, why string) bool {
	before := c.spec().ClientCount()
	c.doublings++
	clients := c.spec().ClientCount()
	if clients == before || done.Phase == Load {
		c.doublings--
		return false
	}
	c.Added = append(c.Added, Added{PerSec: done.PerSec, Clients: clients, Why: why})
	c.Outcomes = slices.DeleteFunc(c.Outcomes, func(o Outcome) bool {
		return o.Phase == Confirm || !o.Met && c.Client[o.PerSec] != ""
	})
	clear(c.Rows)
	c.Noisy = 0
	return true
}
