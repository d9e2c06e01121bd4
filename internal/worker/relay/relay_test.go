package relay

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// patience only ends hangs: a machine may stall for a while.
const patience = 3 * time.Minute

// listen makes a server's listener on a network.
func listen(t *testing.T, network string) net.Listener {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "s")
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

// serve has every connection to the listener talk to a server, and be closed afterwards.
func serve(listener net.Listener, talk func(socket)) {
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				conn.SetDeadline(time.Now().Add(patience))
				talk(conn.(socket))
			}()
		}
	}()
}

func echo(s socket) {
	_, _ = io.Copy(s, s)
	s.CloseWrite()
}

func swallow(s socket) { _, _ = io.Copy(io.Discard, s) }

// across puts a link before a server.
func across(t *testing.T, link Link, target net.Listener) *Relay {
	t.Helper()
	hop := Hop{Network: target.Addr().Network(), Listen: "127.0.0.1:0", Target: target.Addr().String()}
	if hop.Network == "unix" {
		hop.Listen = filepath.Join(t.TempDir(), "s")
	}
	r, err := Start(Config{Link: link, Hops: []Hop{hop}, Seed: 1, Failed: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// dial opens a connection to the relay's first hop.
func dial(t *testing.T, r *Relay) socket {
	t.Helper()
	address := r.listeners[0].Addr()
	conn, err := net.Dial(address.Network(), address.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(patience))
	return conn.(socket)
}

// call sends bytes and reads as many.
func call(t *testing.T, s socket, request []byte) []byte {
	t.Helper()
	if _, err := s.Write(request); err != nil {
		t.Fatal(err)
	}
	reply := make([]byte, len(request))
	if _, err := io.ReadFull(s, reply); err != nil {
		t.Fatal(err)
	}
	return reply
}

// A link over real sockets may take longer than it should, on a machine that does other things, but never less. How long
// it takes exactly is tested in virtual time, and how near to that a machine comes is measured by make bench.

// atLeast checks that the time since begun is at least want, except for fractions of a ns per segment.
func atLeast(t *testing.T, what string, begun time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(begun); got < want-time.Microsecond {
		t.Errorf("%s took %v, less than %v", what, got, want)
	}
}

func TestARoundTripTakesTheLinksTime(t *testing.T) {
	t.Parallel()
	for _, network := range []string{"tcp", "unix"} {
		target := listen(t, network)
		serve(target, echo)
		const rtt = 10 * time.Millisecond
		s := dial(t, across(t, Link{RTT: rtt}, target))
		call(t, s, []byte("set up"))
		begun := time.Now()
		call(t, s, make([]byte, 100))
		atLeast(t, "a round trip over "+network, begun, rtt)
	}
}

func TestAConnectionCostsRoundTrips(t *testing.T) {
	t.Parallel()
	const rtt = 20 * time.Millisecond
	target := listen(t, "tcp")
	heard := make(chan struct{})
	serve(target, func(s socket) {
		_, _ = s.Write([]byte("welcome"))
		if _, err := io.ReadFull(s, make([]byte, 1)); err == nil {
			close(heard)
		}
		swallow(s)
	})
	r := across(t, Link{RTT: rtt}, target)
	begun := time.Now()
	s := dial(t, r)
	if _, err := s.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	<-heard
	atLeast(t, "the client's first byte", begun, rtt*3/2)
	if _, err := io.ReadFull(s, make([]byte, 7)); err != nil {
		t.Fatal(err)
	}
	atLeast(t, "the server's first byte", begun, 2*rtt)
}

func TestARefusalComesAfterARoundTrip(t *testing.T) {
	t.Parallel()
	const rtt = 20 * time.Millisecond
	target := listen(t, "tcp")
	r := across(t, Link{RTT: rtt}, target)
	target.Close()
	begun := time.Now()
	s, err := net.Dial("tcp", r.Addresses()[0])
	if err == nil { // else the reset came even before it could return
		defer s.Close()
		_, err = s.Read(make([]byte, 1))
	}
	if !errors.Is(err, syscall.ECONNRESET) {
		t.Fatalf("error %v, want a reset", err)
	}
	atLeast(t, "the refusal", begun, rtt)
}

// transfer sends n bytes from one end to the other.
func transfer(t *testing.T, from, to io.ReadWriter, n int) {
	t.Helper()
	sent := make(chan error, 1)
	go func() {
		_, err := from.Write(make([]byte, n))
		sent <- err
	}()
	if _, err := io.ReadFull(to, make([]byte, n)); err != nil {
		t.Error(err)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
}

// ends returns a relay and both ends of a connection through it.
func ends(t *testing.T, link Link) (r *Relay, client, server socket) {
	t.Helper()
	target := listen(t, "tcp")
	accepted, over := make(chan socket), make(chan struct{})
	t.Cleanup(func() { close(over) })
	serve(target, func(s socket) {
		accepted <- s
		<-over
	})
	r = across(t, link, target)
	client = dial(t, r)
	return r, client, <-accepted
}

func TestBandwidthIsKeptEachWay(t *testing.T) {
	t.Parallel()
	const n = 200_000
	link := Link{RTT: 2 * time.Millisecond, UpPerSec: 4e6, DownPerSec: 8e6}
	_, client, server := ends(t, link)
	begun := time.Now()
	transfer(t, client, server, n)
	atLeast(t, "200 kB up", begun, 51*time.Millisecond)
	begun = time.Now()
	transfer(t, server, client, n)
	atLeast(t, "200 kB down", begun, 26*time.Millisecond)
}

func TestConnectionsTogetherGetTheBandwidthAndNoMore(t *testing.T) {
	t.Parallel()
	const connections, n = 4, 50_000
	target := listen(t, "tcp")
	serve(target, echo)
	r := across(t, Link{UpPerSec: 4e6}, target)
	sockets := make([]socket, connections)
	for i := range sockets {
		sockets[i] = dial(t, r)
		call(t, sockets[i], []byte{0})
	}
	begun := time.Now()
	var sending sync.WaitGroup
	for _, s := range sockets {
		sending.Go(func() { transfer(t, s, s, n) })
	}
	sending.Wait()
	atLeast(t, "200 kB on 4 connections", begun, 50*time.Millisecond)
}

func TestBytesAndTheirOrderAreKeptUnderJitter(t *testing.T) {
	t.Parallel()
	target := listen(t, "tcp")
	serve(target, echo)
	r := across(t, Link{RTT: 4 * time.Millisecond, Jitter: 2 * time.Millisecond, UpPerSec: 50e6, DownPerSec: 50e6}, target)
	var talking sync.WaitGroup
	for i := range uint64(8) {
		s := dial(t, r)
		talking.Go(func() {
			random := rand.New(rand.NewPCG(i, 0))
			sent := make([]byte, 300_000)
			for j := range sent {
				sent[j] = byte(random.Uint32())
			}
			go func() {
				for rest := sent; len(rest) > 0; {
					n := min(len(rest), 1+random.IntN(5000))
					if _, err := s.Write(rest[:n]); err != nil {
						t.Error(err)
					}
					rest = rest[n:]
				}
				s.CloseWrite()
			}()
			if got, err := io.ReadAll(s); err != nil || !bytes.Equal(got, sent) {
				t.Errorf("connection %d: %d of %d bytes came back right, error %v", i, common(got, sent), len(sent), err)
			}
		})
	}
	talking.Wait()
	if s := r.Stats(); s.UpBytes != 8*300_000 || s.DownBytes != s.UpBytes || s.Connections != 8 || !s.Late || s.LateMax < s.LateP99 {
		t.Errorf("%+v, want 8 connections with 300,000 bytes each way", s)
	}
}

// common returns the length of the common prefix of a and b.
func common(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func TestHalfACloseGoesThroughBehindWhatWasSaid(t *testing.T) {
	t.Parallel()
	for _, network := range []string{"tcp", "unix"} {
		target := listen(t, network)
		serve(target, func(s socket) {
			asked, err := io.ReadAll(s)
			if err != nil {
				t.Error(err)
			}
			_, _ = s.Write(append(asked, " answered"...))
		})
		s := dial(t, across(t, Link{RTT: 2 * time.Millisecond, Jitter: time.Millisecond}, target))
		if _, err := s.Write([]byte("all")); err != nil {
			t.Fatal(err)
		}
		s.CloseWrite()
		if got, err := io.ReadAll(s); err != nil || string(got) != "all answered" {
			t.Errorf("%s: %q, error %v", network, got, err)
		}
	}
}

func TestAResetGoesThrough(t *testing.T) {
	t.Parallel()
	_, client, server := ends(t, Link{RTT: 2 * time.Millisecond})
	if _, err := client.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	server.(*net.TCPConn).SetLinger(0)
	server.Close()
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("error %v, want a reset", err)
	}
}

// fill sends bytes, whose i-th is i modulo 251, to a receiver that accepts nothing, and returns when the relay accepts no more.
// The returned function ends the sending once the last piece has been accepted, and returns the number of bytes sent.
func fill(t *testing.T, r *Relay, from socket) (end func() (sent int)) {
	t.Helper()
	piece := make([]byte, 251<<10)
	for i := range piece {
		piece[i] = byte(i % 251)
	}
	var enough atomic.Bool
	sent := make(chan int, 1)
	go func() {
		total := 0
		for !enough.Load() {
			n, err := from.Write(piece)
			if total += n; err != nil {
				break
			}
		}
		sent <- total
	}()
	await(t, "the relay takes no more", r.stalled)
	return func() int {
		enough.Store(true)
		return <-sent
	}
}

// await waits until something is so.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// stalled reports whether a server accepts nothing and its client is held back for that reason.
func (r *Relay) stalled() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for tunnel := range r.tunnels {
		if tunnel.up.blocked && tunnel.up.full() {
			return true
		}
	}
	return false
}

// The first connection's server reads nothing. The relay must neither buffer without bound nor delay others.
func TestAStalledReceiverHoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	target := listen(t, "unix") // whose own buffers are small
	goOn, first := make(chan struct{}), make(chan struct{}, 1)
	first <- struct{}{}
	got := make(chan int, 1)
	serve(target, func(s socket) {
		select {
		case <-first:
			<-goOn
			bytes, _ := io.ReadAll(s)
			for i, b := range bytes {
				if b != byte(i%251) {
					t.Errorf("byte %d is %d", i, b)
					break
				}
			}
			got <- len(bytes)
		default:
			echo(s)
		}
	})
	r := across(t, Link{RTT: 2 * time.Millisecond, UpPerSec: 200e6}, target)
	stalled := dial(t, r)
	end := fill(t, r, stalled)
	r.mu.Lock()
	held, limit := 0, r.up.window+socketBuffer+releaseMax
	for tunnel := range r.tunnels {
		held = tunnel.up.held
	}
	r.mu.Unlock()
	if held < socketBuffer || held > limit {
		t.Errorf("%d bytes are held, want %d to %d", held, socketBuffer, limit)
	}
	call(t, dial(t, r), make([]byte, 100_000)) // through the room that the stalled bytes were in
	close(goOn)
	sent := end()
	stalled.CloseWrite()
	if n := <-got; n != sent {
		t.Errorf("%d bytes arrived of %d", n, sent)
	}
}

func TestAResetDoesNotWaitForAStalledReceiver(t *testing.T) {
	t.Parallel()
	r, client, server := ends(t, Link{RTT: 2 * time.Millisecond})
	end := fill(t, r, client)
	client.(*net.TCPConn).SetLinger(0)
	client.Close()
	end()
	if _, err := server.Write([]byte("are you there?")); err != nil { // which finds out
		t.Fatal(err)
	}
	await(t, "the connection is let go", r.isEmpty)
	if _, err := io.Copy(io.Discard, server); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("error %v, want a reset", err)
	}
}

// isEmpty reports whether there is no connection.
func (r *Relay) isEmpty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.tunnels) == 0
}

