package cli_test

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/results/result"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/credential"
)

// openWeb serves HTTP until the test ends: with a certificate over TLS. Its address has no scheme.
func openWeb(t *testing.T, certificate *tls.Certificate, isHTTP2 bool, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of clients that leave in a handshake
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(!isHTTP2)
	server.Config.Protocols.SetHTTP2(isHTTP2)
	server.Config.Protocols.SetUnencryptedHTTP2(isHTTP2)
	if certificate != nil {
		server.TLS = &tls.Config{Certificates: []tls.Certificate{*certificate}}
		server.EnableHTTP2 = isHTTP2
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// speaks is a server of TLS that agrees to one protocol only.
func speaks(t *testing.T, certificate tls.Certificate, protocol string) string {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{certificate}, NextProtos: []string{protocol},
	})
	if err != nil {
		t.Fatal(err)
	}
	return sockettest.ServeOn(t, l, func(conn net.Conn) {
		_ = conn.(*tls.Conn).Handshake() // the client says what came of it
		conn.Close()
	})
}

func hello(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }

func TestAURLThatCannotBeCalledIsOneSentence(t *testing.T) {
	t.Parallel()
	keys, certificate := serverKeys(t)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	writeText(t, ca, string(keys.CAPEM))
	plain, locked := openWeb(t, nil, false, hello), openWeb(t, &certificate, false, hello)
	locked2 := openWeb(t, &certificate, true, hello)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"refuses":        {[]string{"http://" + sockettest.ClosedPort(t)}, "cannot reach the server at "},
		"refuses HTTP/2": {[]string{"http://" + sockettest.ClosedPort(t), "--http2"}, "cannot reach the server at "},
		"resets HTTP/2":  {[]string{"http://" + resetting(t), "--http2"}, "closes connections at once: connection reset by peer"},
		"resets TLS":     {[]string{"https://" + resetting(t)}, "failed: connection reset by peer"},
		"HTTP/1 only":    {[]string{"http://" + plain, "--http2"}, "speaks only HTTP/1; omit --http2"},
		"HTTP/1 only, TLS": {
			[]string{"https://" + locked, "--http2", "--insecure-skip-verify"}, "speaks only HTTP/1; omit --http2",
		},
		"another protocol, TLS": {
			[]string{"https://" + speaks(t, certificate, "other"), "--insecure-skip-verify"},
			"does not accept HTTP/1.1; if it needs HTTP/2, give --http2",
		},
		"TLS, HTTP/2": {
			[]string{"http://" + locked2, "--http2"}, "speaks TLS; give https://",
		},
		"TLS":        {[]string{"http://" + locked}, "speaks TLS; give https://"},
		"no TLS":     {[]string{"https://" + plain}, "first record does not look like a TLS handshake"},
		"unknown CA": {[]string{"https://" + locked}, "is signed by an unknown authority; give its certificate by --cacert"},
		"wrong name": {
			[]string{"https://" + locked, "--cacert", ca, "--server-name", "shop.example"},
			"not for shop.example; give one of these by --server-name",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if said := refusal(t, c.args...); !strings.Contains(said, c.want) {
				t.Errorf("%q does not say %q", said, c.want)
			}
		})
	}
}

func TestARequestIsAddressedAsItsHostHeaderOrItsURLSays(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "web")
	handler := func(w http.ResponseWriter, q *http.Request) {
		if q.Host != strings.TrimPrefix(q.URL.Path, "/") || q.Header.Get("Host") != "" {
			w.WriteHeader(http.StatusMisdirectedRequest)
		}
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{Handler: http.HandlerFunc(handler), Protocols: protocols}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	for _, stack := range []string{"http-wire", "http-json-go"} {
		for _, version := range []string{"1.1", "2"} {
			for _, args := range [][]string{
				{"http://shop.example/shop.example"},
				{"http://shop.example:81/shop.example:81"},
				{"http://localhost/shop.example", "-H", "host: shop.example"},
			} {
				trial, _ := loaded(t, 0, append(args, "--unix-socket", socket, "--stack", stack, "--calls", "3",
					"--option", "http_version="+version)...)
				if got, want := trafficOf(trial).ok, int64(3); got != want {
					t.Errorf("%s, HTTP/%s, %v: %d calls, want %d", stack, version, args, got, want)
				}
				want := ""
				if len(args) > 1 {
					want = "shop.example"
				}
				if got := trial.Spec.Method.Authority; got != want {
					t.Errorf("%v: the results say %q, want %q", args, got, want)
				}
			}
		}
	}
}

func TestHTTPSIsTLSByTheURL(t *testing.T) {
	t.Parallel()
	keys, certificate := serverKeys(t)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	writeText(t, ca, string(keys.CAPEM))
	for _, version := range []string{"1.1", "2"} {
		address := openWeb(t, &certificate, version == "2", hello)
		for _, args := range [][]string{
			{"--cacert", ca, "--server-name", credential.ServerName}, {"--insecure-skip-verify"},
		} {
			for _, stack := range []string{"http-wire", "http-json-go"} {
				trial, _ := loaded(t, 0, slices.Concat(args, []string{
					"https://" + address + "/a", "--stack", stack, "--calls", "6", "--connections", "2", "--in-flight", "3",
					"--option", "http_version=" + version,
				})...)
				want := traffic{6, 6, 6, 0, 30}
				if got := trafficOf(trial); got != want || trial.Spec.Security != "tls" || trial.Spec.Unverified != (len(args) == 1) {
					t.Errorf("%s, HTTP/%s, %v: %+v with %s, want %+v", stack, version, args, got, trial.Spec.Security, want)
				}
			}
		}
	}
}

// What a server does in the midst of a load is counted.
func TestAServerThatFailsCallsIsCounted(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{}, {"--http2"}} {
		address := openWeb(t, nil, len(flags) > 0, func(w http.ResponseWriter, q *http.Request) {
			switch q.URL.RawQuery {
			case "n=3":
				w.WriteHeader(http.StatusServiceUnavailable)
			case "n=5":
				panic(http.ErrAbortHandler)
			default:
				io.WriteString(w, "hello")
			}
		})
		trial, _ := loaded(t, 0, slices.Concat(flags, []string{"http://" + address + "/?n={{sequence}}", "--calls", "10"})...)
		codes := map[string]int64{}
		for _, o := range trial.Clients[0].Outcomes {
			codes[o.Code] = o.Calls
		}
		lost := "UNAVAILABLE" // HTTP/1.1 ends the connection
		if len(flags) > 0 {
			lost = "INTERNAL" // HTTP/2 the stream
		}
		if len(codes) != 3 || codes[result.CodeOK] != 8 || codes["HTTP_503"] != 1 || codes[lost] != 1 {
			t.Errorf("%v: %v", flags, codes)
		}
	}
}

// A connection that nobody reads from is no hang.
func TestASilentServerIsADeadline(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	trial, _ := loaded(t, 1, "http://"+l.Addr().String(), "--calls", "2", "--deadline", "50ms")
	if !strings.Contains(trial.Failure, "every call failed: the deadline passed") {
		t.Errorf("%s", trial.Failure)
	}
}
