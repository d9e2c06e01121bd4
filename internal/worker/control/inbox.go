package control

import (
	"bufio"
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

// An inbox hands a worker's events to those who wait for them, one by one, so that a worker can't fill the driver's
// memory. Intervals and Done belong to the phase; whatever else is said, to the command that was given first of those
// without an answer. What belongs to nobody waits for somebody to whom it is a surprise.
type inbox struct {
	mu      sync.Mutex
	changed sync.Cond // a waiter has come, or deaf has turned true
	waiters []*waiter // in the order of their commands
	deaf    bool      // nobody wants to hear any more

	over   chan struct{} // closed when nothing more can be read
	broken error         // why; set before
}

// A waiter waits for what is said to one command.
type waiter struct {
	command string
	due     reply
	events  chan *Event
	left    chan struct{} // closed when it waits no more; what is still said to it is passed over
	inbox   *inbox
}

// A reply is what a command is answered with.
type reply int

const (
	none    reply = iota // by the phase that it ends
	answer               // one event
	pieces               // Pieces, then one event
	running              // Intervals, then Done
)

func newInbox() *inbox {
	in := &inbox{over: make(chan struct{})}
	in.changed.L = &in.mu
	return in
}

// expect has what is said to a command, which is about to be given, handed to the waiter that is returned. A second
// phase can't run: its Begin is waited for as a mere command.
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
	for {
		event := &Event{}
		if err := unmarshal(out, event, eventBytesMax); err != nil {
			in.broken = ended(err)
			close(in.over)
			_, _ = io.Copy(io.Discard, out)
			return
		}
		if w := in.addressee(event); w != nil {
			select {
			case w.events <- event:
			case <-w.left:
			}
		}
	}
}

func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the worker ended")
	}
	return fmt.Errorf("the worker's output can't be read: %w", err)
}

// addressee returns for whom an event is, and waits for one to come; nil when nobody wants to hear any more. One whose
// answer this is has no further claim.
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

// find returns the index of the waiter for whom an event is, and -1 where nobody waits.
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

// blamed tells whether a Fault may be about the waiter's command. One that names no field may be about any.
func (w *waiter) blamed(fault *Fault) bool {
	word, _, _ := strings.Cut(fault.GetField(), ".")
	return word == "" || word == "command" || word == w.command
}

// endsWith tells whether nothing more is due after an event.
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
		if fault := event.GetFault(); fault != nil {
			return nil, &FaultError{Field: fault.GetField(), Message: fault.GetMessage()}
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
