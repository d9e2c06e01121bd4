package wire_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
	"rpcbench/internal/test/sockettest"
)

func TestWhatIsNoServerOfHTTP2SaysSo(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		play script
		says string
	}{
		"HTTP/1": {func(s *server, _ int) {
			s.socket.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
			s.request()
		}, "the server answers with HTTP/1.1, not HTTP/2"},
		"closed": {func(s *server, _ int) {
			s.socket.(*net.TCPConn).CloseWrite()
			s.request()
		}, "EOF"},
		"no settings":     {func(s *server, _ int) { s.WritePing(false, [8]byte{}); s.request() }, "instead of SETTINGS"},
		"acknowledgement": {func(s *server, _ int) { s.WriteSettingsAck(); s.request() }, "acknowledgement of SETTINGS before"},
		"bad settings": {func(s *server, _ int) {
			s.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1})
			s.request()
		}, "MAX_FRAME_SIZE of 1"},
		"rubbish": {func(s *server, _ int) { s.socket.Write([]byte(strings.Repeat("x", 100))); s.request() }, "a frame of"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			_, err := dial(t, serve(t, c.play), nil)
			if stack.CodeOf(err) != stack.Unavailable && stack.CodeOf(err) != stack.Internal || !strings.Contains(err.Error(), c.says) {
				t.Errorf("Dial: %v, want %q", err, c.says)
			}
		})
	}
}

func TestASilentServerIsGivenUp(t *testing.T) {
	t.Parallel()
	for says, config := range map[string]*tls.Config{
		"sent no settings in time":                   nil,
		"did not complete the TLS handshake in time": {ServerName: "test"},
	} {
		synctest.Test(t, func(t *testing.T) {
			pipes := sockettest.NewPipes()
			serveOn(t, pipes, func(s *server, _ int) { _, _ = io.Copy(io.Discard, s.socket) })
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			begun := time.Now()
			_, err := wire.Dial(ctx, wire.Config{
				Dial: func(ctx context.Context) (net.Conn, error) { return pipes.Dial(ctx, "", "") }, TLS: config,
			})
			if stack.CodeOf(err) != stack.DeadlineExceeded || !strings.Contains(err.Error(), says) {
				t.Errorf("Dial: %v, want that the server %s", err, says)
			}
			if took := time.Since(begun); took != 50*time.Millisecond {
				t.Errorf("Dial took %v, want 50ms", took)
			}
		})
	}
}

func TestAServerWithoutHTTP2InTLSSaysSo(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, _ int) { s.socket.Write([]byte("no TLS at all, but long enough")) })
	_, err := dial(t, address, func(config *wire.Config) { config.TLS = &tls.Config{ServerName: "test"} })
	if stack.CodeOf(err) != stack.Unavailable {
		t.Errorf("Dial: %v, want UNAVAILABLE", err)
	}
}

