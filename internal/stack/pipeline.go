package stack

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"rpcbench/internal/stack/ring"
)

// A window is a stream that several slots share. A slot sends its messages, one or a burst, and joins the queue; a
// goroutine receives the echoes, which come in the order of the messages, and wakes the slots. A slot whose context ends
// leaves its place in the queue to the echo that is still to come. When the stream breaks all who wait fail, and the next
// call opens another.
type window struct {
	open OpenStream

	// Held from joining the queue until the messages are sent, so that both have one order. The receiver never takes it:
	// a sender may be blocked until the receiver has made room.
	sender sync.Mutex

	mu      sync.Mutex // guards the rest, and the slots' fields that say so
	stream  MessageStream
	cancel  context.CancelFunc // ends stream, or its opening; nil where there is neither
	givenUp bool               // for a slot that was stuck sending
	queue   places
}

// A windowSlot is one slot of a window: a Caller.
type windowSlot struct {
	window  *window
	replies Replies
	wake    chan struct{} // holds one: a slot has one call at a time
	sending atomic.Bool   // from the begin of a call until its messages are sent
	stop    func() bool   // ends following ctx

	// Guarded by window.mu.
	ctx     context.Context
	waiting bool
	call    uint64 // tells this call's place in the queue from those that earlier ones left
	buffer  Reply
	err     error
}

func (s *windowSlot) Call(ctx context.Context) error {
	s.replies.Begin()
	s.follow(ctx)
	s.sending.Store(true) // from here on what followed the context of an earlier call does nothing
	err := s.window.send(ctx, s)
	s.sending.Store(false)
	if err == nil {
		<-s.wake
		err = s.err
	}
	if err != nil {
		return Failure(ctx, CodeOf(err), err)
	}
	s.replies.End()
	return nil
}

func (s *windowSlot) After() error { return s.replies.Verify() }

// follow has the slot leave the window when ctx ends. It costs nothing while the context stays the same.
func (s *windowSlot) follow(ctx context.Context) {
	if ctx == s.ctx {
		return
	}
	if s.stop != nil {
		s.stop()
	}
	s.window.mu.Lock()
	s.ctx = ctx
	s.window.mu.Unlock()
	s.stop = context.AfterFunc(ctx, func() { s.window.leave(ctx, s) })
}

// leave ends the wait of a slot whose context has ended. If the slot could not even send, its stream takes no more messages and
// is given up.
func (w *window) leave(ctx context.Context, s *windowSlot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case s.ctx != ctx: // another call has begun
	case s.sending.Load():
		w.giveUp(ctx.Err())
	case s.waiting:
		s.finish(ctx.Err())
	}
}

// giveUp ends the stream, or its opening. No call may join it from here on, although its receiver does not know yet. The
// caller holds mu.
func (w *window) giveUp(err error) {
	if w.cancel == nil {
		return
	}
	w.givenUp = true
	if w.stream != nil {
		w.end(w.reason(err))
	} else {
		w.cancel() // the slot that opens it is told
	}
}

// send sends the messages of s. The outcome of the call comes by s.wake unless an error is returned.
func (w *window) send(ctx context.Context, s *windowSlot) error {
	w.sender.Lock()
	defer w.sender.Unlock()
	stream, err := w.join(ctx, s)
	if err != nil {
		return err
	}
	if err := sendAll(stream, &s.replies); err != nil && !errors.Is(err, io.EOF) {
		w.fail(stream, err)
	}
	return nil
}

// join puts s into the queue of the open stream, which it opens where there is none.
func (w *window) join(ctx context.Context, s *windowSlot) (MessageStream, error) {
	for {
		w.mu.Lock()
		if err := ctx.Err(); err != nil {
			w.mu.Unlock()
			return nil, err
		}
		if stream := w.stream; stream != nil {
			s.waiting = true
			w.queue.Push(place{slot: s, call: s.call, due: s.replies.want})
			w.mu.Unlock()
			return stream, nil
		}
		// The stream outlives the slot that opens it.
		life, cancel := context.WithCancel(context.Background())
		w.cancel, w.givenUp = cancel, false
		w.mu.Unlock()

		stream, err := w.open(life)
		if err = w.opened(stream, err); err != nil {
			return nil, err
		}
	}
}

func (w *window) opened(stream MessageStream, err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil && w.givenUp {
		err = context.Canceled // too late for it to fail by itself
	}
	if err != nil {
		err = w.reason(err)
		w.cancel()
		w.cancel = nil
		return err
	}
	w.stream = stream
	go w.receive(stream)
	return nil
}

func (w *window) receive(stream MessageStream) {
	var buffer Reply
	for {
		reply, err := stream.Recv(buffer)
		if err != nil {
			w.fail(stream, streamEnd(err))
			return
		}
		buffer, err = w.deliver(stream, reply)
		if err != nil {
			w.fail(stream, err)
			return
		}
	}
}

// deliver gives reply to the slot whose turn it is, and returns a buffer for the next one: the slot's last.
func (w *window) deliver(stream MessageStream, reply Reply) (buffer Reply, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stream != stream {
		return Reply{}, Errorf(Canceled, "the stream was closed")
	}
	next, ok := w.queue.reply()
	if !ok {
		return Reply{}, Errorf(Internal, "a message arrived that answers no request")
	}
	if !next.taken() {
		return reply, nil
	}
	buffer, next.slot.buffer = next.slot.buffer, reply
	next.slot.replies.Add(reply) // the slot itself keeps away from them while it waits
	if next.due == 0 {
		next.slot.finish(nil)
	}
	return buffer, nil
}

// fail ends stream and all who wait for it, unless it was ended already.
func (w *window) fail(stream MessageStream, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stream == stream {
		w.end(err)
	}
}

// end ends the stream and all who wait for it. The caller holds mu.
func (w *window) end(err error) {
	w.cancel()
	w.stream, w.cancel = nil, nil
	for w.queue.Len() > 0 {
		if next := w.queue.Pop(); next.taken() {
			next.slot.finish(err)
		}
	}
}

// reason returns err, or its cause. Slots that share a stream have their own contexts, which are not done, so it is not CANCELLED
// for them.
func (w *window) reason(err error) error {
	if w.givenUp {
		return Errorf(Unavailable, "the stream accepted no more messages and was closed: %w", err)
	}
	return err
}

// finish ends the slot's call. The caller holds window.mu.
func (s *windowSlot) finish(err error) {
	s.waiting = false
	s.call++
	s.err = err
	s.wake <- struct{}{}
}

// A place in the queue belongs to one call of a slot.
type place struct {
	slot *windowSlot
	call uint64
	due  int // replies
}

// taken reports whether the slot still waits here.
func (p place) taken() bool { return p.slot.waiting && p.slot.call == p.call }

// places is the queue. It is longer than there are slots only where slots have left.
type places struct{ ring.Ring[place] }

// reply takes one reply off what is due in the first place, which leaves the queue with its last.
func (q *places) reply() (place, bool) {
	if q.Len() == 0 {
		return place{}, false
	}
	first := q.At(0)
	first.due--
	if first.due > 0 {
		return *first, true
	}
	return q.Pop(), true
}
