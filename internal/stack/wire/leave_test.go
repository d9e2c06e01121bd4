package wire_test

import (
	"bytes"
	"testing"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// A call that hangs on a connection which the server leaves is no reason for others to wait. It is answered there, and then
// the connection ends.
func TestCallsGoOnBesideOneThatHangsWhereTheServerLeft(t *testing.T) {
	t.Parallel()
	came, left, answer, over := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	address := serve(t, func(s *server, number int) {
		s.greet()
		if number > 0 {
			s.goodAll()
			return
		}
		id, _ := s.request()
		close(came)
		s.WriteGoAway(id, http2.ErrCodeNo, nil)
		s.answered()
		close(left)
		within(t, answer)
		s.good(id)
		s.listen()
		close(over)
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := pump(t, client, unary(), &exchange{message: framed("ping")}, &exchange{message: framed("ping")})
	p.lane.Send([]int{0})
	within(t, came)
	within(t, left)
	for range 3 {
		p.lane.Send([]int{1})
		p.want(1, stack.OK)
	}
	if len(p.ends[0]) > 0 {
		t.Errorf("the call that hangs ended with %v", <-p.ends[0])
	}
	close(answer)
	p.want(0, stack.OK)
	within(t, over)
	if got := client.Retries(); got != 0 {
		t.Errorf("%d calls went out once more, want none", got)
	}
}

// What hangs there may be canceled, and with the last of it the connection ends; and Close ends it.
func TestWhatHangsWhereTheServerLeftEnds(t *testing.T) {
	t.Parallel()
	for what, end := range map[string]func(p *pumped){
		"cancelled": func(p *pumped) { p.lane.Cancel(0) },
		"closed":    func(p *pumped) { p.client.Close() },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			left, over := make(chan struct{}), make(chan struct{})
			address := serve(t, func(s *server, number int) {
				s.greet()
				if number > 0 {
					s.goodAll()
					return
				}
				id, _ := s.request()
				s.WriteGoAway(id, http2.ErrCodeNo, nil)
				s.answered()
				close(left)
				s.listen()
				close(over)
			})
			client, err := dial(t, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := pump(t, client, unary(), &exchange{message: framed("ping")}, &exchange{message: framed("ping")})
			p.lane.Send([]int{0})
			within(t, left)
			p.lane.Send([]int{1})
			p.want(1, stack.OK)
			end(p)
			p.want(0, stack.Canceled)
			within(t, over)
		})
	}
}

// Slots that share a stream which the server leaves share another one, and what hangs on the old one stays its slot's.
func TestASharedStreamIsLeftToWhatHangs(t *testing.T) {
	t.Parallel()
	left, answer := make(chan struct{}), make(chan struct{})
	address := serve(t, func(s *server, number int) {
		s.greet()
		id := s.messages(1)
		if number == 0 {
			s.WriteGoAway(id, http2.ErrCodeNo, nil)
			s.answered()
			close(left)
			within(t, answer)
		}
		s.head(id)
		s.pong(id, 1)
		s.listen()
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := pump(t, client, window(1), &exchange{message: framed("ping")}, &exchange{message: framed("ping")})
	p.lane.Send([]int{0})
	within(t, left)
	p.lane.Send([]int{1})
	p.want(1, stack.OK)
	if len(p.ends[0]) > 0 {
		t.Errorf("the call that hangs ended with %v", <-p.ends[0])
	}
	close(answer)
	p.want(0, stack.OK)
}

// Calls on a stream that is refused go out once more together, in their order.
func TestTheCallsOfARefusedStreamGoOutOnceMore(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, _ int) {
		s.greet()
		s.WriteRSTStream(s.messages(2), http2.ErrCodeRefusedStream)
		id := s.messages(2)
		s.head(id)
		s.pong(id, 2)
		s.listen()
	})
	c := newCaller(t, address, window(1), 2)
	for slot, err := range c.call() {
		if err != nil {
			t.Errorf("slot %d: %v", slot, err)
		}
	}
	if got := c.client.Retries(); got != 2 {
		t.Errorf("%d calls went out once more, want 2", got)
	}
}

// A call that waits for the window of a connection which the server leaves is sent whole on the next one, whether the server
// refuses it or another call of its slot follows.
func TestWhatWaitsForAWindowWhereTheServerLeftGoesOut(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		last    uint32 // the last stream that the server takes
		cancels bool
		retries int64
	}{
		"refused":   {last: 1, retries: 1},
		"cancelled": {last: 3, cancels: true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			left, answer := make(chan struct{}), make(chan struct{})
			address := serve(t, func(s *server, number int) {
				s.SetMaxReadFrameSize(1 << 20)
				s.greet(withWindow(1<<20, 16384)...)
				if number > 0 {
					s.WriteWindowUpdate(0, 1<<20)
					s.wantAll(large)
					return
				}
				s.exhausted()
				s.WriteGoAway(c.last, http2.ErrCodeNo, nil)
				s.answered()
				close(left)
				within(t, answer)
				s.WriteWindowUpdate(0, 1<<20)
				s.request()
				s.good(1)
				s.listen()
			})
			client, err := dial(t, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := pump(t, client, unary(), &exchange{message: large}, &exchange{message: large})
			p.lane.Send([]int{0, 1})
			within(t, left)
			if c.cancels {
				p.lane.Cancel(1)
				p.want(1, stack.Canceled)
				p.lane.Send([]int{1})
			}
			p.want(1, stack.OK)
			close(answer)
			p.want(0, stack.OK)
			for slot := range 2 {
				p.lane.Send([]int{slot})
				p.want(slot, stack.OK)
			}
			if got := client.Retries(); got != c.retries {
				t.Errorf("%d calls went out once more, want %d", got, c.retries)
			}
		})
	}
}

// exhausted reads until the client has opened two streams and used the connection's window.
func (s *server) exhausted() {
	for got, opened := 0, 0; got < wire.WindowMin || opened < 2; {
		f, err := s.ReadFrame()
		if err != nil {
			s.t.Errorf("%d streams and %d bytes came: %v", opened, got, err)
			return
		}
		switch f := f.(type) {
		case *http2.HeadersFrame:
			opened++
		case *http2.DataFrame:
			got += len(f.Data())
		}
	}
}

// wantAll answers all requests well, each of which is to be want, and gives the connection's window back.
func (s *server) wantAll(want []byte) {
	for {
		id, body := s.request()
		if id == 0 {
			return
		}
		if !bytes.Equal(body, want) {
			s.t.Errorf("%d bytes came, not as they were sent", len(body))
		}
		s.WriteWindowUpdate(0, uint32(len(body)))
		s.good(id)
	}
}