func TestPingsAndSettingsAreAnswered(t *testing.T) {
	t.Parallel()
	answered := make(chan bool, 1)
	address := serve(t, func(s *server, _ int) {
		s.greet()
		s.WritePing(false, [8]byte{1, 2, 3})
		settings, ping := false, false
		for !settings || !ping {
			f, err := s.ReadFrame()
			if err != nil {
				break
			}
			switch f := f.(type) {
			case *http2.SettingsFrame:
				settings = settings || f.IsAck()
			case *http2.PingFrame:
				ping = f.IsAck() && f.Data == [8]byte{1, 2, 3}
			}
		}
		answered <- settings && ping
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for client.Turn() {
		}
	}()
	if !<-answered {
		t.Error("the settings or the ping were not acknowledged")
	}
}

// Header blocks are encoded once, and the server reads the same in each, whatever its table.
func TestAServerReadsTheSameInEveryRequest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what     string
		settings []http2.Setting
		value    string
	}{
		{"small", nil, "v"},
		{"with a small table", []http2.Setting{{ID: http2.SettingHeaderTableSize, Val: 64}}, "v"},
		{"without a table", []http2.Setting{{ID: http2.SettingHeaderTableSize, Val: 0}}, "v"},
		{"larger than the table", nil, strings.Repeat("w", 5000)},
		{"larger than a frame", nil, strings.Repeat("w", 50_000)},
		{"of which two don't fit", nil, strings.Repeat("v", 3000)},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			address := serve(t, func(s *server, _ int) {
				s.ReadMetaHeaders = newDecoder(c.settings)
				s.MaxHeaderListSize = 1 << 20
				s.greet(c.settings...)
				for n := 0; ; n++ {
					f, err := s.ReadFrame()
					if err != nil {
						if !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "EOF") && !strings.Contains(err.Error(), "reset") {
							t.Errorf("request %d can't be read: %v", n, err)
						}
						return
					}
					h, ok := f.(*http2.MetaHeadersFrame)
					if !ok {
						continue
					}
					value, path := "", ""
					for _, field := range h.Fields {
						switch field.Name {
						case "key":
							value = field.Value
						case ":path":
							path = field.Value
						}
					}
					if value != c.value || path != "/test.Service/Call" && path != "/test.Service/Other" {
						t.Errorf("request %d is to %s with a key of %d bytes", n, path, len(value))
					}
					s.good(h.StreamID)
				}
			})
			client, err := dial(t, address, func(config *wire.Config) { config.Header = []wire.Field{{Name: "key", Value: c.value}} })
			if err != nil {
				t.Fatal(err)
			}
			one := callerOn(t, client, unary(), 1)
			other := callerOn(t, client, wire.Call{Path: "/test.Service/Other", Replies: 1}, 1)
			for _, caller := range []*caller{one, one, other, one, other, one} {
				if err := caller.call()[0]; err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Calls beyond what the server allows at once wait, and all are made.
func TestAServerThatAllowsFewStreamsGetsFew(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, _ int) {
		s.greet(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 2})
		for {
			first, _ := s.request()
			second, _ := s.request()
			if first == 0 || second == 0 {
				return
			}
			s.WritePing(false, [8]byte{})
			for { // what more were sent would come before the answer
				f, err := s.ReadFrame()
				if err != nil {
					return
				}
				if _, ok := f.(*http2.HeadersFrame); ok {
					t.Errorf("a third stream was opened")
				}
				if _, ok := f.(*http2.PingFrame); ok {
					break
				}
			}
			s.good(second)
			s.good(first)
		}
	})
	c := newCaller(t, address, unary(), 8)
	for range 3 {
		for slot, err := range c.call() {
			if err != nil {
				t.Errorf("slot %d: %v", slot, err)
			}
		}
	}
}

// What the server has taken is answered when it goes away; what it has not, and what comes next, is sent to the next
// connection.
func TestAServerMayGoAwayInGoodOrder(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, number int) {
		s.greet()
		if number > 0 {
			s.goodAll()
			return
		}
		var ids []uint32
		for range 4 {
			id, _ := s.request()
			ids = append(ids, id)
		}
		s.WriteGoAway(1<<31-1, http2.ErrCodeNo, nil)
		s.WriteGoAway(ids[1], http2.ErrCodeNo, []byte("restart"))
		s.good(ids[0])
		s.good(ids[1])
		if id, _ := s.request(); id != 0 {
			t.Errorf("stream %d was opened after GOAWAY", id)
		}
	})
	c := newCaller(t, address, unary(), 4)
	for round := range 2 {
		for slot, err := range c.call() {
			if err != nil {
				t.Errorf("call %d of slot %d: %v", round, slot, err)
			}
		}
		if got := c.client.Retries(); got != 2 {
			t.Errorf("after call %d, %d calls went out once more, want 2", round, got)
		}
	}
}

