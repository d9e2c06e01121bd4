package qps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"rpcbench/internal/worker/patience"
)

const (
	// answerPatience limits the wait for an answer. Before the first answer some workers open all connections and streams,
	// possibly thousands, on a busy machine.
	answerPatience = time.Minute
	// restPatience limits the time to end a role. grpc-java's worker waits a second for each connection. It is shorter than the
	// time that one of our processes may take to end, after which it would be killed without leaving a reason.
	restPatience = 20 * time.Second
)

// A line is the stream of a role: questions go one way, and each is answered by one message.
type line[Q, A any] struct {
	worker  Worker
	ctx     context.Context //nolint:containedctx // the stream's: its end says why, where we ended it
	drop    context.CancelCauseFunc
	stream  grpc.BidiStreamingClient[Q, A]
	asking  sync.Mutex
	answers chan *A
	over    chan struct{} // closed when no answer comes any more
	err     error         // why, set before; io.EOF is a good end
}

// A lateError is why we ended a line.
type lateError struct{ text string }

func (e *lateError) Error() string { return e.text }

// open opens a line by a method of the service, and sets the role up. It returns the worker's answer. Where there is none,
// nothing is left of the line.
func open[Q, A any](
	ctx context.Context, w Worker,
	method func(context.Context, ...grpc.CallOption) (grpc.BidiStreamingClient[Q, A], error), setup *Q,
) (*line[Q, A], *A, error) {
	ctx, drop := context.WithCancelCause(ctx)
	stream, err := method(ctx)
	if err != nil {
		drop(nil)
		return nil, nil, fmt.Errorf("%s: %s", w, reason(err))
	}
	l := &line[Q, A]{worker: w, ctx: ctx, drop: drop, stream: stream, answers: make(chan *A), over: make(chan struct{})}
	go l.listen()
	answer, err := l.ask(setup)
	if err != nil {
		drop(nil)
		return nil, nil, err
	}
	return l, answer, nil
}

func (l *line[Q, A]) listen() {
	defer l.drop(nil)
	defer close(l.over)
	for {
		answer, err := l.stream.Recv()
		if err != nil {
			l.err = err
			return
		}
		select {
		case l.answers <- answer:
		case <-l.ctx.Done():
			l.err = context.Cause(l.ctx)
			return
		}
	}
}

// ask sends a question and returns its answer. When an answer is late the line is dropped, so that it is not taken for that of
// the next question.
func (l *line[Q, A]) ask(question *Q) (*A, error) {
	l.asking.Lock()
	defer l.asking.Unlock()
	late := patience.AfterFunc(time.Now, answerPatience, func() {
		l.drop(&lateError{fmt.Sprintf("%s did not answer within %v", l.worker, answerPatience)})
	})
	defer late.Stop()
	if err := l.stream.Send(question); err != nil && !errors.Is(err, io.EOF) { // after EOF it is the end that says why
		return nil, fmt.Errorf("%s takes no commands: %s", l.worker, reason(err))
	}
	select {
	case answer := <-l.answers:
		return answer, nil
	case <-l.over:
		return nil, l.why()
	}
}

// why says why the line ended. A worker may explain itself: what it refuses, or that another driver uses it.
func (l *line[Q, A]) why() error {
	if late, ok := errors.AsType[*lateError](context.Cause(l.ctx)); ok {
		return late
	}
	switch {
	case errors.Is(l.err, io.EOF):
		return fmt.Errorf("%s ended the run by itself", l.worker)
	case status.Code(l.err) == codes.ResourceExhausted:
		return fmt.Errorf("%s is busy with another driver: %s", l.worker, reason(l.err))
	case status.Code(l.err) == codes.Unavailable:
		return fmt.Errorf("%s is gone: %s", l.worker, reason(l.err))
	default:
		return fmt.Errorf("%s broke the run off: %s", l.worker, reason(l.err))
	}
}

// close ends the role, and waits until the worker has ended it. Some workers report that the role was canceled, which is
// expected.
func (l *line[Q, A]) close() error {
	_ = l.stream.CloseSend() // where that fails the line is over, and l.err says why
	for {
		select {
		case <-l.over:
			err := l.why()
			if late := (*lateError)(nil); !errors.As(err, &late) && (errors.Is(l.err, io.EOF) || status.Code(l.err) == codes.Canceled) {
				return nil
			}
			return err
		case <-l.answers: // of no question
		}
	}
}
