package httpwire

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/sockettest"
)

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// answersHTTP2 is a server of HTTP/2 that answers every request with five bytes, and allocates nothing for it. That
// request ends with HEADERS or DATA, and has less than 64 kB together with all others.
func answersHTTP2(conn net.Conn) {
	from := bufio.NewReaderSize(conn, 1<<20)
	if _, err := from.Discard(len(preface)); err != nil {
		return
	}
	conn.Write([]byte("\x00\x00\x00\x04\x00\x00\x00\x00\x00")) // SETTINGS
	answer := []byte("\x00\x00\x01\x01\x04\x00\x00\x00\x00\x88" + "\x00\x00\x05\x00\x01\x00\x00\x00\x00hello")
	const data = 10 // where its DATA begins
	head := make([]byte, 9)
	for {
		if _, err := io.ReadFull(from, head); err != nil {
			return
		}
		length := int(head[0])<<16 | int(head[1])<<8 | int(head[2])
		if _, err := from.Discard(length); err != nil {
			return
		}
		if kind, flags := head[3], head[4]; kind > 1 || flags&1 == 0 {
			continue
		}
		id := binary.BigEndian.Uint32(head[5:])
		binary.BigEndian.PutUint32(answer[5:], id)
		binary.BigEndian.PutUint32(answer[data+5:], id)
		if _, err := conn.Write(answer); err != nil {
			return
		}
	}
}

func TestACallOverHTTP2AllocatesNothing(t *testing.T) {
	for what, requests := range map[string]stack.Targets{
		"constant": page{"/", ""}, "constant, with a body": page{"/", "body"}, "varying": varying{page{"/a", "body"}},
	} {
		posts := &stack.Resource{Verb: "POST", Requests: requests}
		one := dialAndMake(t, sockettest.Serve(t, answersHTTP2), posts, stack.OptionHTTPVersion+"=2")
		ctx := t.Context()
		call := func() {
			if err := one.Call(ctx); err != nil || one.After() != nil {
				t.Fatal(what, err)
			}
		}
		for range 10 { // what grows has grown
			call()
		}
		if got := testing.AllocsPerRun(1000, call); got > 0 {
			t.Errorf("%s: a call allocates %v times", what, got)
		}
	}
}

// A server of HTTP/2 that ends a response early, or says too much, is an outcome.
func TestABadResponseOverHTTP2IsAnOutcomeWithASentence(t *testing.T) {
	t.Parallel()
	const settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	const headers = "\x00\x00\x01\x01\x04\x00\x00\x00\x01\x88" // :status 200 on stream 1
	for what, c := range map[string]struct {
		says string
		want stack.Code
		why  string
		verb string // GET without
	}{
		"HEAD, with the length of what it has not": {
			"\x00\x00\x05\x01\x04\x00\x00\x00\x01\x88\x0f\x0d\x019" + "\x00\x00\x00\x00\x01\x00\x00\x00\x01", stack.OK, "", "HEAD",
		},
		"unchanged, with the length of what it has not": {
			"\x00\x00\x05\x01\x04\x00\x00\x00\x01\x8b\x0f\x0d\x019" + "\x00\x00\x00\x00\x01\x00\x00\x00\x01",
			stack.StatusCode(304), "304 Not Modified", "",
		},
		"ends": {headers, stack.Unavailable, "the server closed the connection", ""},
		"resets": {
			headers + "\x00\x00\x04\x03\x00\x00\x00\x00\x01\x00\x00\x00\x02", stack.Internal,
			"the server reset the stream with INTERNAL_ERROR", "",
		},
		"another length": { // content-length: 9, then 5 bytes
			"\x00\x00\x05\x01\x04\x00\x00\x00\x01\x88\x0f\x0d\x019" + "\x00\x00\x05\x00\x01\x00\x00\x00\x01hello", stack.Internal,
			"the response has a content-length of 9 and 5 bytes", "",
		},
		"no status":     {"\x00\x00\x00\x01\x05\x00\x00\x00\x01", stack.Internal, "HEADERS without a :status", ""},
		"no headers":    {"\x00\x00\x05\x00\x01\x00\x00\x00\x01hello", stack.Internal, "DATA before HEADERS", ""},
		"only a status": {"\x00\x00\x01\x01\x05\x00\x00\x00\x01\x88", stack.OK, "", ""},
		"HEAD, with the length of what it has not, alone": {
			"\x00\x00\x05\x01\x05\x00\x00\x00\x01\x88\x0f\x0d\x019", stack.OK, "", "HEAD",
		},
		"only a status, and a length": {
			"\x00\x00\x05\x01\x05\x00\x00\x00\x01\x88\x0f\x0d\x019", stack.Internal,
			"the response has a content-length of 9 and 0 bytes", "",
		},
		"only a failure": {"\x00\x00\x01\x01\x05\x00\x00\x00\x01\x8d", stack.StatusCode(404), "404 Not Found", ""},
		"trailers":       {headers + "\x00\x00\x05\x01\x05\x00\x00\x00\x01\x00\x01a\x01b", stack.OK, "", ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			one := dialAndMake(t, sockettest.Serve(t, func(conn net.Conn) {
				from := bufio.NewReader(conn)
				if _, err := from.Discard(len(preface)); err != nil {
					return
				}
				io.WriteString(conn, settings)
				for { // up to the request's HEADERS
					head := make([]byte, 9)
					if _, err := io.ReadFull(from, head); err != nil {
						return
					}
					from.Discard(int(head[0])<<16 | int(head[1])<<8 | int(head[2]))
					if head[3] == 1 {
						break
					}
				}
				io.WriteString(conn, c.says)
				conn.(*net.TCPConn).CloseWrite()
				io.Copy(io.Discard, from)
			}), &stack.Resource{Verb: cmp.Or(c.verb, "GET"), Requests: page{"/", ""}}, stack.OptionHTTPVersion+"=2")
			err := one.Call(t.Context())
			if stack.CodeOf(err) != c.want || err != nil && !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v, want %v: %s", err, c.want, c.why)
			}
		})
	}
}
