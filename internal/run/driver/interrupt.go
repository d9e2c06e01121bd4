package driver

import (
	"context"
	"slices"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// interruptDrain is how long late calls of an interrupted phase may still be answered.
const interruptDrain = time.Second

// interruptPatience is how long clients may take to end an interrupted phase, including the drain. Then they are abandoned.
const interruptPatience = 10 * time.Second

// interruptible reports whether the clients can end a phase early and soon.
func (s *sides) interruptible() bool {
	return !slices.ContainsFunc(s.clients, func(c namedProcess) bool { return !c.Hello.GetStopDrain() })
}

// untilGivenUp is the context of the phase itself, which goes on for a moment after the trial's where it is interrupted.
func (p *together) untilGivenUp() context.Context {
	if p.keepsPart {
		return context.WithoutCancel(p.whole)
	}
	return p.whole
}

// giveUpInterrupted gives a phase up that goes on for too long after the end of the trial's context, until end.
func (p *together) giveUpInterrupted(giveUp context.CancelCauseFunc) (end func()) {
	over := make(chan struct{})
	go func() {
		select {
		case <-over:
			return
		case <-p.whole.Done():
		}
		late := patience.AfterFunc(p.Now, interruptPatience, func() { giveUp(context.Cause(p.whole)) })
		<-over
		late.Stop()
	}()
	return func() { close(over) }
}

// concludeSoon concludes an interrupted trial in which something was measured. A process that does not report its use at once
// must not lose that.
func (s *sides) concludeSoon(ctx context.Context, before *control.Snapshot, uses *useWatch) error {
	if !s.measured {
		return context.Cause(ctx)
	}
	ctx, cancel := patience.WithTimeout(context.WithoutCancel(ctx), interruptPatience)
	defer cancel()
	if err := s.conclude(ctx, before, uses); err != nil {
		s.warnf(result.WarningUseUnknown, "what the trial used is not known: %v", err)
	}
	return nil
}

// hasAnswer reports whether one of a client's calls was answered.
func hasAnswer(c result.Client) bool {
	return slices.ContainsFunc(c.Outcomes, func(o result.Outcome) bool {
		return o.Calls > 0 && o.Code != result.CodeUnsent && o.Code != result.CodeUnfinished
	})
}

// An ending ends a client's phase early. That a client can't be told is no error: it is gone, and its Begin will say so.
type ending struct {
	ctx                  context.Context // of the phase
	client               namedProcess
	stopped, interrupted bool
}

// stop ends the load, and has late calls drain as long as they may.
func (e *ending) stop() {
	if !e.stopped {
		e.stopped = true
		_ = e.client.Stop(e.ctx)
	}
}

// interrupt ends the load, and the drain soon after.
func (e *ending) interrupt() {
	if !e.interrupted {
		e.stopped, e.interrupted = true, true
		_ = e.client.StopWithin(e.ctx, interruptDrain)
	}
}
