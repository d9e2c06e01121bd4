// Package relay emulates a link between clients and servers, in user space: it listens for clients, connects to servers, and
// passes on what either sends, half a round trip later and no faster than the link. It works with TCP and Unix sockets; TLS
// passes through unchanged.
//
// It delays bytes, not packets. Nothing is lost or reordered, there are no headers, and no congestion control: only the
// link's bandwidth or a slow receiver holds a sender back. All connections share the bandwidth of a direction round-robin,
// and what exceeds the link waits at its sender.
//
// Opening a connection costs round trips as on a real link: the client's first bytes arrive at the server 1.5 round trips
// after the client asked to connect, the server's first bytes arrive at the client after 2. One thing is impossible in user
// space: the kernel accepts a client at once, so a client that times connect(2) alone sees no distance there, and the whole
// round trip in its next operation. A server's refusal arrives one round trip after the request, as a connection reset.
package relay

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

// Config configures a relay.
type Config struct {
	Link Link
	Hops []Hop
	Seed uint64 // of the jitter
	// Failed hears of connections that can't be accepted, and is needed. It may be called concurrently.
	Failed func(error)
}

// A Hop is a way through the link.
type Hop struct {
	Network string // tcp or unix, on both sides
	Listen  string // host:port, where port 0 picks one; or the path of a socket to be made
	Target  string // the server's host:port or path
}

// A Relay passes on bytes until it is closed.
type Relay struct {
	link      Link
	now       func() time.Duration // since the start
	waiter    waiter
	dial      func(ctx context.Context, network, address string) (net.Conn, error)
	failed    func(error)
	listeners []net.Listener
	running   sync.WaitGroup  // every goroutine
	ctx       context.Context // ends with Close
	cancel    context.CancelFunc

	mu          sync.Mutex
	pushed      sync.Cond // the schedule was empty and is no more, or the relay was closed
	closed      bool
	up, down    *lane
	schedule    schedule
	tunnels     map[*tunnel]struct{}
	connections int64
	late        *hdrhistogram.Histogram // ns
}

// A waiter waits exactly, and reports the cost of waiting.
type waiter interface {
	load.Waiter
	CPU() time.Duration
}

// dialPatience bounds the opening of a connection to a server.
const dialPatience = 10 * time.Second

// Start listens on all hops.
func Start(config Config) (*Relay, error) {
	r := newRelay(config, load.NewWaiter())
	for i, hop := range config.Hops {
		listener, err := net.Listen(hop.Network, hop.Listen)
		if err != nil {
			r.Close()
			return nil, fmt.Errorf("hop %d of %d: %w", i+1, len(config.Hops), err)
		}
		r.listeners = append(r.listeners, listener)
	}
	for i, listener := range r.listeners {
		r.running.Go(func() { r.accept(listener, config.Hops[i]) })
	}
	return r, nil
}

// newRelay makes a relay that passes on, and listens nowhere yet.
func newRelay(config Config, w waiter) *Relay {
	begun := time.Now()
	dialer := net.Dialer{Timeout: dialPatience}
	link := config.Link
	r := &Relay{
		link: link, now: func() time.Duration { return time.Since(begun) }, waiter: w, dial: dialer.DialContext,
		failed: config.Failed, tunnels: map[*tunnel]struct{}{}, late: record.NewHistogram(),
		up: newLane(link, link.UpPerSec, config.Seed, 0), down: newLane(link, link.DownPerSec, config.Seed, 1),
	}
	r.pushed.L = &r.mu
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.running.Go(r.release)
	return r
}

// Addresses returns where the hops listen, in their order.
func (r *Relay) Addresses() []string {
	addresses := make([]string, len(r.listeners))
	for i, listener := range r.listeners {
		addresses[i] = listener.Addr().String()
	}
	return addresses
}

// Close breaks off all connections and returns when nothing of the relay runs any more.
func (r *Relay) Close() {
	r.cancel()
	for _, listener := range r.listeners {
		_ = listener.Close() // its files go with it
	}
	r.mu.Lock()
	r.closed = true
	var open []*tunnel
	for t := range r.tunnels {
		open = append(open, t)
	}
	r.pushed.Broadcast()
	r.mu.Unlock()
	for _, t := range open {
		t.abort()
	}
	r.running.Wait()
}

// Stats is what a relay has done so far.
type Stats struct {
	Connections int64         // that clients opened
	UpBytes     int64         // passed on to servers
	DownBytes   int64         // passed on to clients
	Late        bool          // something was passed on, so that LateP99 and LateMax are known
	LateP99     time.Duration // how much later than due the relay came to bytes; what a receiver holds up is not in it
	LateMax     time.Duration
	WaitCPU     time.Duration // of waiting for due times, spinning included
}

// Stats may be called at any time.
func (r *Relay) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Stats{
		Connections: r.connections, UpBytes: r.up.arrived, DownBytes: r.down.arrived, Late: r.late.TotalCount() > 0,
		LateP99: time.Duration(record.Quantile(r.late, .99)), LateMax: time.Duration(record.Quantile(r.late, 1)),
		WaitCPU: r.waiter.CPU(),
	}
}

// acceptPause is the pause after a failed accept, for example if there are no file descriptors left.
const acceptPause = 10 * time.Millisecond

func (r *Relay) accept(listener net.Listener, hop Hop) {
	for {
		client, err := listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			r.failed(fmt.Errorf("accept a connection on %s: %w", listener.Addr(), err))
			r.sleep(acceptPause)
		default:
			asked := r.now()
			r.running.Go(func() { r.join(client.(socket), hop, asked) })
		}
	}
}

// holdBack prevents a sender, whose last byte leaves at departs, from taking more than its share. If it holds the sender for too
// long, the link may have been idle, which counts as lateness too.
func (r *Relay) holdBack(departs time.Duration) {
	hold := departs - ahead - r.now()
	if hold <= 0 {
		return
	}
	r.sleep(hold)
	if late := r.now() - departs; late > 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		_ = r.late.RecordValue(int64(late)) // nothing is an hour late
	}
}

// sleep returns early when the relay is closed.
func (r *Relay) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.ctx.Done():
	}
}
