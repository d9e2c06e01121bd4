package relay

import (
	"context"
	"errors"
	"io"
	"math"
	"net"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/worker/load"
)

// In virtual time nothing but the link takes time, so that every time is known exactly.

// A stream is one direction between two ends of a socket that is none.
type stream struct {
	mu    sync.Mutex
	more  sync.Cond
	bytes []byte
	err   error // what comes after them
	full  bool  // it takes nothing
}

func newStream() *stream {
	s := &stream{}
	s.more.L = &s.mu
	return s
}

func (s *stream) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.more.Broadcast()
}

// stall has the stream take nothing, or take on.
func (s *stream) stall(full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = full
	s.more.Broadcast()
}

var errReset = errors.New("the connection was reset")

// A wire is one end of a simulated socket. It accepts everything unless it is stalled.
type wire struct {
	net.Conn
	in, out *stream
}

func newWire() (a, b wire) {
	there, back := newStream(), newStream()
	return wire{in: back, out: there}, wire{in: there, out: back}
}

func (w wire) Read(b []byte) (int, error) {
	w.in.mu.Lock()
	defer w.in.mu.Unlock()
	for len(w.in.bytes) == 0 && w.in.err == nil {
		w.in.more.Wait()
	}
	if len(w.in.bytes) == 0 {
		return 0, w.in.err
	}
	n := copy(b, w.in.bytes)
	w.in.bytes = w.in.bytes[n:]
	return n, nil
}

func (w wire) Write(b []byte) (int, error) {
	w.out.mu.Lock()
	defer w.out.mu.Unlock()
	for w.out.full && w.out.err == nil {
		w.out.more.Wait()
	}
	if w.out.err != nil {
		return 0, w.out.err
	}
	w.out.bytes = append(w.out.bytes, b...)
	w.out.more.Broadcast()
	return len(b), nil
}

func (w wire) CloseWrite() error {
	w.out.end(io.EOF)
	return nil
}

func (w wire) Close() error {
	w.in.end(errReset)
	w.out.end(errReset)
	return nil
}

func (w wire) SyscallConn() (syscall.RawConn, error) { return nil, errors.ErrUnsupported }

type virtualWaiter struct{ load.SleepWaiter }

func (virtualWaiter) CPU() time.Duration { return 0 }

// A room is a relay in virtual time.
type room struct {
	*Relay
	refuses  bool
	accepted chan wire // the servers' ends
}

// inVirtualTime runs a test with its own link.
func inVirtualTime(t *testing.T, link Link, test func(t *testing.T, r *room)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &room{Relay: newRelay(Config{Link: link, Seed: 1}, virtualWaiter{}), accepted: make(chan wire, 100)}
		r.dial = func(context.Context, string, string) (net.Conn, error) {
			if r.refuses {
				return nil, syscall.ECONNREFUSED
			}
			ours, servers := newWire()
			r.accepted <- servers
			return ours, nil
		}
		defer r.Close()
		test(t, r)
	})
}

// connect opens a connection, for which nothing has been paid yet.
func (r *room) connect() (client wire) {
	ours, client := newWire()
	r.join(ours, Hop{}, r.now())
	return client
}

// connected opens a connection and waits until both sides know.
func (r *room) connected() (client, server wire) {
	client = r.connect()
	time.Sleep(2 * r.link.RTT)
	return client, <-r.accepted
}

// took checks a time to the nanosecond, or to the rounding of a bandwidth.
func took(t *testing.T, what string, begun time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(begun); math.Abs(float64(got-want)) > 1000 {
		t.Errorf("%s took %v, want %v", what, got, want)
	}
}

func read(t *testing.T, w wire, n int) {
	t.Helper()
	if _, err := io.ReadFull(w, make([]byte, n)); err != nil {
		t.Fatal(err)
	}
}

