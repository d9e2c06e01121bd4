package httpwire

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/allocated"
)

func TestEveryFormOfAResponseIsRead(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		says   string
		status int
		body   string
		goesOn bool
	}{
		"length":          {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", 200, "body", true},
		"length twice":    {"HTTP/1.1 200 OK\r\ncontent-length: 4\r\nContent-Length:4\r\n\r\nbody", 200, "body", true},
		"bare line feeds": {"HTTP/1.1 200\ncontent-length: 4\n\nbody", 200, "body", true},
		"empty":           {"HTTP/1.1 500 Oh No\r\nContent-Length: 0\r\n\r\n", 500, "", true},
		"no content":      {"HTTP/1.1 204 No Content\r\n\r\n", 204, "", true},
		"long lines": {
			"HTTP/1.1 200 " + strings.Repeat("o", 70_000) + "\r\na: " + strings.Repeat("b", 70_000) +
				"\r\nContent-Length: 4\r\n\r\nbody", 200, "body", true,
		},
		"interim":       {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", 200, "x", true},
		"closes":        {"HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 4\r\n\r\nbody", 200, "body", false},
		"closes by age": {"HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody", 200, "body", false},
		"kept by age":   {"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 4\r\n\r\nbody", 200, "body", true},
		"kept and closed": {
			"HTTP/1.0 200 OK\r\nConnection: close\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nbody", 200, "body", false,
		},
		"kept after an interim response": {
			"HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\nHTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx",
			200, "x", true,
		},
		"kept, but up to the end": {"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nbody", 200, "body", false},
		"chunks before their time": {
			"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", 200, "x", false,
		},
		"up to the end": {"HTTP/1.1 200 OK\r\n\r\nbody", 200, "body", false},
		"chunks": {
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nbod\r\n1\r\ny\r\n0\r\nt: x\r\n\r\n", 200, "body", true,
		},
		"chunks, no bytes": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n", 200, "", true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			r := response{reading: reading{most: 1000}}
			err := r.read(bufio.NewReader(iotest.OneByteReader(strings.NewReader(c.says))))
			if err != nil || r.status != c.status || string(r.body) != c.body || r.goesOn != c.goesOn {
				t.Errorf("%d %q, goes on %t, %v; want %d %q, %t", r.status, r.body, r.goesOn, err, c.status, c.body, c.goesOn)
			}
		})
	}
}

func TestABrokenResponseSaysHow(t *testing.T) {
	t.Parallel()
	const ok = "HTTP/1.1 200 OK\r\n"
	const chunked = ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n"
	line := "a: " + strings.Repeat("b", 1<<16) + "\r\n"
	for says, want := range map[string]string{
		"ICY 200 OK\r\n\r\n":                                           `the first line "ICY 200 OK"`,
		"HTTP/1.1 2000 OK\r\n\r\n":                                     "the first line",
		"HTTP/2\r\n\r\n":                                               "the first line",
		ok + "no colon\r\n\r\n":                                        `the line "no colon" in a header`,
		ok + " folded: x\r\n\r\n":                                      "in a header",
		ok + "Content-Length: -1\r\n\r\n":                              `a content-length of "-1"`,
		ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n":          `a content-length of "2"`,
		ok + "Transfer-Encoding: gzip\r\n\r\n":                         `the transfer-encoding "gzip"`,
		ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n":               `a chunk of size "xyz"`,
		ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n":          "a chunk that is longer than its size",
		ok + "Transfer-Encoding: chunked\r\nContent-Length: 1":         "", // and no more
		ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n": "both a content-length and chunks",
		ok + strings.Repeat("a: b\r\n", linesMax+1):                    "a header of more than 1000 lines",
		ok + "a: " + strings.Repeat("b", headBytesMax) + "\r\n\r\n":    "a line of more than 1048576 bytes",
		ok + strings.Repeat(line, 16) + "\r\n":                         "a header of more than 1048576 bytes",
		chunked + strings.Repeat(line, 16) + "\r\n":                    "trailers of more than 1048576 bytes",
		chunked + strings.Repeat("a: b\r\n", linesMax+1):               "trailers of more than 1000 lines",
		ok + "Content-Length: 99999999999\r\n\r\n":                     "a body of more than",
	} {
		r := response{reading: reading{most: 1000}}
		err := r.read(bufio.NewReaderSize(strings.NewReader(says), 16<<10))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", says, err, want)
		}
		if want == "" && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%.60q: %v, want an end", says, err)
		}
	}
}

// Of thousands of slots each would keep a mebibyte.
func TestALongLineIsNotKept(t *testing.T) {
	t.Parallel()
	says := "HTTP/1.1 200 OK\r\na: " + strings.Repeat("b", headBytesMax/2) + "\r\nContent-Length: 0\r\n\r\n"
	var r response
	if err := r.read(bufio.NewReader(strings.NewReader(says))); err != nil || cap(r.long) > longKept {
		t.Errorf("%v, and %d bytes are kept", err, cap(r.long))
	}
}

