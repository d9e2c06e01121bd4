package websocket_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	gorilla "github.com/gorilla/websocket"

	"rpcbench/internal/worker/websocket"
)

// listen serves what talk does on a port of its own.
func listen(t *testing.T, mixed bool, talk func(net.Conn)) (address string) {
	t.Helper()
	sockets, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := websocket.Listen(sockets, mixed)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				talk(conn)
			}()
		}
	}()
	return sockets.Addr().String()
}

func echo(conn net.Conn) { _, _ = io.Copy(conn, conn) }

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func client(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := websocket.Client(t.Context(), dial(t, address), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// sizes are on both sides of every form that a frame's length has, and of what one message has.
var sizes = []int{1, 125, 126, 65_535, 65_536, 65_537, 200_001}

func sent(t *testing.T, conn net.Conn) {
	t.Helper()
	random := rand.NewChaCha8([32]byte{})
	for _, n := range sizes {
		want, got := make([]byte, n), make([]byte, n)
		_, _ = random.Read(want)
		want[0] = 0 // a WebSocket begins otherwise, and a mixed port waits for more of what may be one
		written := make(chan error, 1)
		go func() {
			_, err := conn.Write(want)
			written <- err
		}()
		if _, err := io.ReadFull(conn, got); err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if err := <-written; err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes come back otherwise, %v", n, err)
		}
	}
}

func TestBytesPassAsTheyAre(t *testing.T) {
	t.Parallel()
	sent(t, client(t, listen(t, false, echo)))
}

// Somebody else's client and server understand what is sent, and are understood.
func TestOthersAreUnderstood(t *testing.T) {
	t.Parallel()
	address := listen(t, false, echo)
	//nolint:bodyclose // of a handshake that succeeds there is none
	theirs, _, err := gorilla.DefaultDialer.DialContext(t.Context(), "ws://"+address+"/any/path", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	pong := make(chan string, 1)
	theirs.SetPongHandler(func(text string) error {
		pong <- text
		return nil
	})
	if err := theirs.WriteControl(gorilla.PingMessage, []byte("are you there"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	for _, n := range sizes {
		want := bytes.Repeat([]byte{byte(n)}, n)
		if err := theirs.WriteMessage(gorilla.BinaryMessage, want); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for len(got) < n {
			kind, part, err := theirs.ReadMessage()
			if err != nil || kind != gorilla.BinaryMessage {
				t.Fatal(kind, err)
			}
			got = append(got, part...)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d bytes come back otherwise", n)
		}
	}
	if err := theirs.WriteMessage(gorilla.TextMessage, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := theirs.ReadMessage(); !gorilla.IsCloseError(err, gorilla.CloseUnsupportedData) {
		t.Errorf("text is answered by %v", err)
	}
	if got := <-pong; got != "are you there" {
		t.Errorf("a ping is answered by %q", got)
	}

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := (&gorilla.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		for {
			kind, message, err := conn.ReadMessage()
			if err != nil {
				if !gorilla.IsCloseError(err, gorilla.CloseNormalClosure) {
					t.Errorf("our Close is %v", err)
				}
				return
			}
			_ = conn.WriteControl(gorilla.PingMessage, []byte("x"), time.Now().Add(time.Minute))
			_ = conn.WriteMessage(kind, message)
		}
	}))
	defer server.Close()
	ours := client(t, server.Listener.Addr().String())
	sent(t, ours)
	ours.Close()
}

// pair is two ends in memory, the server's bare.
func pair(t *testing.T) (ours, bare net.Conn) {
	t.Helper()
	one, other := net.Pipe()
	t.Cleanup(func() { one.Close(); other.Close() })
	shaken := make(chan error, 1)
	go func() {
		_, err := ws.Upgrade(other)
		shaken <- err
	}()
	ours, err := websocket.Client(t.Context(), one, "pipe")
	if err := errors.Join(err, <-shaken); err != nil {
		t.Fatal(err)
	}
	return ours, other
}

// A deadline in the middle of a header, or of a frame, loses nothing.
func TestAReadGoesOnAfterADeadline(t *testing.T) {
	t.Parallel()
	ours, bare := pair(t)
	frame := ws.MustCompileFrame(ws.NewBinaryFrame(bytes.Repeat([]byte("x"), 300)))
	var got []byte
	for _, part := range [][]byte{frame[:1], frame[1:3], frame[3:100], frame[100:]} {
		written := make(chan struct{})
		go func() {
			defer close(written)
			_, _ = bare.Write(part)
		}()
		for {
			_ = ours.SetReadDeadline(time.Now().Add(time.Millisecond))
			b := make([]byte, 1000)
			n, err := ours.Read(b)
			got = append(got, b[:n]...)
			if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal(err)
			}
			select {
			case <-written:
			default:
				continue
			}
			break
		}
	}
	_ = ours.SetReadDeadline(time.Time{})
	for len(got) < 300 {
		b := make([]byte, 1000)
		n, err := ours.Read(b)
		if got = append(got, b[:n]...); err != nil {
			t.Fatal(err)
		}
	}
	if string(got) != strings.Repeat("x", 300) {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

// As many bytes are taken as there is room, in the middle of a header too, and the rest may follow later.
func TestAWriteGoesOnAfterADeadline(t *testing.T) {
	t.Parallel()
	one, other := net.Pipe()
	t.Cleanup(func() { one.Close(); other.Close() })
	shaken := make(chan error, 1)
	go func() {
		_, err := ws.Upgrade(other)
		shaken <- err
	}()
	slow := &stingy{Conn: one, room: -1}
	ours, err := websocket.Client(t.Context(), slow, "pipe")
	if err := errors.Join(err, <-shaken); err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("abcdefg"), 30_000)
	got := make(chan []byte)
	go func() {
		var all []byte
		for len(all) < len(want) {
			frame, err := ws.ReadFrame(other) //nolint:staticcheck // what a test sends itself is no longer than it says
			if err != nil {
				t.Error(err)
				break
			}
			all = append(all, ws.UnmaskFrame(frame).Payload...)
		}
		got <- all
	}()
	for i, rest := 0, want; len(rest) > 0; i++ {
		slow.room = []int{0, 1, 3, 5, 1000, 70_000}[i%6]
		n, err := ours.Write(rest)
		if rest = rest[n:]; err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
	}
	if all := <-got; !bytes.Equal(all, want) {
		t.Errorf("%d bytes arrived of %d", len(all), len(want))
	}
}

// A stingy socket takes no more bytes than it has room for; below 0 it takes all.
type stingy struct {
	net.Conn
	room int
}

func (s *stingy) Write(b []byte) (int, error) {
	if s.room < 0 || s.room >= len(b) {
		return s.Conn.Write(b)
	}
	n, err := s.Conn.Write(b[:s.room])
	if err == nil {
		err = os.ErrDeadlineExceeded
	}
	s.room = 0
	return n, err
}

func TestFramesOfOneMessageAndControlBetweenThemAreOneStream(t *testing.T) {
	t.Parallel()
	ours, bare := pair(t)
	go func() {
		for _, f := range []ws.Frame{
			ws.NewFrame(ws.OpBinary, false, []byte("ab")), ws.NewFrame(ws.OpPong, true, nil),
			ws.NewFrame(ws.OpContinuation, false, nil), ws.NewFrame(ws.OpContinuation, true, []byte("c")),
			ws.NewBinaryFrame([]byte("d")), ws.NewCloseFrame(nil),
		} {
			_, _ = bare.Write(ws.MustCompileFrame(f))
		}
		_, _ = io.Copy(io.Discard, bare)
	}()
	if got, err := io.ReadAll(ours); string(got) != "abcd" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestWhatBreaksTheProtocolEndsTheConnection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bytes []byte
		want  string
	}{
		"a masked frame":      {ws.MustCompileFrame(ws.MaskFrame(ws.NewBinaryFrame([]byte("x")))), "mask"},
		"a long ping":         {[]byte{0x89, 126, 1, 0}, "control"},
		"a reserved code":     {[]byte{0x83, 0}, "op code"},
		"a reserved bit":      {[]byte{0xc2, 0}, "rsv"},
		"no first frame":      {[]byte{0x80, 0}, "continuation"},
		"an endless frame":    {[]byte{0x82, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, "none"},
		"a length with a bit": {[]byte{0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, "bit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours, bare := pair(t)
			go func() {
				_, _ = bare.Write(c.bytes)
				_, _ = io.Copy(io.Discard, bare)
			}()
			for range 2 { // and stays so
				if n, err := ours.Read(make([]byte, 10)); n != 0 || err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%d, %v, want %q", n, err, c.want)
				}
			}
		})
	}
}

// On a mixed port who begins as a WebSocket does is one, and whoever else is taken as he is, after one byte that differs.
func TestAMixedPortTellsWhoComes(t *testing.T) {
	t.Parallel()
	address := listen(t, true, echo)
	sent(t, client(t, address))
	sent(t, dial(t, address))
	for _, begin := range []string{"P", "GEx", "\x16\x03"} {
		bare := dial(t, address)
		fmt.Fprint(bare, begin)
		got := make([]byte, len(begin))
		if _, err := io.ReadFull(bare, got); err != nil || string(got) != begin {
			t.Errorf("%q comes back as %q, %v", begin, got, err)
		}
	}
}

func answered(t *testing.T, address, request string) string {
	t.Helper()
	bare := dial(t, address)
	fmt.Fprint(bare, request)
	got, _ := io.ReadAll(bare) // until it is closed
	return string(got)
}

func TestWhoIsNoWebSocketIsTurnedAway(t *testing.T) {
	t.Parallel()
	const asks = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
	accepted := make(chan struct{}, 1)
	address := listen(t, false, func(net.Conn) { accepted <- struct{}{} })
	for request, want := range map[string]string{
		"PRI * HTTP/2.0\r\n\r\n":                                                       "",
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n":                                            "HTTP/1.1 400 ",
		asks + "Origin: http://evil.example\r\n\r\n":                                   "HTTP/1.1 403 ",
		asks + "X: " + strings.Repeat("x", 15<<10) + "\r\n" + strings.Repeat("y", 1e4): "",
	} {
		if got := answered(t, address, request); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%.60q is answered by %.60q, want %q", request, got, want)
		}
	}
	select {
	case <-accepted:
		t.Error("one was accepted")
	default:
	}
}

// Who says nothing keeps nobody waiting, and is gone with the listener.
func TestASilentSocketHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	sockets, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := websocket.Listen(sockets, false)
	silent := dial(t, sockets.Addr().String())
	go func() {
		ours, err := websocket.Client(context.WithoutCancel(t.Context()), dial(t, sockets.Addr().String()), "x")
		if err == nil {
			ours.Close()
		}
	}()
	if conn, err := listener.Accept(); err != nil {
		t.Error(err)
	} else {
		conn.Close()
	}
	listener.Close()
	if n, err := silent.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("the silent socket is open: %d, %v", n, err)
	}
	if _, err := listener.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed listener: %v", err)
	}
}

func TestAClientDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	sockets, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer sockets.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		if conn, err := sockets.Accept(); err == nil {
			_, _ = conn.Read(make([]byte, 1)) // it is asked, and does not answer
			cancel(errors.New("enough"))
			_, _ = io.Copy(io.Discard, conn)
		}
	}()
	if _, err := websocket.Client(ctx, dial(t, sockets.Addr().String()), "x"); err == nil {
		t.Error("there is a connection")
	}
}
