package wire_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// A pumped caller's client is waited for in its own goroutine, as under load.
type pumped struct {
	*caller
	ends []chan error // by slot
}

// pump makes slots on a client.
func pump(t *testing.T, client *wire.Client, call wire.Call, exchanges ...wire.Exchange) *pumped {
	t.Helper()
	p := &pumped{caller: &caller{t: t, client: client}}
	p.lane = client.Lane(call, func(slot int, err error) { p.ends[slot] <- err })
	for _, e := range exchanges {
		p.lane.Add(e)
		p.ends = append(p.ends, make(chan error, 1))
	}
	over := make(chan struct{})
	go func() {
		for client.Turn() {
		}
		close(over)
	}()
	t.Cleanup(func() { client.Close(); <-over })
	return p
}

// want wants the call of a slot to end with a code, and returns its error.
func (p *pumped) want(slot int, code stack.Code) error {
	p.t.Helper()
	select {
	case err := <-p.ends[slot]:
		if stack.CodeOf(err) != code {
			p.t.Errorf("slot %d ended with %v, want %v", slot, err, code)
		}
		return err
	case <-time.After(limit):
		p.t.Fatalf("the call of slot %d did not end", slot)
		return nil
	}
}

// within waits for what must come.
func within(t *testing.T, come <-chan struct{}) {
	t.Helper()
	select {
	case <-come:
	case <-time.After(limit):
		t.Error("the other side did not come so far")
	}
}

// answered has the client answer a ping, so that it has read all that was sent before.
func (s *server) answered() {
	s.WritePing(false, [8]byte{})
	for {
		f, err := s.ReadFrame()
		if err != nil {
			return
		}
		if ping, ok := f.(*http2.PingFrame); ok && ping.IsAck() {
			return
		}
	}
}

// listen reads until the client has gone.
func (s *server) listen() {
	for id := uint32(1); id != 0; {
		id, _ = s.request()
	}
}

// A wait is something that a call may wait for: its server tells entered when the call of slot 1 may be sent, or, where
// that one is to wait for another connection, when the client asks for one.
type wait struct {
	play func(s *server, number int, entered chan<- struct{})
	dial func(ctx context.Context, number int, entered chan<- struct{}) error
	lost bool   // the call of slot 0 ends, because its connection does
	says string // for what the error says that it waited; "" is nothing
}

const (
	place = "a place among the calls that the server accepts at once on a connection, 1"
	leave = "the server to accept calls: it allows 0 at once on a connection (SETTINGS_MAX_CONCURRENT_STREAMS)"
	room  = "the server to take its request: the stream's flow-control window is used up"
	link  = "a connection to the server"
)

var waits = map[string]wait{
	"a reply": {play: func(s *server, _ int, entered chan<- struct{}) {
		s.greet()
		s.request()
		entered <- struct{}{}
		s.listen()
	}},
	"a stream": {says: place, play: func(s *server, _ int, entered chan<- struct{}) {
		s.greet(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1})
		s.request()
		entered <- struct{}{}
		s.listen()
	}},
	"a server that accepts no calls": {
		says: leave,
		play: func(s *server, _ int, entered chan<- struct{}) {
			s.greet()
			s.request()
			s.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 0})
			s.answered()
			entered <- struct{}{}
			s.listen()
		},
	},
	"a window": {says: room, play: func(s *server, _ int, entered chan<- struct{}) {
		s.greet()
		s.request()
		s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
		s.answered()
		entered <- struct{}{}
		s.listen()
	}},
	"a server that goes away": {says: link, play: func(s *server, _ int, entered chan<- struct{}) {
		s.greet()
		id, _ := s.request()
		s.WriteGoAway(id, http2.ErrCodeNo, nil)
		s.answered()
		entered <- struct{}{}
		s.listen()
	}, dial: func(ctx context.Context, number int, _ chan<- struct{}) error {
		if number > 0 {
			<-ctx.Done()
		}
		return ctx.Err()
	}},
	"settings": {lost: true, says: link, play: func(s *server, number int, entered chan<- struct{}) {
		if number == 0 {
			s.greet()
			s.request()
			return
		}
		entered <- struct{}{}
		s.listen()
	}},
	"a socket": {lost: true, says: link, play: func(s *server, _ int, _ chan<- struct{}) {
		s.greet()
		s.request()
	}, dial: func(ctx context.Context, number int, entered chan<- struct{}) error {
		if number == 0 {
			return nil
		}
		entered <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}},
}