// One call stays while thousands come and go: their streams keep out of its way.
func TestALongCallDoesNotStandInTheWay(t *testing.T) {
	t.Parallel()
	const rounds = 3000
	address := serve(t, func(s *server, _ int) {
		s.greet()
		first, _ := s.request()
		last := first
		for range rounds {
			id, _ := s.request()
			if id <= last || id%2 == 0 {
				t.Errorf("stream %d was opened after %d", id, last)
			}
			last = id
			s.good(id)
		}
		s.good(first)
	})
	c := newCaller(t, address, unary(), 2)
	c.lane.Send([]int{0})
	for range rounds {
		c.lane.Send([]int{1})
		for len(c.told[1]) == 0 {
			c.client.Turn()
		}
		if err := c.told[1][0]; err != nil {
			t.Fatal(err)
		}
		c.told[1] = nil
	}
	for len(c.told[0]) == 0 {
		c.client.Turn()
	}
	if err := c.told[0][0]; err != nil {
		t.Error(err)
	}
}

func TestACancelledCallIsResetAndTheNextIsAnswered(t *testing.T) {
	t.Parallel()
	reset, came := make(chan uint32, 1), make(chan struct{})
	address := serve(t, func(s *server, _ int) {
		s.greet()
		first, _ := s.request()
		close(came)
		second, _ := s.request() // sees the reset before
		for _, f := range s.saw {
			if f, ok := f.(*http2.RSTStreamFrame); ok && f.StreamID == first && f.ErrCode == http2.ErrCodeCancel {
				reset <- first
			}
		}
		close(reset)
		s.good(first) // too late: nobody may take it for the answer to the second
		s.good(second)
		s.goodAll()
	})
	c := newCaller(t, address, unary(), 1)
	c.lane.Send([]int{0})
	go func() { // as from a watchdog, while another goroutine waits
		<-came
		c.lane.Cancel(0)
	}()
	if err := c.await()[0]; stack.CodeOf(err) != stack.Canceled {
		t.Errorf("the cancelled call: %v", err)
	}
	if err := c.call()[0]; err != nil {
		t.Errorf("the call after it: %v", err)
	}
	if <-reset == 0 {
		t.Error("the cancelled call's stream was not reset")
	}
	c.lane.Cancel(0) // nothing to cancel
	if err := c.call()[0]; err != nil {
		t.Errorf("the call after a cancellation of none: %v", err)
	}
}

func TestCloseEndsWhatWaits(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{})
	address := serve(t, func(s *server, _ int) {
		s.greet(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1})
		s.request()
		close(entered)
		s.request()
	})
	c := newCaller(t, address, unary(), 2)
	c.lane.Send([]int{0, 1})
	go func() { <-entered; c.client.Close() }()
	for c.client.Turn() {
	}
	for slot := range 2 {
		if ends := c.told[slot]; len(ends) != 1 || stack.CodeOf(ends[0]) != stack.Canceled {
			t.Errorf("slot %d ended with %v, want CANCELLED", slot, ends)
		}
	}
}

// A torn socket fails to write once that is asked for.
type torn struct {
	net.Conn
	now atomic.Bool
}

func (s *torn) Rebase(replace func(net.Conn) (net.Conn, error)) error {
	return s.Conn.(*sockettest.Rebased).Rebase(replace)
}

func (s *torn) Write(b []byte) (int, error) {
	if s.now.Load() {
		return 0, syscall.EPIPE
	}
	return s.Conn.Write(b)
}

