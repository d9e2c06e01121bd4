package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"rpcbench/internal/stack"
)

// maxOpening is the maximum number of connections that are being opened at once. Far servers are then reached 64 times as fast as
// by one after the other, and no server's backlog overflows: Linux allows 4,096 connections that are not yet accepted.
const maxOpening = 64

// openConns opens the connections: the first one alone, whose parts are timed, and the others in parallel. After a failure no
// other one is begun, and those that are open are closed with the client.
func (cl *client) openConns(ctx context.Context, dial dialFunc) error {
	conns := make([]stack.Conn, cl.connect.GetConnections())
	defer func() {
		for _, conn := range conns {
			if conn != nil {
				cl.conns = append(cl.conns, conn)
			}
		}
	}()
	var err error
	if conns[0], err = cl.openConn(ctx, dial, 0); err != nil {
		return err
	}
	cl.wire.first.mark(&cl.wire.first.ready)
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var opening sync.WaitGroup
	var last atomic.Int64 // that was begun
	for range min(maxOpening, len(conns)-1) {
		opening.Go(func() {
			for i := last.Add(1); i < int64(len(conns)) && ctx.Err() == nil; i = last.Add(1) {
				conn, err := cl.openConn(ctx, dial, int(i))
				if err != nil {
					fail(err)
					return
				}
				conns[i] = conn
			}
		})
	}
	opening.Wait()
	return context.Cause(ctx)
}

func (cl *client) openConn(ctx context.Context, dial dialFunc, i int) (stack.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	conn, err := dial(ctx, i)
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		which := fmt.Sprintf("connection %d of %d was not ready within %v", i+1, cl.connect.GetConnections(), dialPatience)
		if unheard := cl.wire.unheard(); unheard != "" {
			which += ": " + unheard
		}
		return nil, fmt.Errorf("%s: %w", which, err)
	case err != nil:
		return nil, err // and no nil of its type
	default:
		return conn, nil
	}
}