func TestTimesOfARoundTripAreExact(t *testing.T) {
	t.Parallel()
	for want, link := range map[time.Duration]Link{
		0:                       {},
		150 * time.Millisecond:  {RTT: 150 * time.Millisecond},
		3 * time.Millisecond:    {UpPerSec: 1e6, DownPerSec: .5e6},
		1503 * time.Millisecond: {RTT: 1500 * time.Millisecond, UpPerSec: 1e6, DownPerSec: .5e6},
	} {
		inVirtualTime(t, link, func(t *testing.T, r *room) {
			client, server := r.connected()
			begun := time.Now()
			client.Write(make([]byte, 1000))
			read(t, server, 1000)
			server.Write(make([]byte, 1000))
			read(t, client, 1000)
			took(t, "1 kB there and back", begun, want)
		})
	}
}

func TestAnEndComesWithTheLastByteAndNotLater(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, Link{RTT: 20 * time.Millisecond}, func(t *testing.T, r *room) {
		client, server := r.connected()
		begun := time.Now()
		client.Write(make([]byte, 1000))
		client.CloseWrite()
		if got, err := io.ReadAll(server); err != nil || len(got) != 1000 {
			t.Errorf("%d bytes, error %v", len(got), err)
		}
		took(t, "the end", begun, 10*time.Millisecond)
		server.Write(make([]byte, 10))
		server.CloseWrite()
		if got, err := io.ReadAll(client); err != nil || len(got) != 10 {
			t.Errorf("%d bytes back, error %v", len(got), err)
		}
		took(t, "both ends", begun, 20*time.Millisecond)
		synctest.Wait()
		if r.open() != 0 {
			t.Error("a connection that has ended on both sides is kept")
		}
	})
}

func TestTimesOfASetUpAreExact(t *testing.T) {
	t.Parallel()
	const rtt = 100 * time.Millisecond
	inVirtualTime(t, Link{RTT: rtt}, func(t *testing.T, r *room) {
		begun := time.Now()
		client := r.connect()
		client.Write([]byte("hello"))
		server := <-r.accepted
		server.Write([]byte("welcome"))
		read(t, server, 5)
		took(t, "the client's first byte", begun, rtt*3/2)
		read(t, client, 7)
		took(t, "the server's first byte", begun, rtt*2)

		r.refuses = true
		begun = time.Now()
		if _, err := r.connect().Read(make([]byte, 1)); !errors.Is(err, errReset) {
			t.Errorf("error %v, want a reset", err)
		}
		took(t, "the refusal", begun, rtt)
	})
}

func TestAResetTakesHalfARoundTrip(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, Link{RTT: 20 * time.Millisecond}, func(t *testing.T, r *room) {
		client, server := r.connected()
		begun := time.Now()
		server.Write([]byte("last words"))
		server.Close()
		read(t, client, 10)
		if _, err := client.Read(make([]byte, 1)); !errors.Is(err, errReset) {
			t.Errorf("error %v, want a reset", err)
		}
		took(t, "the reset", begun, 10*time.Millisecond)
	})
}

// held returns the bytes that the only connection holds.
func (r *room) held() (up, down int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for tunnel := range r.tunnels {
		up, down = tunnel.up.held, tunnel.down.held
	}
	return up, down
}

// open returns the number of connections.
func (r *room) open() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.tunnels)
}

func TestAPipeWhoseReceiverTakesNothingHoldsASocketsBuffer(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, Link{RTT: 10 * time.Millisecond, UpPerSec: 10e6}, func(t *testing.T, r *room) {
		client, server := r.connected()
		server.in.stall(true)
		const n = 1e6
		client.Write(make([]byte, n))
		time.Sleep(time.Second)
		if held, _ := r.held(); held < socketBuffer || held > socketBuffer+segmentMax {
			t.Errorf("%d bytes are held, want %d and a segment at the most", held, socketBuffer)
		}
		server.in.stall(false)
		read(t, server, n)
		server.Write([]byte{0})
		read(t, client, 1)
		synctest.Wait()
		if up, down := r.held(); up != 0 || down != 0 {
			t.Errorf("%d and %d bytes are held at the end", up, down)
		}
	})
}

func TestAResetOvertakesWhatAReceiverDoesNotTake(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, Link{RTT: 20 * time.Millisecond}, func(t *testing.T, r *room) {
		client, server := r.connected()
		server.in.stall(true)
		client.Write(make([]byte, 1000))
		time.Sleep(time.Second)
		client.Close()
		if _, err := server.Read(make([]byte, 1)); !errors.Is(err, errReset) {
			t.Errorf("error %v, want a reset", err)
		}
	})
}

