package httpwire

import (
	"context"
	"sync"
	"time"
)

// opening is entered by each socket of a loop while it is being opened. When thousands of slots make their first calls at once,
// the memory of handshakes is bounded, and no server's backlog of new connections overflows.
var opening = make(turnstile, 64)

// openingPatience is the maximum time for which a socket keeps others out. Servers that do not answer so delay the others'
// sockets by no more than that.
const openingPatience = time.Second

// A turnstile lets in as many at once as it has capacity.
type turnstile chan struct{}

// enter waits for a place until ctx is done. The place is free again after leave, or after openingPatience.
func (t turnstile) enter(ctx context.Context) (leave func(), err error) {
	select {
	case t <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	free := sync.OnceFunc(func() { <-t })
	late := time.AfterFunc(openingPatience, free)
	return func() { late.Stop(); free() }, nil
}
