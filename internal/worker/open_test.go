package worker

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// A placed connection knows its number.
type placed struct {
	stack.Conn
	number int
	closed *atomic.Int64
}

func (p placed) Close() error {
	p.closed.Add(1)
	return nil
}

// In virtual time 1 + 64n connections take as long as 1 + n one after the other.
func TestConnectionsAreOpenedInParallelWithinABound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cl := &client{connect: &control.Connect{Connections: 1 + 10*maxOpening}, wire: &wire{}}
		begun := time.Now()
		err := cl.openConns(t.Context(), func(_ context.Context, i int) (stack.Conn, error) {
			time.Sleep(100 * ms)
			return placed{number: i}, nil
		})
		if took := time.Since(begun); err != nil || took != 1100*ms {
			t.Errorf("it took %v, %v; want 1.1s", took, err)
		}
		for i, conn := range cl.conns {
			if conn.(placed).number != i {
				t.Fatalf("connection %d is number %d", conn.(placed).number, i)
			}
		}
		if len(cl.conns) != 1+10*maxOpening {
			t.Errorf("%d are open", len(cl.conns))
		}
	})
}

func TestNoConnectionIsBegunAfterOneHasFailed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failing, begun int
	}{
		"the first":       {failing: 0, begun: 1},
		"one of the next": {failing: 5, begun: 1 + maxOpening},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				cl := &client{connect: &control.Connect{Connections: 1000}, wire: &wire{}}
				var dialled, closed atomic.Int64
				err := cl.openConns(t.Context(), func(ctx context.Context, i int) (stack.Conn, error) {
					dialled.Add(1)
					if i == c.failing {
						time.Sleep(10 * ms)
						return nil, errors.New("nobody listens")
					}
					select {
					case <-ctx.Done():
						return nil, ctx.Err()
					case <-time.After(time.Duration(i) * ms): // those before are open
						return placed{number: i, closed: &closed}, nil
					}
				})
				if err == nil || err.Error() != "nobody listens" {
					t.Errorf("it failed with %v", err)
				}
				if n := int(dialled.Load()); n < c.begun || n > c.begun+10 {
					t.Errorf("%d were begun, want %d and those that followed others", n, c.begun)
				}
				open := int64(len(cl.conns))
				cl.close()
				if closed.Load() != open {
					t.Errorf("%d of %d were closed", closed.Load(), open)
				}
			})
		})
	}
}

func TestAConnectionThatIsNotReadyInTimeIsCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cl := &client{connect: &control.Connect{Connections: 7}, wire: &wire{}}
		err := cl.openConns(t.Context(), func(ctx context.Context, i int) (stack.Conn, error) {
			if i < 6 {
				return placed{number: i, closed: new(atomic.Int64)}, nil
			}
			<-ctx.Done()
			return nil, ctx.Err()
		})
		if err == nil || !strings.HasPrefix(err.Error(), "connection 7 of 7 was not ready within 30s: ") {
			t.Errorf("it failed with %v", err)
		}
	})
}
