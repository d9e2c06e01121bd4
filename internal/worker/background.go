package worker

import (
	"context"
	"slices"
	"sync"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/cut"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
)

// A background makes a second call repeatedly on every connection, in its own closed load whose samples are only counted.
type background struct {
	pool  *load.SlotPool
	phase *load.Phase
	ended chan struct{} // nil before begin

	mu    sync.Mutex
	count control.BackgroundDone // since the phase began
}

// checkBackground names what of a background this worker does not support.
func checkBackground(info stack.Info, c *control.Connect) error {
	b := c.GetBackground()
	kinds := []string{stack.KindUnary, stack.KindStream, stack.KindUpload, stack.KindDownload}
	switch {
	case b == nil:
		return nil
	case !info.Multiplexed:
		return control.Faultf("connect.background", "%s makes one call at a time on a connection", info.Name)
	case !slices.Contains(kinds, b.GetKind()) || !slices.Contains(info.Kinds, b.GetKind()):
		return control.Faultf("connect.background.kind", "%s does not support %q in the background", info.Name, b.GetKind())
	case opensByCall(c.GetCall().GetKind()):
		return control.Faultf("connect.background", "%s has no connection that could be shared", c.GetCall().GetKind())
	}
	n := stack.Numbers{
		Kind: b.GetKind(), RequestBytes: int(b.GetRequestBytes()), ResponseBytes: int(b.GetResponseBytes()),
		Messages: int(b.GetMessages()),
	}
	if f := n.Check(); f != nil {
		return control.Faultf("connect.background."+f.Field, "%s", f.Reason)
	}
	return nil
}

// openBackground makes the background's callers, one on each connection; nil without a background.
func (cl *client) openBackground() (*background, error) {
	b := cl.connect.GetBackground()
	if b == nil {
		return nil, nil
	}
	call := cl.connect.GetCall()
	beside := callOf(&control.Call{
		Kind: b.GetKind(), RequestBytes: b.GetRequestBytes(), ResponseBytes: b.GetResponseBytes(),
		Messages: b.GetMessages(), Payload: call.GetPayload(), Seed: call.GetSeed(), LengthsOnly: call.GetLengthsOnly(),
		DeadlineNs: call.GetDeadlineNs(),
	}, 0)
	var callers []load.Caller
	for _, conn := range cl.conns {
		caller, err := conn.Caller(beside, 0)
		if err != nil {
			return nil, err
		}
		callers = append(callers, caller)
	}
	return &background{pool: cl.newPool(calls{callers: callers})}, nil
}

// begin starts the calls with the first phase, and counts anew with every phase.
func (b *background) begin() {
	b.mu.Lock()
	b.count.Ok, b.count.Errors, b.count.Example = 0, 0, ""
	b.mu.Unlock()
	if b.ended != nil {
		return
	}
	phase, err := b.pool.Begin(load.Schedule{}, time.Second, b)
	if err != nil {
		panic(err) // the pool is fresh
	}
	b.phase, b.ended = phase, make(chan struct{})
	go func() {
		phase.Run(context.Background())
		close(b.ended)
	}()
}

// Record implements load.Sink.
func (b *background) Record(_ int, s *load.Sample) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case s.Fate != load.Answered: // the end cut it off
	case s.Err == nil:
		b.count.Ok++
	default:
		b.count.Errors++
		if b.count.Example == "" {
			b.count.Example = cut.Text(s.Err.Error())
		}
	}
}

// counted returns what has ended since the phase began.
func (b *background) counted() *control.BackgroundDone {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &control.BackgroundDone{Ok: b.count.Ok, Errors: b.count.Errors, Example: b.count.Example}
}

// end ends the calls.
func (b *background) end() {
	if b.ended != nil {
		b.phase.Stop()
		b.pool.Close()
		<-b.ended
	}
}
