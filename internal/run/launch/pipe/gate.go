package pipe

import (
	"context"
	"sync"
)

// connectingMost is how many connections may be on their way at once. OpenSSH's server refuses some of those beyond ten that
// have not logged in yet (MaxStartups in sshd_config(5)), and a jump host may stand before all machines.
const connectingMost = 8

// A gate lets so many through at once.
type gate chan struct{}

var connecting = make(gate, connectingMost)

// enter waits for its turn. The function that it returns lets the next in; it may be called more than once.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g <- struct{}{}:
		return sync.OnceFunc(func() { <-g }), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
