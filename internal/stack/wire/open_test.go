package wire_test

import (
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

func window(streams int) wire.Call {
	return wire.Call{Path: "/test.Service/Stream", Replies: 1, Open: true, Streams: streams}
}

// messages reads until so many messages have come, and returns their stream.
func (s *server) messages(n int) (id uint32) {
	for got := 0; got < n; {
		f, err := s.ReadFrame()
		if err != nil {
			return 0
		}
		if data, ok := f.(*http2.DataFrame); ok {
			id = data.StreamID
			got += len(data.Data()) / len(framed("ping"))
		}
	}
	return id
}

func (s *server) pong(id uint32, n int) {
	s.WriteData(id, false, []byte(strings.Repeat(string(framed("pong")), n)))
}

// Of slots that share a stream, the one that was first is answered first. One that leaves keeps its place.
func TestRepliesOfASharedStreamAreInOrder(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	address := serve(t, func(s *server, _ int) {
		s.greet()
		id := s.messages(3)
		s.head(id)
		s.pong(id, 1)
		<-next
		s.pong(id, 1) // to the one that has left
		s.messages(1)
		s.pong(id, 1)
		<-next
		s.pong(id, 1)
		s.messages(1)
	})
	c := newCaller(t, address, window(1), 3)
	c.lane.Send([]int{2, 0, 1})
	c.until(2)
	c.lane.Cancel(0)
	c.until(0)
	if err := c.told[0][0]; stack.CodeOf(err) != stack.Canceled {
		t.Errorf("the cancelled call ended with %v", err)
	}
	c.told[0] = nil
	c.lane.Send([]int{0})
	next <- struct{}{}
	c.until(1)
	if len(c.told[0]) != 0 {
		t.Errorf("slot 0 was told %v, by the reply to its earlier call", c.told[0])
	}
	next <- struct{}{}
	c.until(0)
	for slot := range 3 {
		if err := c.told[slot][0]; err != nil {
			t.Errorf("slot %d: %v", slot, err)
		}
	}
}

// until waits until a slot has ended.
func (c *caller) until(slot int) {
	c.t.Helper()
	for len(c.told[slot]) == 0 {
		if !c.client.Turn() {
			c.t.Fatal("the connection was closed")
		}
	}
}

func TestAnOpenStreamThatBreaksIsOpenedAgain(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		end  func(s *server, id uint32)
		code stack.Code
		says string
	}{
		"a good end": {
			func(s *server, id uint32) { s.head(id); s.status(id, "0") }, stack.Unavailable, "the server ended the stream",
		},
		"a status":     {func(s *server, id uint32) { s.head(id); s.status(id, "8") }, stack.ResourceExhausted, ""},
		"a reset":      {func(s *server, id uint32) { s.WriteRSTStream(id, http2.ErrCodeInternal) }, stack.Internal, "INTERNAL_ERROR"},
		"one too many": {func(s *server, id uint32) { s.head(id); s.pong(id, 3) }, stack.OK, ""},
		"gone":         {func(s *server, _ uint32) { s.socket.Close() }, stack.Unavailable, "closed the connection"},
		"going": {func(s *server, id uint32) {
			s.WriteGoAway(id, 0, nil)
			s.head(id)
			s.pong(id, 2)
			s.request() // the stream is ended for good
		}, stack.OK, ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			address := serve(t, func(s *server, number int) {
				s.greet()
				id := s.messages(2)
				if number == 0 {
					c.end(s, id)
					id = s.messages(2)
				}
				if id != 0 {
					s.head(id)
					s.pong(id, 2)
					s.messages(2)
				}
			})
			caller := newCaller(t, address, window(1), 2)
			for slot, err := range caller.call() {
				if stack.CodeOf(err) != c.code || err != nil && !strings.Contains(err.Error(), c.says) {
					t.Errorf("slot %d: %v, want %v", slot, err, c.code)
				}
			}
			for slot, err := range caller.call() {
				if err != nil {
					t.Errorf("the next call of slot %d: %v", slot, err)
				}
			}
		})
	}
}

// A server that sends on and on is left when there is enough.
func TestAnEndlessResponseIsLeft(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, _ int) {
		s.greet()
		for {
			id, _ := s.request()
			if id == 0 {
				return
			}
			s.head(id)
			s.pong(id, 1)
			s.pong(id, 5)
		}
	})
	c := newCaller(t, address, wire.Call{Path: "/test.Service/Endless", Replies: 1, Endless: true}, 1)
	for range 3 {
		if err := c.call()[0]; err != nil {
			t.Error(err)
		}
	}
}

// ending is a call whose streams carry two calls each.
func ending(streams int) wire.Call {
	call := window(streams)
	call.PerStream = 2
	return call
}

// A stream is half-closed behind its last reply, and its last call ends with it: as the server says. What comes in between
// answers nothing.
func TestAStreamEndsAfterItsCalls(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, _ int) {
		s.greet()
		for number := range 4 {
			s.head(s.messages(1))
			id := uint32(2*number + 1)
			s.pong(id, 1)
			if got := s.messages(1); got != id {
				t.Errorf("call 2 of stream %d is on stream %d", id, got)
			}
			s.pong(id, 1)
			if ended, rest := s.request(); ended != id || len(rest) > 0 {
				t.Errorf("stream %d ended with %d bytes, want the end of %d with none", ended, len(rest), id)
			}
			switch number {
			case 1:
				s.headers(id, true, "grpc-status", "5")
			case 2:
				s.pong(id, 1)
			default:
				s.headers(id, true, "grpc-status", "0")
			}
		}
		s.messages(1)
	})
	c := newCaller(t, address, ending(1), 1)
	for i, want := range []stack.Code{
		stack.OK, stack.OK, stack.OK, stack.NotFound, stack.OK, stack.Internal, stack.OK, stack.OK,
	} {
		if err := c.call()[0]; stack.CodeOf(err) != want {
			t.Errorf("call %d: %v, want %v", i, err, want)
		}
	}
}

// A call that is canceled while its stream ends takes that along, and the next has another.
func TestACallIsCancelledWhileItsStreamEnds(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	address := serve(t, func(s *server, _ int) {
		s.greet()
		for range 2 {
			id := s.messages(1)
			s.head(id)
			s.pong(id, 1)
			s.messages(1)
			s.pong(id, 1)
			s.request() // its end
			if id > 1 {
				s.headers(id, true, "grpc-status", "0")
			} else {
				close(next)
			}
		}
		s.messages(1)
	})
	c := newCaller(t, address, ending(1), 1)
	if err := c.call()[0]; err != nil {
		t.Error(err)
	}
	delete(c.told, 0)
	c.lane.Send([]int{0})
	go func() {
		<-next
		c.lane.Cancel(0)
	}()
	c.until(0)
	if err := c.told[0][0]; stack.CodeOf(err) != stack.Canceled {
		t.Errorf("the cancelled call ended with %v", err)
	}
	delete(c.told, 0)
	for range 2 {
		if err := c.call()[0]; err != nil {
			t.Error(err)
		}
	}
}
