package stacktest

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/inproc"
)

// limit ends what hangs. A machine that pauses for a while does not reach it.
const limit = 3 * time.Minute

// A rig is a served stack, with means to cut its cables.
type rig struct {
	t         testing.TB
	stack     stack.Stack
	network   string
	reply     func(int) []byte
	serverTLS *tls.Config // nil is plaintext
	clientTLS *tls.Config
	authorize func(tls.ConnectionState) error
	limits    stack.Limits
	store     stack.Store

	address  string                  // that clients dial
	place    atomic.Value            // where that is: the address of the server, or one without a server
	listener *cuttable               // of the last server: not for what dials, as another may follow
	freezer  atomic.Pointer[freezer] // of the servers; nil is none
	inproc   inproc.Network
	server   stack.Server
	dialled  atomic.Int64            // sockets opened by clients
	sockets  atomic.Pointer[sockets] // of these, since newSockets
	out, in  atomic.Int64            // bytes on them
}

// newRig serves s until the test ends.
func newRig(t testing.TB, s stack.Stack, network, security string, reply func(int) []byte) *rig {
	t.Helper()
	r := &rig{t: t, stack: s, network: network, reply: reply}
	r.serverTLS, r.clientTLS = tlsConfigs(t, security)
	r.start()
	return r
}

// start serves on a new address until the test ends.
func (r *rig) start() {
	r.newSockets()
	r.t.Helper()
	r.serve()
	r.address = r.place.Load().(string)
	r.t.Cleanup(r.stop)
}

// serve starts a server. Where there was one before, clients find it at the same address.
func (r *rig) serve() {
	r.t.Helper()
	bare, err := r.listen()
	if err != nil {
		r.t.Fatal(err)
	}
	r.place.Store(bare.Addr().String())
	r.listener = &cuttable{Listener: bare, freezer: &r.freezer}
	r.server, err = r.stack.Serve(stack.ServeConfig{
		Listener: r.listener, TLS: r.serverTLS, Authorize: r.authorize, Reply: r.reply, Store: r.store, Limits: r.limits,
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) stop() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r.server.Stop(ctx) // a server whose cables were cut may say so
}

// cut takes the server from the network: its port and all its connections. Its place is a port that stays closed: its own
// could be given to another test's server.
func (r *rig) cut() {
	r.place.Store(sockettest.ClosedPort(r.t))
	r.listener.cut()
}

// dial opens a connection until the test ends.
func (r *rig) dial(compression string, slots int) stack.Conn {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), limit)
	defer cancel() // the connection outlives the context of its dialling
	conn, err := r.stack.Dial(ctx, r.dialConfig(compression, slots))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { conn.Close() })
	return conn
}

// ready returns a connection that has made calls, so that the next does not meet what a server asks of new ones: see settle. The
// rig's server must answer them well.
func (r *rig) ready(t *testing.T, compression string, slots int) stack.Conn {
	t.Helper()
	conn := r.dial(compression, slots)
	if call, ok := calls(r.stack, 10, 10, slots)[stack.KindUnary]; ok {
		settle(t, callers(t, conn, call, slots))
	}
	return conn
}

func (r *rig) dialConfig(compression string, slots int) stack.DialConfig {
	return stack.DialConfig{
		Network: r.network, Address: r.address, TLS: r.clientTLS.Clone(), Compression: compression, InFlight: slots,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if network != r.network || address != r.address {
				return nil, errors.New("dialled " + network + " " + address)
			}
			socket, err := r.reach(ctx, r.place.Load().(string))
			if err != nil {
				return nil, err
			}
			if r.freezer.Load() != nil {
				_ = socket.(*net.UnixConn).SetWriteBuffer(socketBytes)
			}
			r.dialled.Add(1)
			among := r.sockets.Load()
			among.opened()
			return &counted{Conn: socket, rig: r, among: among}, nil
		},
	}
}

// callers makes the Callers of all slots.
func callers(t testing.TB, conn stack.Conn, call stack.Call, slots int) []stack.Caller {
	t.Helper()
	made := make([]stack.Caller, slots)
	for slot := range made {
		caller, err := conn.Caller(call, slot)
		if err != nil {
			t.Fatal(err)
		}
		made[slot] = caller
	}
	return made
}

// callAll makes one call on every slot at the same time, and returns their errors, After's included.
func callAll(ctx context.Context, slots []stack.Caller) []error {
	all := make([]error, len(slots))
	var group sync.WaitGroup
	for i, caller := range slots {
		group.Go(func() {
			all[i] = caller.Call(ctx)
			if wrong := caller.After(); all[i] == nil {
				all[i] = wrong
			} else if wrong != nil {
				all[i] = errors.New("After returned an error after a failed Call: " + wrong.Error())
			}
		})
	}
	group.Wait()
	return all
}

// A cuttable listener can lose all its connections, and stop to read from those that it accepts from then on.
type cuttable struct {
	net.Listener
	freezer *atomic.Pointer[freezer]
	mu      sync.Mutex
	open    []net.Conn
	gone    bool
}

func (l *cuttable) Accept() (net.Conn, error) {
	socket, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		socket.Close()
		return nil, net.ErrClosed
	}
	l.open = append(l.open, socket)
	if f := l.freezer.Load(); f != nil {
		return &freezable{socket, f}, nil
	}
	return socket, nil
}

func (l *cuttable) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = true
	l.Close()
	for _, socket := range l.open {
		socket.Close()
	}
}

// sockets counts those that are open, and the most at once.
type sockets struct{ open, most atomic.Int64 }

func (s *sockets) opened() {
	open := s.open.Add(1)
	for most := s.most.Load(); open > most && !s.most.CompareAndSwap(most, open); most = s.most.Load() {
	}
}

// newSockets counts the sockets that are opened from now on, apart from others, which may take a while to close.
func (r *rig) newSockets() *sockets {
	s := new(sockets)
	r.sockets.Store(s)
	return s
}

// counted counts a client's bytes.
type counted struct {
	net.Conn
	rig    *rig
	among  *sockets
	closed atomic.Bool
}

// Rebase has the socket below replaced, as the worker's does.
func (c *counted) Rebase(replace func(net.Conn) (net.Conn, error)) error {
	other, err := replace(c.Conn)
	if err == nil {
		c.Conn = other
	}
	return err
}

func (c *counted) Close() error {
	if !c.closed.Swap(true) {
		c.among.open.Add(-1)
	}
	return c.Conn.Close()
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.rig.in.Add(int64(n))
	return n, err
}

// Write counts before it writes, because the answer may be there before the writer goes on.
func (c *counted) Write(b []byte) (int, error) {
	c.rig.out.Add(int64(len(b)))
	n, err := c.Conn.Write(b)
	c.rig.out.Add(int64(n - len(b)))
	return n, err
}
