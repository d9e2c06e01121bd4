package recipe_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/test/sockettest"
)

// speaker starts a server that sends a text to every client, and then either closes the connection or stays silent.
func speaker(t *testing.T, text string, ends bool) string {
	t.Helper()
	return sockettest.Serve(t, func(conn net.Conn) {
		_, _ = io.ReadFull(conn, make([]byte, 33)) // the first words
		_, _ = io.WriteString(conn, text)
		if ends {
			conn.Close()
		}
	})
}

func TestProbeSaysWhatAServerIsNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says string
		ends bool
		want string // "" is none
	}{
		{"\x00\x00\x00\x04\x00\x00\x00\x00\x00", false, ""},
		{"\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64", true, ""},
		{"HTTP/1.1 400 Bad Request\r\n", true, "speaks only HTTP/1"},
		{"", true, "if it needs TLS, give --security tls"},
		{"\x15\x03\x01\x00\x02\x02\x46", true, "speaks TLS; give --security tls"},
		{"220 ftp.example ready\r\n", false, `does not speak HTTP/2; its reply begins with "220 ftp.e"`},
		{"hi", true, `does not speak HTTP/2; its reply begins with "hi"`},
	} {
		_, err := recipe.Probe(t.Context(), recipe.GRPC, "tcp", speaker(t, c.says, c.ends), "shop:80", nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.says, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "the server at shop:80 ") {
			t.Errorf("%q: %q does not begin with who", c.says, err)
		}
	}
}

// What a server says before it is asked anything: settings, until it has answered ours.
func TestAServerSaysWhatItAccepts(t *testing.T) {
	t.Parallel()
	const settings, answered = "\x00\x00\x06\x04\x00\x00\x00\x00\x00", "\x00\x00\x00\x04\x01\x00\x00\x00\x00"
	for says, want := range map[string]recipe.Peer{
		"\x00\x00\x00\x04\x00\x00\x00\x00\x00":                                                   {}, // nothing: any number
		settings + "\x00\x03\x00\x00\x00\x64":                                                    {Streams: 100},
		"\x00\x00\x0c\x04\x00\x00\x00\x00\x00\x00\x04\x00\x01\x00\x00\x00\x03\x00\x00\x00\x05":   {Streams: 5},
		settings + "\x00\x03\xff\xff\xff\xff":                                                    {Streams: 1<<31 - 1},
		settings + "\x00\x03":                                                                    {}, // cut off
		"\xff\xff\xff\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64":                           {}, // of 16 MB
		"\x00\x00\x07\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64\x00":                       {}, // of no multiple of 6
		"\x00\x00\x06\x04\x00\x00\x00\x00\x01\x00\x03\x00\x00\x00\x64":                           {}, // on a stream
		settings + "\x00\x04\x00\x00\x00\x00":                                                    {NoWindow: true},
		settings + "\x00\x03\x00\x00\x00\x00" + answered + settings + "\x00\x03\x00\x00\x00\x07": {Streams: 7}, // after a while
	} {
		got, err := recipe.Probe(t.Context(), recipe.GRPC, "tcp", speaker(t, says, true), "shop:80", nil)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", says, got, err, want)
		}
	}
}

func TestAServerThatAcceptsNoCallIsRefused(t *testing.T) {
	t.Parallel()
	const settings, answered = "\x00\x00\x06\x04\x00\x00\x00\x00\x00", "\x00\x00\x00\x04\x01\x00\x00\x00\x00"
	const none = settings + "\x00\x03\x00\x00\x00\x00"
	const noCalls = "accepts no calls: it allows 0 at once on a connection (SETTINGS_MAX_CONCURRENT_STREAMS)"
	leaves := func(code byte, debug string) string {
		return string([]byte{0, 0, byte(8 + len(debug)), 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, code}) + debug
	}
	for says, want := range map[string]string{
		none:            noCalls,
		none + answered: noCalls,
		settings + "\x00\x03\x00\x00\x00\x01" + none + answered: noCalls,
		settings + "\x00\x03\x00\x00\x00\x01" + leaves(0, ""):   "ends connections at once: it sends GOAWAY NO_ERROR",
		none + answered + leaves(11, "too many\x1b[31m\npings"): "ends connections at once: it sends GOAWAY ENHANCE_YOUR_CALM " +
			`"too many [31m pings"`,
	} {
		_, err := recipe.Probe(t.Context(), recipe.GRPC, "tcp", speaker(t, says, true), "shop:80", nil)
		if err == nil || err.Error() != "the server at shop:80 "+want {
			t.Errorf("%q: %v, want %q", says, err, want)
		}
	}
}

func TestProbeDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	silent := sockettest.Serve(t, func(conn net.Conn) {
		io.ReadFull(conn, make([]byte, 33)) // the first words
		cancel()
	})
	_, err := recipe.Probe(ctx, recipe.GRPC, "tcp", silent, "shop:80", nil)
	if err == nil || !strings.Contains(err.Error(), "sent nothing") {
		t.Error(err)
	}
}

// A server of TLS ends the connection on which plaintext comes, with or without a word.
func TestAServerOfTLSIsFoundBehindItsRefusal(t *testing.T) {
	t.Parallel()
	keys := httptest.NewTLSServer(nil)
	keys.Close()
	for name, words := range map[string]string{"without a word": "", "with 400": "HTTP/1.0 400 Bad Request\r\n\r\nUse HTTPS.\n"} {
		address := sockettest.Serve(t, func(conn net.Conn) {
			if tls.Server(conn, keys.TLS).Handshake() != nil {
				_, _ = io.WriteString(conn, words)
			}
			conn.Close()
		})
		_, err := recipe.Probe(t.Context(), recipe.HTTP1, "tcp", address, "http://shop", nil)
		if err == nil || err.Error() != "the server at http://shop speaks TLS; give https://" {
			t.Errorf("%s: %v", name, err)
		}
		_, err = recipe.Probe(t.Context(), recipe.GRPC, "tcp", address, "shop:80", nil)
		if err == nil || err.Error() != "the server at shop:80 speaks TLS; give --security tls" {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := speaker(t, "HTTP/1.1 400 Bad Request\r\n\r\n", true)
	if _, err := recipe.Probe(t.Context(), recipe.HTTP1, "tcp", bad, "http://shop", nil); err != nil {
		t.Errorf("a server that does not know OPTIONS: %v", err)
	}
}

func TestAServerOfHTTP1IsOneThatSaysNothingElse(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"HTTP/1.1 200 OK\r\n\r\n": "", "HTTP/1.1 501 Not Implemented\r\n\r\n": "", "hi": "", "": "",
		"\x00\x00\x00\x04\x00\x00\x00\x00\x00": "speaks only HTTP/2; give --http2, or for gRPC host:port and --call",
		"\x15\x03\x01\x00\x02\x02\x46":         "speaks TLS; give https://",
	} {
		_, err := recipe.Probe(t.Context(), recipe.HTTP1, "tcp", speaker(t, says, true), "http://shop", nil)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != "the server at http://shop "+want) {
			t.Errorf("%q: %v, want %q", says, err, want)
		}
	}
}

// A server of HTTP/1 that says no version to HTTP/2's first words: one of Python's says "Bad request syntax" as HTML.
func TestAServerOfHTTP1IsFoundBehindAnAnswerWithoutAVersion(t *testing.T) {
	t.Parallel()
	address := sockettest.Serve(t, func(conn net.Conn) {
		first := make([]byte, 7)
		_, _ = io.ReadFull(conn, first)
		if string(first) == "OPTIONS" {
			_, _ = io.WriteString(conn, "HTTP/1.0 501 Unsupported method\r\n\r\n")
		} else {
			_, _ = io.WriteString(conn, "<!DOCTYPE HTML>")
		}
		conn.Close()
	})
	_, err := recipe.Probe(t.Context(), recipe.GRPC, "tcp", address, "shop:80", nil)
	const want = "the server at shop:80 speaks only HTTP/1, and gRPC needs HTTP/2; to load it over HTTP, give its URL"
	if err == nil || err.Error() != want {
		t.Error(err)
	}
}
