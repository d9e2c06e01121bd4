package wire_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// large is a message of several frames and windows.
var large = append([]byte{0, 0, 3, 0x0d, 0x40}, bytes.Repeat([]byte("0123456789"), 20_000)...)

func withWindow(first, frame uint32) []http2.Setting {
	return []http2.Setting{
		{ID: http2.SettingInitialWindowSize, Val: first}, {ID: http2.SettingMaxFrameSize, Val: frame},
	}
}

// A request is never sent faster than the server's windows allow, in no longer frames, and arrives whole.
func TestARequestKeepsToTheServersWindows(t *testing.T) {
	t.Parallel()
	const window, frame = 50_000, 20_000
	address := serve(t, func(s *server, _ int) {
		s.SetMaxReadFrameSize(1 << 20)
		s.greet(withWindow(window, frame)...)
		var body []byte
		given := map[uint32]int{0: 65535}
		for {
			f, err := s.ReadFrame()
			if err != nil {
				return
			}
			data, ok := f.(*http2.DataFrame)
			if !ok {
				continue
			}
			id, n := data.StreamID, len(data.Data())
			if _, ok := given[id]; !ok {
				given[id] = window
			}
			given[0], given[id] = given[0]-n, given[id]-n
			if given[0] < 0 || given[id] < 0 || n > frame {
				t.Errorf("a frame of %d bytes leaves windows of %d and %d", n, given[0], given[id])
			}
			body = append(body, data.Data()...)
			if data.StreamEnded() {
				if !bytes.Equal(body, large) {
					t.Errorf("%d bytes came, not as they were sent", len(body))
				}
				s.good(id)
				body = nil
				continue
			}
			if given[0] == 0 || given[id] == 0 { // each is given in pieces
				for _, stream := range []uint32{0, id} {
					s.WriteWindowUpdate(stream, 7000)
					s.WriteWindowUpdate(stream, 1)
					given[stream] += 7001
				}
			}
		}
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := callerOn(t, client, unary(), 0)
	c.lane.Add(&exchange{message: large})
	c.slots = 1
	for range 3 {
		if err := c.call()[0]; err != nil {
			t.Fatal(err)
		}
	}
}

// A setting changes the windows of open streams: one that is far below zero takes nothing until it is above.
func TestASettingChangesOpenWindows(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, _ int) {
		s.greet(withWindow(10, 16384)...)
		got := 0
		for {
			f, err := s.ReadFrame()
			if err != nil {
				return
			}
			data, ok := f.(*http2.DataFrame)
			if !ok {
				continue
			}
			got += len(data.Data())
			switch {
			case data.StreamEnded():
				s.good(data.StreamID)
				return
			case got == 10:
				s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}) // its window is −10
				s.WriteWindowUpdate(data.StreamID, 15)                                     // 5
			case got == 15:
				s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 15}) // 15
			case got > 30:
				t.Errorf("%d bytes came, 30 were allowed", got)
			case got == 30:
				s.WriteWindowUpdate(data.StreamID, 1<<20)
				s.WriteWindowUpdate(0, 1<<20)
			}
		}
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := callerOn(t, client, unary(), 0)
	c.lane.Add(&exchange{message: framed(strings.Repeat("x", 100))})
	c.slots = 1
	if err := c.call()[0]; err != nil {
		t.Error(err)
	}
}

// A request that waits for the connection's window when that is lost fails, and the next is sent whole.
func TestALostConnectionLeavesNothingWaiting(t *testing.T) {
	t.Parallel()
	address := serve(t, func(s *server, number int) {
		s.greet(withWindow(1<<20, 16384)...)
		if number > 0 {
			s.WriteWindowUpdate(0, 1<<20)
			s.goodAll()
			return
		}
		for got := 0; got < wire.WindowMin; {
			f, err := s.ReadFrame()
			if err != nil {
				return
			}
			if data, ok := f.(*http2.DataFrame); ok {
				got += len(data.Data())
			}
		}
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := callerOn(t, client, unary(), 0)
	c.lane.Add(&exchange{message: large})
	c.slots = 1
	if err := c.call()[0]; stack.CodeOf(err) != stack.Unavailable {
		t.Errorf("the call ended with %v, want UNAVAILABLE", err)
	}
	if err := c.call()[0]; err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// counting takes any number of messages.
type counting struct{ got, want int }

func (c *counting) Begin() (int, error)         { c.got = 0; return 1, nil }
func (c *counting) Fields() []byte              { return nil }
func (c *counting) Message(int) ([]byte, error) { return framed("ping"), nil }
func (c *counting) Reply([]byte, bool)          { c.got++ }
func (c *counting) End() error {
	if c.got != c.want {
		return stack.Errorf(stack.Mismatch, "%d replies came, %d were sent", c.got, c.want)
	}
	return nil
}

// A server may send as much as its windows hold, which are filled up meanwhile, for the connection and for the stream.
func TestAServersWindowsAreFilledUp(t *testing.T) {
	t.Parallel()
	const frames, perFrame = 40, 1820
	address := serve(t, func(s *server, _ int) {
		s.greet()
		for {
			id, _ := s.request()
			if id == 0 {
				return
			}
			s.head(id)
			given := map[uint32]int{0: wire.WindowMin, id: wire.WindowMin}
			pongs := bytes.Repeat(framed("pong"), perFrame) // 16,380 bytes
			for range frames {
				for given[0] < len(pongs)+4 || given[id] < len(pongs)+4 {
					f, err := s.ReadFrame()
					if err != nil {
						t.Errorf("no window was given: %v", err)
						return
					}
					if update, ok := f.(*http2.WindowUpdateFrame); ok {
						given[update.StreamID] += int(update.Increment)
					}
				}
				s.WriteDataPadded(id, false, pongs, make([]byte, 3)) // 4 bytes with their length
				given[0], given[id] = given[0]-len(pongs)-4, given[id]-len(pongs)-4
			}
			s.status(id, "0")
			for given[0] < wire.WindowMin/2 { // the next request starts with what is left
				f, err := s.ReadFrame()
				if err != nil {
					return
				}
				if update, ok := f.(*http2.WindowUpdateFrame); ok {
					given[update.StreamID] += int(update.Increment)
				}
			}
		}
	})
	client, err := dial(t, address, func(config *wire.Config) { config.WindowBytes = wire.WindowMin })
	if err != nil {
		t.Fatal(err)
	}
	c := callerOn(t, client, unary(), 0)
	c.lane.Add(&counting{want: frames * perFrame})
	c.slots = 1
	if err := c.call()[0]; err != nil {
		t.Error(err)
	}
}
