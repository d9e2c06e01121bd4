package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"testing/synctest"
)

// A fakeStream is a stream of which the test is the server. In a bubble of synctest, so that "nothing more happens" is
// known and not waited for.
type fakeStream struct {
	ctx    context.Context
	sent   chan struct{} // receives a message
	echoes chan string   // what Recv returns
	broken chan error
	end    error // of End
	deaf   bool  // Recv does not notice the end of ctx, as on a machine that has no time for it yet
}

func (f *fakeStream) Send(Message, bool) (bytes int, err error) {
	select {
	case f.sent <- struct{}{}:
		return 0, nil
	case <-f.ctx.Done():
		return 0, io.EOF
	}
}

func (f *fakeStream) Recv(Reply) (Reply, error) {
	select {
	case echo := <-f.echoes:
		return Reply{Payload: []byte(echo)}, nil
	case err := <-f.broken:
		return Reply{}, err
	case <-f.over():
		return Reply{}, Failure(f.ctx, Canceled, f.ctx.Err())
	}
}

func (f *fakeStream) End() error { return f.end }

func (f *fakeStream) over() <-chan struct{} {
	if f.deaf {
		return nil
	}
	return f.ctx.Done()
}

// A fakeServer opens fakeStreams. Each takes room messages before Send blocks.
type fakeServer struct {
	room   int
	deaf   bool
	opened []*fakeStream
}

func (s *fakeServer) open(ctx context.Context) (MessageStream, error) {
	f := &fakeStream{ctx, make(chan struct{}, s.room), make(chan string, 100), make(chan error, 1), nil, s.deaf}
	s.opened = append(s.opened, f)
	return f, nil
}

func (s *fakeServer) last() *fakeStream { return s.opened[len(s.opened)-1] }

// A slotRun is a slot with its calls' ends.
type slotRun struct {
	Caller
	reply string
	ended chan error
}

func newSlots(s *fakeServer, n, streams int) []*slotRun {
	return newBurstSlots(s, n, streams, 0)
}

// newBurstSlots makes slots of bursts, or of ping_pong without messages.
func newBurstSlots(s *fakeServer, n, streams, messages int) []*slotRun {
	var shared PingPong
	kind := KindPingPong
	if messages > 0 {
		kind = KindBurst
	}
	slots := make([]*slotRun, n)
	for i := range slots {
		run := &slotRun{ended: make(chan error, 1)}
		call := Call{Kind: kind, Messages: messages, Streams: streams, ResponseBytes: 1, Check: func(reply []byte) error {
			run.reply = string(reply)
			return nil
		}}
		run.Caller = shared.Caller(call, i, n, s.open)
		slots[i] = run
	}
	return slots
}

// call begins a call and returns when it can't go on by itself.
func (s *slotRun) call(ctx context.Context) {
	go func() {
		err := s.Call(ctx)
		if wrong := s.After(); err == nil {
			err = wrong
		}
		s.ended <- err
	}()
	synctest.Wait()
}

// end returns the outcome of a call as text: "reply a", "CANCELLED", "waits".
func (s *slotRun) end() string {
	synctest.Wait()
	select {
	case err := <-s.ended:
		if err != nil {
			return CodeOf(err).String()
		}
		return "reply " + s.reply
	default:
		return "waits"
	}
}

func wantEnds(t *testing.T, slots []*slotRun, want ...string) {
	t.Helper()
	for i, slot := range slots {
		if got := slot.end(); got != want[i] {
			t.Errorf("slot %d: %s, want %s", i, got, want[i])
		}
	}
}

func TestWindowGivesEchoesInTheOrderOfTheMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 10}
		slots := newSlots(server, 3, 1)
		for _, i := range []int{1, 0, 2} {
			slots[i].call(t.Context())
		}
		for _, echo := range []string{"a", "b"} {
			server.last().echoes <- echo
		}
		wantEnds(t, slots, "reply b", "reply a", "waits")
		server.last().echoes <- "c"
		wantEnds(t, slots[2:], "reply c")
		endWindow(server)
	})
}

func TestABurstHasItsSlotsRepliesOneAfterAnother(t *testing.T) {
	for _, streams := range []int{1, 2} { // a window, and an alternation
		synctest.Test(t, func(t *testing.T) {
			server := &fakeServer{room: 10}
			slots := newBurstSlots(server, 2, streams, 3)
			slots[0].call(t.Context())
			if got := len(server.last().sent); got != 3 {
				t.Errorf("%d messages were sent, want 3", got)
			}
			for _, echo := range []string{"a", "b"} {
				server.last().echoes <- echo
			}
			wantEnds(t, slots[:1], "waits")
			server.last().echoes <- "c"
			wantEnds(t, slots[:1], "reply c")
			endWindow(server)
		})
	}
}

