package pipe

import (
	"context"
	"sync"
)

// maxConnecting is the maximum number of simultaneous connection attempts. Beyond ten unauthenticated connections OpenSSH's
// server refuses some (MaxStartups in sshd_config(5)), and all machines may share a jump host.
const maxConnecting = 8

// A gate limits how many pass at once.
type gate chan struct{}

var connecting = make(gate, maxConnecting)

// enter waits for its turn. The function that it returns lets the next in; it may be called more than once.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g <- struct{}{}:
		return sync.OnceFunc(func() { <-g }), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
