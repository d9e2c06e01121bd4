package cli_test

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"rpcbench/internal/test/sockettest"
)

// fails is a server of URLs whose calls fail in every way.
func fails(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	hung := make(chan struct{})
	mux.HandleFunc("/never", func(http.ResponseWriter, *http.Request) { <-hung })
	mux.HandleFunc("/close", func(w http.ResponseWriter, _ *http.Request) { hijacked(w).Close() })
	mux.HandleFunc("/short", func(w http.ResponseWriter, _ *http.Request) {
		conn := hijacked(w)
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
		conn.Close()
	})
	mux.HandleFunc("/wrong", func(w http.ResponseWriter, _ *http.Request) {
		conn := hijacked(w)
		fmt.Fprint(conn, "SSH-2.0-OpenSSH\r\n")
		conn.Close()
	})
	mux.Handle("/redirect", http.RedirectHandler("/elsewhere", http.StatusFound))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(hung) })
	return server
}

func hijacked(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	return conn
}

// A call that fails is printed as one that does not, with the code that load would count.
func TestOneCallOfAURLThatFailsIsPrintedToo(t *testing.T) {
	t.Parallel()
	server := fails(t)
	for _, c := range []struct{ path, head, said string }{
		{"/never", "DEADLINE_EXCEEDED: the deadline passed", "DEADLINE_EXCEEDED"},
		{"/close", "UNAVAILABLE: the server ended the connection and did not answer", "UNAVAILABLE"},
		{"/short", "UNAVAILABLE: the server ended the connection within the response, whose status was 200 OK", "UNAVAILABLE"},
		{"/wrong", `INTERNAL: net/http: HTTP/1.x transport connection broken: malformed HTTP response "SSH-2.0-OpenSSH"`, "INTERNAL"},
		{"/redirect", "302 Found", "302 Found"},
	} {
		deadline := "1m"
		if c.path == "/never" {
			deadline = "300ms"
		}
		got, said := called(t, 1, server.URL+c.path, "--deadline", deadline)
		first, rest, _ := strings.Cut(got, "\n")
		if want := "GET " + c.path + " at " + server.URL + ": " + c.head; first != want {
			t.Errorf("%s begins with\n%s, not\n%s", c.path, first, want)
		}
		if !strings.Contains(rest, "\nRequest\n") || !strings.Contains(rest, "\n  total ") {
			t.Errorf("%s lacks request or time:\n%s", c.path, rest)
		}
		if said != "rpcbench: the call failed: "+c.said+"\n" {
			t.Errorf("%s says %s", c.path, said)
		}
	}
}

// A server that shakes hands once, when it is probed, and never again.
func TestOneCallSaysThatTheHandshakeDidNotEnd(t *testing.T) {
	t.Parallel()
	keys := httptest.NewUnstartedServer(nil)
	keys.EnableHTTP2 = true
	keys.StartTLS()
	keys.Close()
	source := filepath.Join(t.TempDir(), "shop.proto")
	const text = `syntax = "proto3"; package shop.v1; message Item {} service Shop { rpc Get(Item) returns (Item); }`
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const late = ": DEADLINE_EXCEEDED: the deadline passed within the TLS handshake"
	for _, target := range []string{"", "https://"} {
		var connections atomic.Int64
		address := sockettest.Serve(t, func(conn net.Conn) {
			if connections.Add(1) == 1 {
				secure := tls.Server(conn, keys.TLS)
				_, _ = secure.Write([]byte("\x00\x00\x00\x04\x00\x00\x00\x00\x00")) // settings
			}
			_, _ = io.Copy(io.Discard, conn)
		})
		args := []string{target + address, "--deadline", "300ms", "--insecure-skip-verify"}
		if target == "" {
			args = append(args, "--security", "tls", "--call", "shop.v1.Shop/Get", "--proto", source)
		}
		got, _ := called(t, 1, args...)
		if first, _, _ := strings.Cut(got, "\n"); !strings.HasSuffix(first, late) {
			t.Errorf("%v: %s", args, got)
		}
	}
}

// A deadline is one of the call alone, in the same words for gRPC.
func TestOneCallOfAMethodThatIsTooLate(t *testing.T) {
	t.Parallel()
	shop := openShop(t)
	t.Cleanup(func() { close(shop.last) })
	got, _ := called(t, 1, shop.address, "--call", "shop.v1.Shop/Get", "--data", `{"name": "last"}`, "--deadline", "300ms")
	if !strings.HasPrefix(got, "shop.v1.Shop/Get at "+shop.address+": DEADLINE_EXCEEDED: the deadline passed\n") {
		t.Errorf("it begins with\n%s", got)
	}
}

// A body that is no text is not printed as such: one in gzip is unpacked, any other is only counted, and JSON has its bytes.
func TestABodyThatIsNoText(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	fmt.Fprint(zip, strings.Repeat("grüezi ", 100))
	zip.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = nil
		switch r.URL.Path {
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		case "/lie":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write([]byte("plain"))
		default:
			_, _ = w.Write([]byte{0, 1, 2, 0xff})
		}
	}))
	t.Cleanup(server.Close)
	for path, want := range map[string]string{
		"/gzip":   fmt.Sprintf("  message   %d B, 800 B unpacked\n    grüezi ", packed.Len()),
		"/lie":    "  message   5 B\n    plain\n",
		"/binary": "  message   4 B  not text\n\nTime",
	} {
		got, _ := called(t, 0, server.URL+path, "--compression", "gzip")
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks\n%s:\n%s", path, want, got)
		}
	}
	got, _ := called(t, 0, server.URL+"/binary", "--format", "json")
	var made struct {
		Reply struct {
			Messages []struct {
				Bytes  int
				Base64 []byte
				Text   *string
			}
		}
	}
	if err := json.Unmarshal([]byte(got), &made); err != nil {
		t.Fatal(err)
	}
	if m := made.Reply.Messages[0]; m.Bytes != 4 || !bytes.Equal(m.Base64, []byte{0, 1, 2, 0xff}) || m.Text != nil {
		t.Errorf("JSON has %+v", m)
	}
}