// A connection that is found to be lost by writing says what was found, not that it was closed thereupon.
func TestAFailedWriteIsWhatTheCallSays(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, number int) {
		if number == 0 { // nothing can be written to another one
			s.greet()
			s.goodAll()
		}
	})
	socket := &torn{}
	client, err := dial(t, address, func(config *wire.Config) {
		open := config.Dial
		config.Dial = func(ctx context.Context) (_ net.Conn, err error) {
			socket.Conn, err = open(ctx)
			return socket, err
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	c := callerOn(t, client, unary(), 1)
	if err := c.call()[0]; err != nil {
		t.Fatal(err)
	}
	socket.now.Store(true)
	if err := c.call()[0]; stack.CodeOf(err) != stack.Unavailable || !errors.Is(err, syscall.EPIPE) {
		t.Errorf("the call ended with %v, want UNAVAILABLE and that the write failed", err)
	}
}

// A held socket stands still in its next write once that is asked for, and then fails with nothing written.
type held struct {
	net.Conn
	hold    atomic.Bool
	writing chan struct{}
	fail    chan struct{}
}

func (s *held) Rebase(replace func(net.Conn) (net.Conn, error)) error {
	return s.Conn.(*sockettest.Rebased).Rebase(replace)
}

func (s *held) Write(b []byte) (int, error) {
	if !s.hold.Swap(false) {
		return s.Conn.Write(b)
	}
	close(s.writing)
	<-s.fail
	return 0, syscall.ECONNRESET
}

// A call that begins while others are being written was not written either, if nothing of them was.
func TestACallThatBeginsDuringAFailedWriteGoesOutOnceMoreToo(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, _ int) {
		s.greet()
		s.goodAll()
	})
	first := &held{writing: make(chan struct{}), fail: make(chan struct{})}
	client, err := dial(t, address, func(config *wire.Config) {
		open := config.Dial
		config.Dial = func(ctx context.Context) (net.Conn, error) {
			socket, err := open(ctx)
			if first.Conn != nil {
				return socket, err
			}
			first.Conn = socket
			return first, err
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p := pump(t, client, unary(), &exchange{message: framed("ping")}, &exchange{message: framed("ping")})
	p.lane.Send([]int{0})
	p.want(0, stack.OK)
	first.hold.Store(true)
	go p.lane.Send([]int{0})
	within(t, first.writing)
	p.lane.Send([]int{1})
	close(first.fail)
	p.want(0, stack.OK)
	p.want(1, stack.OK)
	if got := client.Retries(); got != 2 {
		t.Errorf("%d calls went out once more, want 2", got)
	}
}

// Where nobody is any more, calls fail with the attempt to connect, and so not faster than there are attempts.
func TestALostServerFailsCallsAtAPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		pipes, attempts := sockettest.NewPipes(), 0
		serveOn(t, pipes, func(s *server, _ int) { s.greet(); s.request() })
		client, err := dial(t, "", func(config *wire.Config) {
			config.Dial = func(ctx context.Context) (net.Conn, error) {
				if attempts++; attempts > 1 {
					return nil, errors.New("nobody is there")
				}
				return pipes.Dial(ctx, "", "")
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		c := callerOn(t, client, unary(), 3)
		if ends := c.call(); slices.ContainsFunc(ends, func(err error) bool { return stack.CodeOf(err) != stack.Unavailable }) {
			t.Errorf("the calls ended with %v", ends)
		}
		begun := time.Now()
		for range 3 {
			for slot, err := range c.call() {
				if stack.CodeOf(err) != stack.Unavailable || !strings.Contains(err.Error(), "nobody is there") {
					t.Errorf("slot %d: %v", slot, err)
				}
			}
		}
		if took := time.Since(begun); took != 4*time.Millisecond || attempts != 4 {
			t.Errorf("3 rounds of calls took %v and %d attempts, want 4 ms and 3", took, attempts-1)
		}
	})
}

// As a server does that has enough connections.
func TestAServerThatClosesAtOnceIsSaid(t *testing.T) {
	t.Parallel()
	for how, end := range map[string]func(net.Conn){
		"ends": func(conn net.Conn) { conn.Close() },
		"resets": func(conn net.Conn) {
			conn.Read(make([]byte, 1))
			conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		},
	} {
		_, err := dial(t, sockettest.Serve(t, end), nil)
		if stack.CodeOf(err) != stack.Unavailable || !strings.Contains(err.Error(), "closed the connection before its settings") {
			t.Errorf("%s: %v", how, err)
		}
	}
}