// Whatever a call waits for, Cancel ends it at once, and no other.
func TestCancelEndsACallWhateverItWaitsFor(t *testing.T) {
	t.Parallel()
	for what, w := range waits {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			entered := make(chan struct{}, 1)
			address := serve(t, func(s *server, number int) { w.play(s, number, entered) })
			client, err := dial(t, address, func(config *wire.Config) {
				number, open := 0, config.Dial
				config.Dial = func(ctx context.Context) (net.Conn, error) {
					if w.dial != nil {
						if err := w.dial(ctx, number, entered); err != nil {
							return nil, err
						}
					}
					number++
					return open(ctx)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			p := pump(t, client, unary(), &exchange{message: framed("ping")}, &exchange{message: framed("ping")})
			p.lane.Send([]int{0})
			if w.lost {
				p.want(0, stack.Unavailable)
				p.lane.Send([]int{1})
				within(t, entered)
			} else {
				within(t, entered)
				p.lane.Send([]int{1})
			}
			for range 2 {
				p.lane.Cancel(1)
				var waited interface{ WaitedFor() string }
				err := p.want(1, stack.Canceled)
				said := ""
				if errors.As(err, &waited) {
					said = waited.WaitedFor()
				}
				isWritten := w.says == "" && said == wire.Unread // at this moment, by another goroutine
				if said != w.says && !isWritten {
					t.Errorf("%v, want that it waited for %q", err, w.says)
				}
				p.lane.Send([]int{1})
			}
			p.lane.Cancel(1)
			p.want(1, stack.Canceled)
			if len(p.ends[0]) > 0 {
				t.Errorf("the call of slot 0 ended with %v", <-p.ends[0])
			}
		})
	}
}

// Replies that a server still owes to canceled calls don't keep a connection on which it takes no more, whether they are
// canceled before it says so or after.
func TestAServerThatGoesAwayIsLeftWhenNobodyWaits(t *testing.T) {
	t.Parallel()
	for _, before := range []bool{true, false} {
		sent, cancelled, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
		address := serve(t, func(s *server, number int) {
			s.greet()
			id := s.messages(2)
			if number > 0 {
				s.head(id)
				s.pong(id, 2)
				s.listen()
				return
			}
			close(sent)
			if before {
				within(t, cancelled)
			}
			s.WriteGoAway(id, http2.ErrCodeNo, nil)
			s.answered()
			close(gone)
			s.listen()
		})
		client, err := dial(t, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := pump(t, client, window(1), &exchange{message: framed("ping")}, &exchange{message: framed("ping")})
		p.lane.Send([]int{0, 1})
		within(t, sent)
		if !before {
			within(t, gone)
		}
		for slot := range 2 {
			p.lane.Cancel(slot)
			p.want(slot, stack.Canceled)
		}
		close(cancelled)
		within(t, gone)
		p.lane.Send([]int{0, 1})
		p.want(0, stack.OK)
		p.want(1, stack.OK)
	}
}

// A call that can't go on ends at once, though nothing comes from the server that would wake who reads.
func TestACallThatCannotGoOnIsToldAtOnce(t *testing.T) {
	t.Parallel()
	ready := make(chan struct{})
	address := serve(t, func(s *server, _ int) {
		s.greet()
		s.answered()
		close(ready)
		s.request()
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := pump(t, client, unary(), &odd{messages: 2, failSecond: true})
	within(t, ready)
	p.lane.Send([]int{0})
	p.want(0, stack.InvalidArgument)
}

// When the ids of a connection are used up, what is open there goes on, and then there is another connection. A stream
// that stays open, without a call at the moment, does not keep it.
func TestAConnectionWithoutIDsIsReplaced(t *testing.T) {
	t.Parallel()
	connections := make(chan int, 10)
	address := serve(t, func(s *server, number int) {
		connections <- number
		s.greet()
		for {
			f, err := s.ReadFrame()
			if err != nil {
				return
			}
			switch data, ok := f.(*http2.DataFrame); {
			case !ok || len(data.Data()) == 0:
			case data.StreamEnded():
				s.good(data.StreamID)
			default:
				s.head(data.StreamID)
				s.pong(data.StreamID, 1)
			}
		}
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	open, single := callerOn(t, client, window(1), 1), callerOn(t, client, unary(), 1)
	for i, c := range []*caller{open, single, single, open} {
		if i == 1 {
			client.UseUpIDs()
		}
		if err := c.call()[0]; err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if n := len(connections); n != 2 {
		t.Errorf("there were %d connections, want 2", n)
	}
}
