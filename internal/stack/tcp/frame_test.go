package tcp

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/allocated"
	"rpcbench/internal/test/sockettest"
)

// The layout that the package comment promises to other languages.
func TestFrameLayoutIsPinned(t *testing.T) {
	t.Parallel()
	got := hex.EncodeToString(newFrame(header{tag: 14, replyBytes: 0x01020304, replies: 0x0a0b0c0d}, []byte("hey")))
	if want := "00000003" + "0e000000" + "01020304" + "0a0b0c0d" + "686579"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	batch := newFrame(header{tag: 1, operations: 2, replyBytes: 20, replies: 1}, newOperations(2, []byte("hey")))
	number(batch, 2, 0x0102030405060708)
	got = hex.EncodeToString(batch)
	if want := "00000016" + "01000002" + "00000014" + "00000001" +
		"0102030405060708" + "686579" + "0102030405060709" + "686579"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzParseHeader(f *testing.F) {
	f.Add([]byte("GET / HTTP/1.1\r\n"))
	f.Add(newFrame(header{replyBytes: 5, replies: 1}, nil))
	f.Add(newFrame(header{operations: 3, replies: 1}, newOperations(3, nil))[:headerBytes])
	f.Add(newFrame(header{operations: 3, replies: 1, stored: true}, nil))
	f.Add(bytes.Repeat([]byte{0xff}, headerBytes))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != headerBytes {
			t.Skip()
		}
		h, err := parseHeader(b)
		if err != nil {
			return
		}
		if h.length > stack.MessageBytesMax || h.replyBytes > stack.MessageBytesMax || h.operations > stack.BatchMax {
			t.Errorf("%+v is over the limit", h)
		}
		if n := h.operations; n > 0 && !h.stored && (h.length%n != 0 || h.length/n < stack.OperationIDBytes) {
			t.Errorf("%+v can't hold its operations", h)
		}
		again := make([]byte, headerBytes)
		h.put(again)
		if !bytes.Equal(again, b) {
			t.Errorf("%x is read as %+v and written as %x", b, h, again)
		}
	})
}

func TestReadPayloadUsesItsBufferAgain(t *testing.T) {
	t.Parallel()
	buffer := make([]byte, 10)
	got, err := readPayload(strings.NewReader("abcdef"), 4, buffer[:0])
	if err != nil || string(got) != "abcd" || &got[0] != &buffer[0] {
		t.Errorf("got %q, %v; want abcd in the same memory", got, err)
	}
	if _, err := readPayload(strings.NewReader(""), 4, buffer[:0]); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a payload that is missing: %v, want unexpected EOF", err)
	}
}

// Not parallel: it counts what the process allocates.
func TestALengthAloneTakesNoMemory(t *testing.T) {
	allocated.AtMost(t, 1<<20, func() {
		got, err := readPayload(strings.NewReader("abc"), stack.MessageBytesMax, nil)
		if !errors.Is(err, io.ErrUnexpectedEOF) || string(got) != "abc" {
			t.Errorf("got %q, %v, want abc and unexpected EOF", got, err)
		}
	})
}

// serveOn runs a server until the test ends.
func serveOn(t testing.TB, l net.Listener) {
	t.Helper()
	server, err := New().Serve(stack.ServeConfig{Listener: l, Reply: func(n int) []byte { return make([]byte, n) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Stop(t.Context()) })
}

// dialServer opens a bare socket to a new server.
func dialServer(t testing.TB) net.Conn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serveOn(t, l)
	socket, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return socket
}

func TestServerRefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]stack.Code{
		"GET / HTTP/1.1\r\n": stack.Internal,
		string(newFrame(header{operations: 2, replies: 1}, make([]byte, 17))):                 stack.Internal,
		string(newFrame(header{operations: 2, replyBytes: 15, replies: 1}, make([]byte, 16))): stack.Internal,
		string(newFrame(header{tag: 3}, nil)):                                                 stack.Unimplemented,
		string(newFrame(header{replyBytes: stack.MessageBytesMax + 1}, nil)):                  stack.ResourceExhausted,
		string(newFrame(header{tag: kindHeld, replies: 1 << 31}, nil)):                        stack.ResourceExhausted,
	} {
		socket := dialServer(t)
		if _, err := io.WriteString(socket, request); err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(socket) // until the server closes
		if err != nil {
			t.Fatal(err)
		}
		h, err := parseHeader(all[:headerBytes])
		if err != nil || stack.Code(h.tag) != want || int(h.length) != len(all)-headerBytes || h.length == 0 {
			t.Errorf("%q is answered by %+v, %q, %v; want status %v", request, h, all[headerBytes:], err, want)
		}
	}
}

// A step is a request, and all that has come when the server has nothing more to do.
type step struct {
	request header
	payload string
	want    []byte
}

func TestHeldRequestsAreAnsweredWithTheNextPromptOne(t *testing.T) {
	t.Parallel()
	takeSteps(t, []step{
		{header{tag: kindHeld, replyBytes: 1, replies: 1}, "a", nil},
		{header{replyBytes: 1, replies: 1}, "b", slices.Concat(newFrame(header{}, []byte("a")), newFrame(header{}, []byte("b")))},
	})
}

// The replies aside carry the first payload, whatever is read meanwhile.
func TestRepliesAsideWaitForNoFurtherRequest(t *testing.T) {
	t.Parallel()
	aside := bytes.Repeat(newFrame(header{}, []byte("a")), 3)
	takeSteps(t, []step{
		{header{tag: kindAside, replyBytes: 1, replies: 3}, "a", aside},
		{header{replyBytes: 1}, "b", aside},
		{header{replyBytes: 1, replies: 1}, "c", slices.Concat(aside, newFrame(header{}, []byte("c")))},
	})
}

func takeSteps(t *testing.T, steps []step) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		pipes := sockettest.NewPipes()
		serveOn(t, pipes)
		socket, err := pipes.Dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		var came bytes.Buffer
		read := make(chan struct{})
		go func() { io.Copy(&came, socket); close(read) }()
		defer func() { socket.Close(); <-read }()
		for _, step := range steps {
			if _, err := socket.Write(newFrame(step.request, []byte(step.payload))); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := came.Bytes(); !bytes.Equal(got, step.want) {
				t.Errorf("after request %q: got %q, want %q", step.payload, got, step.want)
			}
		}
	})
}

func TestPipelinedRequestsAreAllAnswered(t *testing.T) {
	t.Parallel()
	socket := dialServer(t)
	requests := bytes.Repeat(newFrame(header{replyBytes: 2, replies: 3}, []byte("hi")), 100)
	go socket.Write(append(requests, newFrame(header{}, []byte("no reply"))...))
	want := bytes.Repeat(newFrame(header{}, []byte("hi")), 300)
	got := make([]byte, len(want))
	if _, err := io.ReadFull(socket, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the replies are not the requests' payloads, 300 times: %v", err)
	}
}
