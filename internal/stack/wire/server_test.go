package wire_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
	"rpcbench/internal/stack/wire"
	"rpcbench/internal/test/sockettest"
)

// limit ends what hangs. A machine that stands still for a while does not reach it.
const limit = 3 * time.Minute

// A server is one connection of a scripted server.
type server struct {
	*http2.Framer
	t      *testing.T
	socket net.Conn
	table  *hpack.Encoder
	block  bytes.Buffer

	mu  sync.Mutex
	saw []http2.Frame // RST_STREAM and GOAWAY
}

// A script answers on one connection, from the client's preface on; the first has number 0. The connection ends with it.
type script func(s *server, number int)

// serve runs a script for every connection until the test ends, and returns where.
func serve(t *testing.T, play script) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serveOn(t, listener, play)
	return listener.Addr().String()
}

func serveOn(t *testing.T, listener net.Listener, play script) {
	t.Helper()
	var running sync.WaitGroup
	t.Cleanup(func() { listener.Close(); running.Wait() })
	running.Go(func() {
		for number := 0; ; number++ {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer socket.Close()
				play(newServer(t, socket), number)
			})
		}
	})
}

func newServer(t *testing.T, socket net.Conn) *server {
	s := &server{t: t, socket: socket, Framer: http2.NewFramer(socket, socket)}
	s.table = hpack.NewEncoder(&s.block)
	s.AllowIllegalWrites = true
	return s
}

// greet takes the preface and sends settings.
func (s *server) greet(settings ...http2.Setting) {
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := readFull(s.socket, preface); err != nil || string(preface) != http2.ClientPreface {
		s.t.Errorf("the preface is %q, %v", preface, err)
	}
	s.WriteSettings(settings...)
}

func readFull(socket net.Conn, to []byte) (n int, err error) {
	for n < len(to) && err == nil {
		var more int
		more, err = socket.Read(to[n:])
		n += more
	}
	return n, err
}

// request reads until a whole request has come, and returns its stream and its bytes; 0 when the client has gone.
func (s *server) request() (id uint32, body []byte) {
	for {
		f, err := s.ReadFrame()
		if err != nil {
			return 0, nil
		}
		switch f := f.(type) {
		case *http2.DataFrame:
			body = append(body, f.Data()...)
			if f.StreamEnded() {
				return f.StreamID, body
			}
		case *http2.RSTStreamFrame, *http2.GoAwayFrame:
			s.mu.Lock()
			s.saw = append(s.saw, f)
			s.mu.Unlock()
		}
	}
}

// flood sends a frame again and again, and reads nothing, until the client has gone, or 200 MB.
func (s *server) flood(frame string) {
	const many = 10_000
	frames := bytes.Repeat([]byte(frame), many)
	for range (200 << 20) / len(frames) {
		if _, err := s.socket.Write(frames); err != nil {
			return
		}
	}
}

// fields are name and value in turn.
func (s *server) encode(fields ...string) []byte {
	s.block.Reset()
	for i := 0; i < len(fields); i += 2 {
		s.table.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return bytes.Clone(s.block.Bytes())
}

func (s *server) headers(id uint32, end bool, fields ...string) {
	s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: s.encode(fields...), EndHeaders: true, EndStream: end})
}

func (s *server) head(id uint32) {
	s.headers(id, false, ":status", "200", "content-type", "application/grpc")
}

func (s *server) status(id uint32, code string) { s.headers(id, true, "grpc-status", code) }

// good answers a request well.
func (s *server) good(id uint32) {
	s.head(id)
	s.WriteData(id, false, framed("pong"))
	s.status(id, "0")
}

// goodAll answers all requests well until the client has gone.
func (s *server) goodAll() {
	for {
		id, _ := s.request()
		if id == 0 {
			return
		}
		s.good(id)
	}
}

// newDecoder reads what is encoded with a table as the settings have it.
func newDecoder(settings []http2.Setting) *hpack.Decoder {
	size := uint32(4096)
	for _, one := range settings {
		if one.ID == http2.SettingHeaderTableSize {
			size = one.Val
		}
	}
	return hpack.NewDecoder(size, nil)
}

