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
)

// A line is the stream of a role: questions go one way, and each is answered by one message.
type line[Q, A any] struct {
	worker  Worker
	stream  grpc.BidiStreamingClient[Q, A]
	asking  sync.Mutex
	answers chan *A
	over    chan struct{} // closed when no answer comes any more
	err     error         // why, set before; io.EOF is a good end
}

func newLine[Q, A any](ctx context.Context, w Worker, stream grpc.BidiStreamingClient[Q, A]) *line[Q, A] {
	l := &line[Q, A]{worker: w, stream: stream, answers: make(chan *A), over: make(chan struct{})}
	go l.listen(ctx)
	return l
}

func (l *line[Q, A]) listen(ctx context.Context) {
	defer close(l.over)
	for {
		answer, err := l.stream.Recv()
		if err != nil {
			l.err = err
			return
		}
		select {
		case l.answers <- answer:
		case <-ctx.Done():
			l.err = context.Cause(ctx)
			return
		}
	}
}

// ask sends a question and returns its answer.
func (l *line[Q, A]) ask(question *Q) (*A, error) {
	l.asking.Lock()
	defer l.asking.Unlock()
	if err := l.stream.Send(question); err != nil && !errors.Is(err, io.EOF) { // after EOF it is the end that says why
		return nil, fmt.Errorf("%s takes no commands: %s", l.worker, reason(err))
	}
	late := time.NewTimer(restPatience)
	defer late.Stop()
	select {
	case answer := <-l.answers:
		return answer, nil
	case <-l.over:
		return nil, l.why()
	case <-late.C:
		return nil, fmt.Errorf("%s did not answer within %v", l.worker, restPatience)
	}
}

// why says why the line is over. A worker may explain itself: what it refuses, or that somebody else has it.
func (l *line[Q, A]) why() error {
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

// close ends the role, and waits until the worker has ended it.
func (l *line[Q, A]) close() error {
	if err := l.stream.CloseSend(); err != nil {
		return nil // it is over, and whoever waited has heard why
	}
	late := time.NewTimer(restPatience)
	defer late.Stop()
	select {
	case <-l.over:
		return nil
	case <-l.answers: // of a question that was given up
		return nil
	case <-late.C:
		return fmt.Errorf("%s did not end the run within %v", l.worker, restPatience)
	}
}
