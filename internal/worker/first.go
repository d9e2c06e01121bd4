package worker

import (
	"context"
	"crypto/tls"
	"slices"
	"sync/atomic"
	"time"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
)

// A timeline holds when the first connection reached each state, in ns since the process started; 0 is not yet.
type timeline struct {
	dialled, resolved, connected, shaken atomic.Int64
	ready                                atomic.Int64 // when the adapter's Dial returned
}

// mark notes that a point was reached, the first time it is.
func (t *timeline) mark(point *atomic.Int64) { point.CompareAndSwap(0, int64(time.Since(started))) }

// watch makes the configuration report when the first handshake is done: at its last step on the client, before the first byte of
// a call.
func (t *timeline) watch(config *tls.Config) {
	if config != nil {
		config.VerifyConnection = func(tls.ConnectionState) error {
			t.mark(&t.shaken)
			return nil
		}
	}
}

// A firstCall times the first call of its slot.
type firstCall struct {
	timeline     *timeline
	begun, ended atomic.Int64 // since the process started, in ns
	taken        bool
}

// A firstCaller has a Caller's first call timed.
type firstCaller struct {
	load.Caller
	first *firstCall
}

// Call implements load.Caller.
func (f *firstCaller) Call(ctx context.Context) error {
	if f.first.ended.Load() != 0 {
		return f.Caller.Call(ctx)
	}
	f.first.begun.Store(int64(time.Since(started)))
	err := f.Caller.Call(ctx)
	f.first.ended.Store(int64(time.Since(started)))
	return err
}

// A firstLine has the first call of a line's first slot timed.
type firstLine struct {
	load.Pipeline
	first *firstCall
}

// Send implements load.Pipeline.
func (f *firstLine) Send(slots []int) {
	if f.first.begun.Load() == 0 && slices.Contains(slots, 0) {
		f.first.begun.Store(int64(time.Since(started)))
	}
	f.Pipeline.Send(slots)
}

// Wait implements load.Pipeline.
func (f *firstLine) Wait(ended func(slot int, err error)) bool {
	if f.first.ended.Load() != 0 {
		return f.Pipeline.Wait(ended)
	}
	return f.Pipeline.Wait(func(slot int, err error) {
		if slot == 0 {
			f.first.ended.CompareAndSwap(0, int64(time.Since(started)))
		}
		ended(slot, err)
	})
}

// take returns the parts of the first call, once; nil before it was made and ever after.
func (f *firstCall) take() *control.FirstCall {
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
