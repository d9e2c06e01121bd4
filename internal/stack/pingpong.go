package stack

import (
	"context"
	"errors"
	"io"
)

// A MessageStream is an open bidirectional stream, as ping_pong and burst need it. One goroutine sends while one
// receives.
type MessageStream interface {
	// Send sends a request of the call. With more, another follows at once, and this one may be held back until then. bytes is
	// the length of a message of a foreign method, and 0 for our own. io.EOF means that the stream has ended, and Recv returns
	// why.
	Send(message Message, more bool) (bytes int, err error)
	// Recv returns the next reply, which the caller owns. It may use the memory of buffer, which is an earlier reply to the same
	// call or the zero value. io.EOF is an end that the server called good. Every other error is an *Error.
	Recv(buffer Reply) (Reply, error)
	// End half-closes and waits until the server has ended the stream too, which it calls good. Every reply has come, and
	// nothing follows. An error is an *Error.
	End() error
}

// An OpenStream opens a stream that lives until ctx is done. Then its methods return soon, and everything that it holds
// is freed. An error is an *Error.
type OpenStream func(ctx context.Context) (MessageStream, error)

// PingPong makes the Callers of ping_pong and burst on one connection: a call of ping_pong sends one message and receives
// its echo, one of burst sends several and then receives as many. With as many streams as slots each slot has its own,
// and sends and receives in the goroutine that calls. With fewer, slots share a stream as a window. The zero value is
// ready.
type PingPong struct {
	windows []*window // of the call that Callers are being made of
}

// Caller makes the Caller of one of inFlight slots. Slots are asked for in order: slot 0 begins a new call.
func (p *PingPong) Caller(call Call, slot, inFlight int, open OpenStream) Caller {
	replies := NewReplies(call, slot)
	if call.Streams == inFlight {
		return &alternation{open: open, replies: replies, most: call.PerStream}
	}
	if slot == 0 || len(p.windows) != call.Streams {
		p.windows = make([]*window, call.Streams)
		for i := range p.windows {
			p.windows[i] = &window{open: open}
		}
	}
	return &windowSlot{
		window:  p.windows[slot%call.Streams],
		replies: replies,
		wake:    make(chan struct{}, 1),
	}
}

// sendAll sends the messages of the call that r follows.
func sendAll(stream MessageStream, r *Replies) error {
	for i := range r.sent {
		bytes, err := stream.Send(r.Message(i), i+1 < r.sent)
		if err != nil {
			return err
		}
		if r.method != nil {
			r.AddSent(bytes)
		}
	}
	return nil
}

// An alternation is a slot with its own stream: a message, its echo, the next message.
type alternation struct {
	open    OpenStream
	replies Replies
	ctx     context.Context // that stream hangs on
	cancel  context.CancelFunc
	stream  MessageStream // nil before the first call, after a failed one, and where the next begins another
	buffer  Reply
	carried int // calls by the stream
	most    int // Call.PerStream
}

func (a *alternation) Call(ctx context.Context) error {
	a.replies.Begin()
	err := a.exchange(ctx)
	if err != nil {
		a.drop()
		return Failure(ctx, CodeOf(err), err)
	}
	a.replies.End()
	return nil
}

func (a *alternation) After() error { return a.replies.Verify() }

func (a *alternation) exchange(ctx context.Context) error {
	if a.stream == nil || ctx != a.ctx {
		if err := a.reopen(ctx); err != nil {
			return err
		}
	}
	sent := sendAll(a.stream, &a.replies)
	if sent != nil && !errors.Is(sent, io.EOF) {
		return sent
	}
	for range a.replies.want {
		reply, err := a.stream.Recv(a.buffer)
		if err != nil || sent != nil {
			return streamEnd(err)
		}
		a.buffer = reply
		a.replies.Add(reply)
	}
	if a.carried++; a.carried != a.most {
		return nil
	}
	err := a.stream.End()
	a.drop()
	return err
}

func (a *alternation) reopen(ctx context.Context) error {
	a.drop()
	life, cancel := context.WithCancel(ctx)
	stream, err := a.open(life)
	if err != nil {
		cancel()
		return err
	}
	a.ctx, a.cancel, a.stream, a.carried = ctx, cancel, stream, 0
	return nil
}

func (a *alternation) drop() {
	if a.stream != nil {
		a.cancel()
		a.stream, a.buffer = nil, Reply{}
	}
}

// streamEnd is the error of a stream that ended while a reply was due. A good end is none for the call that waits.
func streamEnd(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return Errorf(Unavailable, "the server ended the stream")
	}
	return err
}