func TestWhatIsCutOffIsNoResponse(t *testing.T) {
	t.Parallel()
	for _, whole := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
	} {
		for n := range len(whole) {
			r := response{reading: reading{most: 1000}}
			err := r.read(bufio.NewReader(strings.NewReader(whole[:n])))
			if want := stack.Unavailable; stack.NetCode(err) != want || err == nil {
				t.Errorf("%q: %v, want %v", whole[:n], err, want)
			}
		}
	}
}

// FuzzResponse has a server answer anything. It is read or refused, and never more than it is.
func FuzzResponse(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
	f.Add("HTTP/1.1 200 OK\r\nContent-Length: 60000000\r\n\r\nbody")
	f.Add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3fffffff\r\nbody")
	f.Add("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\n\r\nbody")
	f.Add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nbod\r\n1\r\ny\r\n0\r\nt: x\r\n\r\n")
	f.Fuzz(func(t *testing.T, says string) {
		r := response{reading: reading{most: 1000}}
		var err error
		allocated.AtMost(t, 1<<20+20*uint64(len(says)), func() { err = r.read(bufio.NewReader(strings.NewReader(says))) })
		if err == nil && (len(r.body) > len(says) || r.status < 200) {
			t.Errorf("%q was read as %d with %d bytes", says, r.status, len(r.body))
		}
	})
}

// feedAll feeds a response in pieces of a length, and returns how it ended.
func feedAll(r *response, says string, piece int) error {
	r.start()
	for len(says) > 0 {
		n := min(piece, len(says))
		used, whole, err := r.feed([]byte(says[:n]))
		if whole || err != nil {
			return err
		}
		if used != n {
			return errors.New("a part of an incomplete response was not taken")
		}
		says = says[n:]
	}
	return r.cutOff(io.EOF)
}

// A header that is the same as the last one means the same; any other one is parsed.
func TestAKnownHeaderSaysTheSame(t *testing.T) {
	t.Parallel()
	r := response{reading: reading{most: 1000}}
	for i, c := range []struct {
		says   string
		status int
		body   string
		goesOn bool
		coding string
	}{
		{"HTTP/1.1 200 OK\r\ncontent-encoding: x\r\nContent-Length: 4\r\n\r\nbody", 200, "body", true, "x"},
		{"HTTP/1.1 200 OK\r\ncontent-encoding: x\r\nContent-Length: 4\r\n\r\nBODY", 200, "BODY", true, "x"},
		{"HTTP/1.1 200 OK\r\ncontent-encoding: y\r\nContent-Length: 4\r\n\r\nbody", 200, "body", true, "y"},
		{"HTTP/1.1 404 No\r\nContent-Length: 4\r\n\r\nbody", 404, "body", true, ""},
		{"HTTP/1.1 200 OK\r\n\r\nto the end", 200, "to the end", false, ""},
		{"HTTP/1.1 200 OK\r\n\r\nand again", 200, "and again", false, ""},
		{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", 200, "x", true, ""},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", 200, "x", true, ""},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nyz\r\n0\r\n\r\n", 200, "yz", true, ""},
	} {
		for _, piece := range []int{len(c.says), 1, len(c.says)} {
			err := feedAll(&r, c.says, piece)
			if err != nil || r.status != c.status || string(r.body) != c.body || r.goesOn != c.goesOn || string(r.encoding) != c.coding {
				t.Errorf("%d in pieces of %d: %d %q %q, goes on %t, %v", i, piece, r.status, r.encoding, r.body, r.goesOn, err)
			}
		}
		r.goesOn = false // as after a failed write
	}
}

// FuzzPieces has responses arrive in pieces of any length: they mean the same as in one piece.
func FuzzPieces(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nBODY", 3)
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbod\r\n0\r\n\r\n"
	f.Add("HTTP/1.1 100 C\r\n\r\n"+chunked, "HTTP/1.1 204 No\r\n\r\n", 1)
	f.Fuzz(func(t *testing.T, first, second string, piece int) {
		once, apart := response{reading: reading{most: 1000}}, response{reading: reading{most: 1000}}
		for _, says := range []string{first, second, first} {
			a, b := feedAll(&once, says, max(1, len(says))), feedAll(&apart, says, max(1, piece))
			if (a == nil) != (b == nil) || a != nil && a.Error() != b.Error() {
				t.Fatalf("%q: %v as a whole, and %v in pieces of %d", says, a, b, piece)
			}
			if a == nil && (once.status != apart.status || string(once.body) != string(apart.body) || once.goesOn != apart.goesOn) {
				t.Fatalf("%q: %d %q as a whole, %d %q in pieces", says, once.status, once.body, apart.status, apart.body)
			}
		}
	})
}