func TestACancelledBurstLeavesItsEchoesToNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 20}
		slots := newBurstSlots(server, 3, 1, 2)
		ctx, cancel := context.WithCancel(t.Context())
		slots[0].call(ctx)
		slots[1].call(t.Context())
		server.last().echoes <- "a"
		cancel()
		wantEnds(t, slots[:2], "CANCELLED", "waits")
		for _, echo := range []string{"b", "c", "d"} {
			server.last().echoes <- echo
		}
		wantEnds(t, slots[1:2], "reply d")
		endWindow(server)
	})
}

func TestWindowSpreadsSlotsOverItsStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 10}
		for _, slot := range newSlots(server, 6, 2) {
			slot.call(t.Context())
		}
		if len(server.opened) != 2 || len(server.opened[0].sent) != 3 || len(server.opened[1].sent) != 3 {
			t.Errorf("%d streams were opened, want 2 with 3 messages each", len(server.opened))
		}
		endWindow(server)
	})
}

func TestACancelledSlotLeavesItsEchoToNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 10}
		slots := newSlots(server, 3, 1)
		ctx, cancel := context.WithCancel(t.Context())
		slots[0].call(ctx)
		slots[1].call(t.Context())
		cancel()
		wantEnds(t, slots[:2], "CANCELLED", "waits")
		slots[0].call(t.Context()) // behind slot 1, and not in the place that it has left
		for _, echo := range []string{"a", "b", "c"} {
			server.last().echoes <- echo
		}
		wantEnds(t, slots[:2], "reply c", "reply b")
		if len(server.opened) != 1 {
			t.Errorf("%d streams were opened, want 1", len(server.opened))
		}
		endWindow(server)
	})
}

func TestABrokenWindowFailsAllWhoWaitAndOpensAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 10}
		slots := newSlots(server, 3, 1)
		slots[0].call(t.Context())
		slots[1].call(t.Context())
		server.last().broken <- Errorf(ResourceExhausted, "too much")
		wantEnds(t, slots, "RESOURCE_EXHAUSTED", "RESOURCE_EXHAUSTED", "waits")
		slots[2].call(t.Context())
		server.last().echoes <- "a"
		wantEnds(t, slots[2:], "reply a")
		if len(server.opened) != 2 || server.opened[0].ctx.Err() == nil {
			t.Errorf("%d streams were opened, want 2, the first one ended", len(server.opened))
		}
		endWindow(server)
	})
}

func TestAnEndedWindowIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 10}
		slots := newSlots(server, 2, 1)
		slots[0].call(t.Context())
		server.last().broken <- io.EOF
		wantEnds(t, slots[:1], "UNAVAILABLE")
	})
}

func TestAStuckWindowIsGivenUpWhenASlotThatSendsIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 1}
		slots := newSlots(server, 4, 1)
		ctx, cancel := context.WithCancel(t.Context())
		slots[0].call(t.Context()) // sent
		slots[1].call(ctx)         // in Send
		cancel()
		wantEnds(t, slots, "UNAVAILABLE", "CANCELLED", "waits", "waits")
		slots[0].call(t.Context())
		server.last().echoes <- "a"
		wantEnds(t, slots[:1], "reply a")
		endWindow(server)
	})
}

// Those who share a stream that was given up may all have left before its receiver knows: the next call opens another.
func TestAWindowThatWasGivenUpTakesNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 1, deaf: true}
		slots := newSlots(server, 3, 1)
		ctx, cancel := context.WithCancel(t.Context())
		slots[0].call(ctx) // sent
		slots[1].call(ctx) // in Send
		cancel()
		wantEnds(t, slots, "CANCELLED", "CANCELLED", "waits")
		slots[2].call(t.Context())
		server.last().echoes <- "a"
		wantEnds(t, slots[2:], "reply a")
		for _, stream := range server.opened {
			stream.broken <- io.EOF
		}
	})
}

func TestAMessageThatAnswersNoneBreaksTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 10}
		slots := newSlots(server, 2, 1)
		slots[0].call(t.Context())
		server.last().echoes <- "a"
		wantEnds(t, slots[:1], "reply a")
		server.last().echoes <- "b"
		synctest.Wait()
		if server.last().ctx.Err() == nil {
			t.Error("the stream goes on after a message that answers none")
		}
	})
}

func TestAWindowDoesNotOpenForACancelledCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{}
		slots := newSlots(server, 2, 1)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		slots[0].call(ctx)
		wantEnds(t, slots[:1], "CANCELLED")
		if len(server.opened) != 0 {
			t.Errorf("%d streams were opened, want 0", len(server.opened))
		}
	})
}

