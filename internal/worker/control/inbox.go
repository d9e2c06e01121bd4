package control

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"rpcbench/internal/worker/patience"
)

// An inbox passes a worker's events to those who wait for them, one by one, so a worker can't fill the driver's memory. Intervals
// and Done belong to the phase; other events to the oldest unanswered command. Unexpected events wait for a caller that reports
// them.
type inbox struct {
	mu      sync.Mutex
	changed sync.Cond // a waiter has come, or deaf has turned true
	waiters []*waiter // in the order of their commands
	deaf    bool      // nobody wants to hear any more

	over   chan struct{} // closed when nothing more can be read
	broken error         // why; set before
	reason error         // that the worker gave last, or else broken; set before
	silent chan struct{} // closed when the worker's output has ended
}

// A waiter waits for the events of one command.
type waiter struct {
	command string
	due     reply
	events  chan *Event
	left    chan struct{} // closed when it waits no more; what is still said to it is passed over
	inbox   *inbox
}

// A reply is the kind of answer to a command.
type reply int

const (
	none    reply = iota // by the phase that it ends
	answer               // one event
	pieces               // Pieces, then one event
	running              // Intervals, then Done
)

func newInbox() *inbox {
	in := &inbox{over: make(chan struct{}), silent: make(chan struct{})}
	in.changed.L = &in.mu
	return in
}

// expect routes the events of a command that is about to be sent to the returned waiter. A second phase can't run, so its Begin
// is treated like any other command.
func (in *inbox) expect(command string, due reply) *waiter {
	w := &waiter{command: command, due: due, events: make(chan *Event), left: make(chan struct{}), inbox: in}
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case due == none:
		return w
	case due == running && slices.ContainsFunc(in.waiters, (*waiter).isPhase):
		w.due = answer
	}
	in.waiters = append(in.waiters, w)
	in.changed.Broadcast()
	return w
}

// listen reads events to the end. After rubbish it reads on, so that the worker can end.
func (in *inbox) listen(out *bufio.Reader) {
	defer close(in.silent)
	var last *Event
	for {
		event := &Event{}
		if err := unmarshal(out, event, eventBytesMax); err != nil {
			in.broken = ended(err)
			in.reason = cmp.Or(faultOf(last), in.broken)
			close(in.over)
			_, _ = io.Copy(io.Discard, out)
			return
		}
		last = event
		if w := in.addressee(event); w != nil {
			select {
			case w.events <- event:
			case <-w.left:
			}
		}
	}
}

// faultOf returns the Fault that an event is, or nil.
func faultOf(event *Event) error {
	if fault := event.GetFault(); fault != nil {
		return &FaultError{Field: fault.GetField(), Message: fault.GetMessage()}
	}
	return nil
}

func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the worker ended")
	}
	if cut, ok := errors.AsType[*cutError](err); ok {
		return errors.New("the worker " + cut.ended()) // as one may that is killed
	}
	return fmt.Errorf("the worker's output can't be read: %w", err)
}

// addressee returns the waiter that an event is for, waiting for one to come, or nil at the end. A waiter whose answer this is
// gets no further events.
func (in *inbox) addressee(event *Event) *waiter {
	in.mu.Lock()
	defer in.mu.Unlock()
	for !in.deaf {
		if i := in.find(event); i >= 0 {
			w := in.waiters[i]
			if w.endsWith(event) {
				in.waiters = slices.Delete(in.waiters, i, i+1)
			}
			return w
		}
		in.changed.Wait()
	}
	return nil
}

// find returns the index of the waiter that an event is for, or -1.
func (in *inbox) find(event *Event) int {
	phase := slices.IndexFunc(in.waiters, (*waiter).isPhase)
	command := slices.IndexFunc(in.waiters, func(w *waiter) bool { return !w.isPhase() })
	ofPhase := event.GetInterval() != nil || event.GetDone() != nil
	switch {
	case phase < 0:
		return command
	case command < 0 || ofPhase:
		return phase
	case event.GetFault() != nil && !in.waiters[command].blamed(event.GetFault()):
		return phase
	default:
		return command
	}
}

// ignore passes over all that is said from now on.
func (in *inbox) ignore() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.deaf = true
	in.changed.Broadcast()
}

func (w *waiter) isPhase() bool { return w.due == running }

// blamed reports whether a Fault may be about the waiter's command. A Fault without a field may be about any command.
func (w *waiter) blamed(fault *Fault) bool {
	word, _, _ := strings.Cut(fault.GetField(), ".")
	return word == "" || word == "command" || word == w.command
}

// endsWith reports whether an event is the last one for the waiter.
func (w *waiter) endsWith(event *Event) bool {
	switch w.due {
	case pieces:
		return event.GetPiece() == nil
	case running:
		return event.GetInterval() == nil
	default:
		return true
	}
}

// leave ends the waiting. It is called once, by who waits.
func (w *waiter) leave() { close(w.left) }

// next returns the next event; a Fault is an error.
func (w *waiter) next(ctx context.Context) (*Event, error) {
	select {
	case event := <-w.events:
		if err := faultOf(event); err != nil {
			return nil, err
		}
		return event, nil
	case <-w.inbox.over:
		return nil, w.inbox.broken
	case <-ctx.Done():
		return nil, fmt.Errorf("the worker did not answer: %w", context.Cause(ctx))
	}
}

// within is next with an end.
func (w *waiter) within(ctx context.Context, most time.Duration) (*Event, error) {
	ctx, cancel := patience.WithTimeout(ctx, most)
	defer cancel()
	return w.next(ctx)
}
