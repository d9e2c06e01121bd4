package inproc

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// An early socket has the timeout of an earlier deadline before it does anything, and knows what deadline it was given last.
type early struct {
	net.Conn

	late        int // timeouts to come
	read, write time.Time
}

// A timeout is a net.Error.
type timeout struct{}

func (timeout) Error() string   { return "timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

func (e *early) SetReadDeadline(t time.Time) error  { e.read = t; return nil }
func (e *early) SetWriteDeadline(t time.Time) error { e.write = t; return nil }
func (e *early) Read(b []byte) (int, error)         { return e.do(b) }
func (e *early) Write(b []byte) (int, error)        { return e.do(b) }

// do takes a byte before it times out.
func (e *early) do(b []byte) (int, error) {
	if e.late > 0 {
		e.late--
		return min(1, e.late, len(b)), timeout{}
	}
	return len(b), nil
}

func TestOnlyADeadlineThatHoldsIsOver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		deadline time.Time
		over     bool
	}{
		"none": {time.Time{}, false}, "one to come": {time.Now().Add(time.Hour), false}, "one of the past": {time.Unix(1, 0), true},
	} {
		for what, do := range map[string]func(*conn, []byte) (int, error){"read": (*conn).Read, "write": (*conn).Write} {
			inner := &early{late: 1}
			socket := &conn{Conn: inner}
			if err := socket.SetDeadline(c.deadline); err != nil {
				t.Fatal(err)
			}
			inner.read, inner.write = time.Unix(2, 0), time.Unix(2, 0)
			n, err := do(socket, make([]byte, 10))
			if errors.Is(err, os.ErrDeadlineExceeded) != c.over || !c.over && (n != 10 || err != nil) {
				t.Errorf("%s, %s: %d bytes, %v", name, what, n, err)
			}
			set := inner.read
			if what == "write" {
				set = inner.write
			}
			if !c.over && !set.Equal(c.deadline) {
				t.Errorf("%s, %s: the deadline is %v afterwards", name, what, set)
			}
		}
	}
}

func TestAWriteGoesOnAfterWhatWasTaken(t *testing.T) {
	t.Parallel()
	socket := &conn{Conn: &early{late: 2}} // the first timeout comes after a byte
	if n, err := socket.Write(make([]byte, 10)); n != 10 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
}