// What follows a context may run when its calls have ended long ago, just as the next call stops it.
func TestAContextOfAnEarlierCallLeavesTheNextAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 10}
		slot := newSlots(server, 2, 1)[0]
		ctx, cancel := context.WithCancel(t.Context())
		slot.call(ctx)
		server.last().echoes <- "a"
		wantEnds(t, []*slotRun{slot}, "reply a")
		cancel()
		synctest.Wait()
		own := slot.Caller.(*windowSlot)
		own.stop = func() bool { own.window.leave(ctx, own); return false }
		slot.call(t.Context())
		server.last().echoes <- "b"
		wantEnds(t, []*slotRun{slot}, "reply b")
		endWindow(server)
	})
}

// endWindow ends the goroutines of the windows.
func endWindow(s *fakeServer) {
	s.last().broken <- io.EOF
	for _, stream := range s.opened[:len(s.opened)-1] {
		if stream.ctx.Err() == nil {
			stream.broken <- io.EOF
		}
	}
	synctest.Wait()
}

func TestAnAlternationKeepsItsStreamUntilItFailsOrTheContextChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &fakeServer{room: 10}
		slot := newSlots(server, 1, 1)[0]
		step := func(ctx context.Context, do func(f *fakeStream), want string, streams int) {
			t.Helper()
			slot.call(ctx)
			do(server.last())
			if got := slot.end(); got != want || len(server.opened) != streams {
				t.Errorf("%s on stream %d, want %s on stream %d", got, len(server.opened), want, streams)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		step(ctx, func(f *fakeStream) { f.echoes <- "a" }, "reply a", 1)
		step(ctx, func(f *fakeStream) { f.echoes <- "b" }, "reply b", 1)
		step(ctx, func(f *fakeStream) { f.broken <- Errorf(DataLoss, "lost") }, "DATA_LOSS", 1)
		step(ctx, func(f *fakeStream) { f.broken <- io.EOF }, "UNAVAILABLE", 2)
		step(ctx, func(*fakeStream) { cancel() }, "CANCELLED", 3)
		step(t.Context(), func(f *fakeStream) { f.echoes <- "c" }, "reply c", 4)
	})
}

// The call that ends a stream ends with it, and the next opens another.
func TestAStreamEndsAfterItsCalls(t *testing.T) {
	t.Parallel()
	server, ends := &fakeServer{room: 10}, []error{nil, Errorf(DataLoss, "lost"), nil}
	caller := (&PingPong{}).Caller(Call{Kind: KindPingPong, Streams: 1, PerStream: 2}, 0, 1,
		func(ctx context.Context) (MessageStream, error) {
			stream, err := server.open(ctx)
			f := server.last()
			f.end = ends[len(server.opened)-1]
			f.echoes <- ""
			f.echoes <- ""
			return stream, err
		})
	for i, want := range []Code{OK, OK, OK, DataLoss, OK} {
		if err := caller.Call(t.Context()); CodeOf(err) != want || len(server.opened) != i/2+1 {
			t.Errorf("call %d on stream %d: %v, want %v on stream %d", i, len(server.opened), err, want, i/2+1)
		}
	}
	for i, f := range server.opened {
		if over := f.ctx.Err() != nil; over != (i < 2) {
			t.Errorf("stream %d is given up: %v", i+1, over)
		}
	}
}

// An instant stream echoes at once.
type instant struct{ echoes chan struct{} }

func (i instant) Send(Message, bool) (bytes int, err error) {
	i.echoes <- struct{}{}
	return 0, nil
}

func (instant) End() error { return nil }

func (i instant) Recv(b Reply) (Reply, error) {
	if _, open := <-i.echoes; !open {
		return Reply{}, errors.New("closed")
	}
	return Reply{Payload: append(b.Payload[:0], 'x')}, nil
}

func BenchmarkWindow(b *testing.B) {
	for _, n := range []int{2, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkWindow(b, n) })
	}
}

func benchmarkWindow(b *testing.B, slots int) {
	stream := instant{make(chan struct{}, 1000)}
	defer close(stream.echoes)
	var shared PingPong
	var group sync.WaitGroup
	b.ReportAllocs()
	for slot := range slots {
		call := Call{Kind: KindPingPong, Streams: 1, ResponseBytes: 1}
		caller := shared.Caller(call, slot, slots, func(context.Context) (MessageStream, error) { return stream, nil })
		group.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			for range b.N/slots + 1 {
				if err := caller.Call(ctx); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}