func TestASenderHearsThatItsReceiverIsGone(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, Link{RTT: 20 * time.Millisecond}, func(t *testing.T, r *room) {
		client, server := r.connected()
		server.in.end(errReset) // nothing more is taken, and only a write can tell
		begun := time.Now()
		for {
			if _, err := client.Write(make([]byte, 1000)); err != nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if since := time.Since(begun); since < 20*time.Millisecond || since > 21*time.Millisecond {
			t.Errorf("the reset came after %v, want a round trip", since)
		}
		if r.open() != 0 {
			t.Error("the connection is kept")
		}
	})
}

func TestAConnectionBothOfWhoseSidesAreGoneIsNotKept(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, Link{RTT: 20 * time.Millisecond}, func(t *testing.T, r *room) {
		client, server := r.connected()
		client.Write([]byte{0})
		server.Write([]byte{0})
		client.in.end(errReset)
		server.in.end(errReset)
		time.Sleep(time.Second)
		if r.open() != 0 {
			t.Error("it is kept")
		}
	})
}

func TestJitterMovesEveryMessageWithinItsBounds(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, Link{RTT: 20 * time.Millisecond, Jitter: 4 * time.Millisecond}, func(t *testing.T, r *room) {
		client, server := r.connected()
		least, most := time.Hour, time.Duration(0)
		for range 1000 {
			begun := time.Now()
			client.Write([]byte{0})
			read(t, server, 1)
			least, most = min(least, time.Since(begun)), max(most, time.Since(begun))
		}
		if least < 6*time.Millisecond || least > 7*time.Millisecond || most > 14*time.Millisecond || most < 13*time.Millisecond {
			t.Errorf("messages took %v to %v, want 6 ms to 14 ms", least, most)
		}
	})
}

func TestConnectionsShareADirectionAndNotTheOther(t *testing.T) {
	t.Parallel()
	const connections, n = 4, 400_000
	inVirtualTime(t, Link{RTT: 10 * time.Millisecond, UpPerSec: 4e6, DownPerSec: 8e6}, func(t *testing.T, r *room) {
		var up, down sync.WaitGroup
		clients, servers := make([]wire, connections), make([]wire, connections)
		for i := range clients {
			clients[i], servers[i] = r.connected()
		}
		begun := time.Now()
		for i, client := range clients {
			client.Write(make([]byte, n))
			servers[i].Write(make([]byte, n))
			up.Go(func() {
				read(t, servers[i], n*9/10)
				if since := time.Since(begun); since < 320*time.Millisecond {
					t.Errorf("connection %d has had nine tenths after %v: more than its share", i, since)
				}
				read(t, servers[i], n/10)
			})
			down.Go(func() { read(t, client, n) })
		}
		down.Wait()
		took(t, "1.6 MB down at 8 MB/s", begun, 205*time.Millisecond)
		up.Wait()
		took(t, "1.6 MB up at 4 MB/s", begun, 405*time.Millisecond)
	})
}

func TestASmallMessageWaitsForTheLinksQueueOnly(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, Link{RTT: 10 * time.Millisecond, UpPerSec: 1e6}, func(t *testing.T, r *room) {
		busy, _ := r.connected()
		client, server := r.connected()
		busy.Write(make([]byte, 1e6)) // for a second
		time.Sleep(100 * time.Millisecond)
		begun := time.Now()
		client.Write(make([]byte, 10))
		read(t, server, 10)
		if since := time.Since(begun); since > 5*time.Millisecond+ahead+2*time.Millisecond {
			t.Errorf("it took %v beside a busy connection", since)
		}
	})
}

func TestThroughputOverALongLinkIsItsBandwidth(t *testing.T) {
	t.Parallel()
	link, _ := Preset(Intercontinental)
	link.Jitter = 0
	inVirtualTime(t, link, func(t *testing.T, r *room) {
		client, server := r.connected()
		begun := time.Now()
		client.Write(make([]byte, 5e6))
		read(t, server, 5e6)
		took(t, "5 MB at 100 Mbit/s", begun, 400*time.Millisecond+75*time.Millisecond)
	})
}
