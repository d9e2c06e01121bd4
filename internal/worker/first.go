package worker

import (
	"context"
	"crypto/tls"
	"sync/atomic"
	"time"

	"rpcbench/internal/control"
	"rpcbench/internal/load"
)

// A timeline is when the first connection got where, in ns since the process started; 0 is not yet.
type timeline struct {
	dialled, resolved, connected, shaken atomic.Int64
	ready                                atomic.Int64 // when the adapter's Dial returned
}

// mark notes that a point was reached, the first time it is.
func (t *timeline) mark(point *atomic.Int64) { point.CompareAndSwap(0, int64(time.Since(started))) }

// watch has the configuration tell when the first handshake is done: at its last step on the client, before the first
// byte of a call.
func (t *timeline) watch(config *tls.Config) {
	if config != nil {
		config.VerifyConnection = func(tls.ConnectionState) error {
			t.mark(&t.shaken)
			return nil
		}
	}
}

// A firstCaller times the first call of its slot.
type firstCaller struct {
	load.Caller
	timeline     *timeline
	begun, ended atomic.Int64 // since the process started, in ns
	taken        bool
}

// Call implements load.Caller.
func (f *firstCaller) Call(ctx context.Context) error {
	if f.ended.Load() != 0 {
		return f.Caller.Call(ctx)
	}
	f.begun.Store(int64(time.Since(started)))
	err := f.Caller.Call(ctx)
	f.ended.Store(int64(time.Since(started)))
	return err
}

// take returns the parts of the first call, once; nil before it was made and ever after.
func (f *firstCaller) take() *control.FirstCall {
	if f.taken || f.ended.Load() == 0 {
		return nil
	}
	f.taken = true
	t := f.timeline
	parts := &control.FirstCall{}
	at := t.dialled.Load()
	until := func(point int64) int64 {
		if point <= at {
			return 0
		}
		part := point - at
		at = point
		return part
	}
	parts.ResolveNs = until(t.resolved.Load())
	parts.ConnectNs = until(t.connected.Load())
	parts.TlsNs = until(t.shaken.Load())
	parts.ProtocolNs = until(t.ready.Load())
	parts.InCall = t.dialled.Load() >= f.begun.Load()
	parts.CallNs = f.ended.Load() - max(at, f.begun.Load())
	return parts
}