func framed(message string) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...)
}

// An exchange sends ping and keeps the replies.
type exchange struct {
	message []byte
	replies []string
}

func (e *exchange) Begin() (int, error)          { e.replies = nil; return 1, nil }
func (e *exchange) Fields() []byte               { return nil }
func (e *exchange) Message(int) ([]byte, error)  { return e.message, nil }
func (e *exchange) Reply(payload []byte, _ bool) { e.replies = append(e.replies, string(payload)) }
func (e *exchange) End() error {
	if len(e.replies) != 1 || e.replies[0] != "pong" {
		return stack.Errorf(stack.Mismatch, "the replies are %q", e.replies)
	}
	return nil
}

// A caller waits for calls on one Lane.
type caller struct {
	t      *testing.T
	client *wire.Client
	lane   *wire.Lane
	slots  int
	told   map[int][]error
}

func unary() wire.Call { return wire.Call{Path: "/test.Service/Call", Replies: 1} }

func dial(t *testing.T, address string, change func(*wire.Config)) (*wire.Client, error) {
	t.Helper()
	config := wire.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			var d net.Dialer
			socket, err := d.DialContext(ctx, "tcp", address)
			return &sockettest.Rebased{Conn: socket}, err
		},
		Authority: "test", MessageBytesMax: 1 << 20,
	}
	if change != nil {
		change(&config)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	client, err := wire.Dial(ctx, config)
	if err == nil {
		serveBy(t, client)
	}
	return client, err
}

// serveBy has a loop serve the client in the subtests of TestOnLoops. In other tests its reader waits in the kernel.
func serveBy(t *testing.T, client *wire.Client) {
	t.Helper()
	if !strings.HasPrefix(t.Name(), "TestOnLoops/") {
		t.Cleanup(client.Close)
		client.Block()
		return
	}
	l, err := loop.New()
	if errors.Is(err, loop.ErrUnsupported) {
		client.Close()
		t.Skip(err)
	}
	if err == nil {
		t.Cleanup(l.Close)
		err = client.Join(l)
	}
	t.Cleanup(client.Close)
	if err != nil {
		t.Fatal(err)
	}
}

// TestMain gives Go more processors than there are tests at a time, so that the readers of all of them may wait in the
// kernel. The fuzz target has the other kind of socket.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(max(32, 2*runtime.GOMAXPROCS(0)))
	os.Exit(m.Run())
}

func newCaller(t *testing.T, address string, call wire.Call, slots int) *caller {
	t.Helper()
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return callerOn(t, client, call, slots)
}

func callerOn(t *testing.T, client *wire.Client, call wire.Call, slots int) *caller {
	c := &caller{t: t, client: client, slots: slots, told: map[int][]error{}}
	c.lane = client.Lane(call, func(slot int, err error) { c.told[slot] = append(c.told[slot], err) })
	for range slots {
		c.lane.Add(&exchange{message: framed("ping")})
	}
	return c
}

// call makes a call in every slot and returns how each ended.
func (c *caller) call() []error {
	c.t.Helper()
	slots := make([]int, c.slots)
	for i := range slots {
		slots[i] = i
	}
	c.lane.Send(slots)
	return c.await()
}

// await waits until every slot has ended.
func (c *caller) await() []error {
	c.t.Helper()
	timer := time.AfterFunc(limit, c.client.Close)
	defer timer.Stop()
	ends := make([]error, c.slots)
	for len(c.told) < len(ends) {
		if !c.client.Turn() && len(c.told) < len(ends) {
			c.t.Fatalf("%d of %d calls ended in %v", len(c.told), len(ends), limit)
		}
	}
	for i := range ends {
		if len(c.told[i]) != 1 {
			c.t.Errorf("slot %d was told %d times that it ended: %v", i, len(c.told[i]), c.told[i])
		}
		ends[i] = c.told[i][0]
	}
	c.told = map[int][]error{}
	return ends
}