// Not parallel: it looks at all goroutines.
func TestCloseLeavesNothing(t *testing.T) {
	target := listen(t, "tcp")
	serve(target, func(socket) { <-t.Context().Done() })
	path := filepath.Join(t.TempDir(), "s")
	r, err := Start(Config{
		Link: Link{RTT: time.Minute, UpPerSec: 1},
		Hops: []Hop{
			{Network: "tcp", Listen: "127.0.0.1:0", Target: target.Addr().String()},
			{Network: "unix", Listen: path, Target: path + "-none"},
		},
		Failed: func(err error) { t.Error(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	s := dial(t, r)
	if _, err := s.Write(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	unix, err := net.Dial("unix", r.Addresses()[1])
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close()
	r.Close()
	r.Close()
	if _, err := s.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("error %v, want that of a broken connection", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket's file is left: %v", err)
	}
	if stacks := goroutines(); strings.Contains(stacks, "relay.(*Relay)") || strings.Contains(stacks, "relay.(*pipe)") {
		t.Errorf("goroutines are left:\n%s", stacks)
	}
}

func goroutines() string {
	stacks := make([]byte, 1<<20)
	return string(stacks[:runtime.Stack(stacks, true)])
}

func TestAHopThatCanNotListenIsNamed(t *testing.T) {
	t.Parallel()
	taken := listen(t, "tcp").Addr().String()
	hops := []Hop{{"tcp", "127.0.0.1:0", taken}, {"tcp", taken, taken}}
	if _, err := Start(Config{Hops: hops}); err == nil || !strings.Contains(err.Error(), "hop 2 of 2: listen tcp") {
		t.Errorf("error %v", err)
	}
}
