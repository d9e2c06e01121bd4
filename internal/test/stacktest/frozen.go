package stacktest

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/stack"
)

const (
	frozenInFlight = 8
	frozenRounds   = 10
	frozenTime     = 5 * time.Millisecond // of a call
	socketBytes    = 4096                 // of a socket's buffer, which a call fills
)

// frozenServer stops the server from reading, as if its process were stopped. Every call that is canceled must return, although
// nothing can be written, and so must the next ones. When the server reads again, calls must succeed.
func frozenServer(t *testing.T, s stack.Stack) {
	for _, security := range []string{stack.SecurityPlaintext, stack.SecurityTLS} {
		for name, call := range calls(s, 20_000, 20, frozenInFlight) {
			t.Run(security+"/"+name, func(t *testing.T) {
				t.Parallel()
				freeze := &freezer{}
				r := newRig(t, s, stack.NetworkUnix, security, reply)
				r.freezer.Store(freeze)
				all := callers(t, r.dial(stack.CompressionNone, frozenInFlight), call, frozenInFlight)
				settle(t, all)
				freeze.Lock()
				for range frozenRounds {
					ctx, cancel := context.WithCancel(t.Context())
					time.AfterFunc(frozenTime, cancel)
					wantAll(t, "frozen", callAll(ctx, all), stack.Canceled)
				}
				freeze.Unlock()
				settle(t, all)
			})
		}
	}
}

// A freezer stops the server from reading while it is locked.
type freezer struct{ sync.RWMutex }

// A freezable socket is a server's.
type freezable struct {
	net.Conn
	freezer *freezer
}

func (f *freezable) Read(b []byte) (int, error) {
	n, err := f.Conn.Read(b)
	f.freezer.RLock() // what it reads meanwhile comes when it goes on
	defer f.freezer.RUnlock()
	return n, err
}
