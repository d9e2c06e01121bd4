package stacktest

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rpcbench/internal/stack"
)

// Resources tests how s calls resources of others, in every version of HTTP that it has as its option http_version.
func Resources(t *testing.T, s stack.Stack, versions ...string) {
	for _, version := range versions {
		t.Run("HTTP "+version, func(t *testing.T) {
			t.Run("EveryCallSendsItsRequest", func(t *testing.T) { everyRequest(t, s, version) })
			t.Run("EveryResponseIsReadWhole", func(t *testing.T) { everyResponse(t, s, version) })
			t.Run("OtherStatusesAreExpected", func(t *testing.T) { expectedStatuses(t, s, version) })
			t.Run("AServerThatClosesIsCalledAnew", func(t *testing.T) { closingResource(t, s, version) })
			t.Run("SocketsAreAsMany", func(t *testing.T) { resourceSockets(t, s, version) })
			t.Run("GzipIsAskedForAndLeftAsItComes", func(t *testing.T) { resourceGzip(t, s, version) })
			t.Run("ALostServerIsUnavailableAndComesBack", func(t *testing.T) { lostResource(t, s, version) })
		})
	}
	t.Run("WithoutKeepAliveEachCallHasASocket", func(t *testing.T) { noKeepAlive(t, s) })
}

// A webStack is a stack whose server is net/http's.
type webStack struct {
	stack.Stack
	handler http.Handler
	version string
}

// Serve is stack.Stack's.
func (w webStack) Serve(config stack.ServeConfig) (stack.Server, error) {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(w.version != "2")
	protocols.SetHTTP2(w.version == "2")
	protocols.SetUnencryptedHTTP2(w.version == "2")
	return stack.ServeHTTP(config, &http.Server{Handler: w.handler, Protocols: protocols}), nil
}

// web is a rig of a handler.
func web(t *testing.T, s stack.Stack, version, network, security string, handler http.HandlerFunc) *rig {
	t.Helper()
	return newRig(t, webStack{s, handler, version}, network, security, reply)
}

// resourceCallers opens a connection, and makes the Callers of a resource on it.
func resourceCallers(
	t *testing.T, r *rig, version, compression string, resource *stack.Resource, slots int, options ...string,
) []stack.Caller {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	config := r.dialConfig(compression, slots)
	config.Authority = "shop.example"
	config.Options = map[string]string{stack.OptionHTTPVersion: version}
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		config.Options[name] = value
	}
	conn, err := r.stack.Dial(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return callers(t, conn, stack.Call{Kind: stack.KindUnary, Resource: resource}, slots)
}

// soon is a context for all calls of a test, which must end in time.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}

// numbered are targets that say the number of their call; of an even one the body is empty.
type numbered struct{}

func (numbered) Constant() (path, body []byte, ok bool) { return nil, nil, false }

func (numbered) AppendPath(dst []byte, call uint64) []byte {
	return fmt.Appendf(dst, "/items/%%20/%d?a=b%%26c&n=%d", call, call)
}

func (numbered) AppendBody(dst []byte, call uint64) []byte {
	if call%2 == 0 {
		return dst
	}
	return fmt.Appendf(dst, "body %d", call)
}

// fixed is a target that is the same in every call.
type fixed struct{ path, body string }

func (f fixed) Constant() (path, body []byte, ok bool) { return []byte(f.path), []byte(f.body), true }

func (f fixed) AppendPath(dst []byte, _ uint64) []byte { return append(dst, f.path...) }

func (f fixed) AppendBody(dst []byte, _ uint64) []byte { return append(dst, f.body...) }

// A numberedValue is one that says the number of its call, behind a text; constant, it is the text.
type numberedValue struct {
	text     string
	constant bool
}

func (v numberedValue) Constant() ([]byte, bool) { return []byte(v.text), v.constant }

func (v numberedValue) Append(dst []byte, call uint64) ([]byte, error) {
	dst = append(dst, v.text...)
	if !v.constant {
		dst = strconv.AppendUint(dst, call, 10)
	}
	return dst, nil
}

func (v numberedValue) AppendWire(dst []byte, call uint64) ([]byte, error) {
	return v.Append(dst, call)
}

// everyRequest checks the requests that a server receives.
func everyRequest(t *testing.T, s stack.Stack, version string) {
	t.Parallel()
	for _, network := range s.Info().Networks {
		if network == stack.NetworkWSH {
			continue // a GET over a bare socket is taken for a WebSocket's
		}
		for _, security := range s.Info().Securities {
			t.Run(network+"/"+security, func(t *testing.T) {
				t.Parallel()
				for what, c := range map[string]struct {
					resource *stack.Resource
					want     []string // of calls 0, 1, …
				}{
					"constant": {
						&stack.Resource{Verb: "GET", Requests: fixed{"/a?b=c", ""}},
						[]string{"GET shop.example /a?b=c rpcbench  []", "GET shop.example /a?b=c rpcbench  []"},
					},
					"constant, with a body": {
						&stack.Resource{
							Verb: "PUT", Requests: fixed{"//a/../b?", "some body"},
							Headers: []stack.Metadatum{
								{Name: "user-agent", Value: numberedValue{"own", true}}, {Name: "x-a", Value: numberedValue{"v", true}},
							},
						},
						[]string{"PUT shop.example //a/../b? own v [9 some body]", "PUT shop.example //a/../b? own v [9 some body]"},
					},
					"empty POST": {
						&stack.Resource{Verb: "POST", Requests: fixed{"/", ""}}, []string{"POST shop.example / rpcbench  [0 ]"},
					},
					"numbered": {
						&stack.Resource{
							Verb: "PATCH", Requests: numbered{}, Headers: []stack.Metadatum{{Name: "x-a", Value: numberedValue{"v", false}}},
						},
						[]string{
							"PATCH shop.example /items/%20/0?a=b%26c&n=0 rpcbench v0 [0 ]",
							"PATCH shop.example /items/%20/1?a=b%26c&n=1 rpcbench v1 [6 body 1]",
							"PATCH shop.example /items/%20/2?a=b%26c&n=2 rpcbench v2 [0 ]",
						},
					},
				} {
					came := make(chan string, 2*len(c.want)) // for more than are due, too
					r := web(t, s, version, network, security, func(_ http.ResponseWriter, q *http.Request) {
						body, _ := io.ReadAll(q.Body)
						length := ""
						if q.ContentLength >= 0 && stack.HasBody(q.Method) {
							length = strconv.FormatInt(q.ContentLength, 10) + " "
						}
						came <- fmt.Sprintf("%s %s %s %s %s [%s%s]",
							q.Method, q.Host, q.RequestURI, q.Header.Get("User-Agent"), q.Header.Get("X-A"), length, body)
						if want := "HTTP/" + version; !strings.HasPrefix(q.Proto, want) {
							t.Errorf("%s: it came by %s, want %s", what, q.Proto, want)
						}
					})
					ctx := soon(t)
					one := resourceCallers(t, r, version, stack.CompressionNone, c.resource, 1)
					var got []string
					for range c.want {
						wantAll(t, what, callAll(ctx, one), stack.OK)
						select {
						case request := <-came:
							got = append(got, request)
						case <-ctx.Done():
						}
					}
					if !slices.Equal(got, c.want) || len(came) > 0 {
						t.Errorf("%s: got %q and %d more, want %q", what, got, len(came), c.want)
					}
				}
			})
		}
	}
}

// everyResponse counts the contents of responses of all kinds.
func everyResponse(t *testing.T, s stack.Stack, version string) {
	t.Parallel()
	for path, c := range map[string]struct {
		verb  string
		serve func(w http.ResponseWriter, q *http.Request)
		want  stack.Code
		bytes int64
	}{
		"/short":   {"GET", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }, stack.OK, 5},
		"/empty":   {"GET", func(http.ResponseWriter, *http.Request) {}, stack.OK, 0},
		"/created": {"POST", status(201, "hello"), stack.OK, 5},
		"/204":     {"GET", status(204, ""), stack.OK, 0},
		"/304":     {"GET", status(304, ""), stack.StatusCode(304), 0},
		"/302": {"GET", func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, "/short", http.StatusFound)
		}, stack.StatusCode(302), 0},
		"/404":  {"GET", status(404, "there is nothing here"), stack.StatusCode(404), 0},
		"/503":  {"POST", status(503, strings.Repeat("no ", 100_000)), stack.StatusCode(503), 0},
		"/599":  {"GET", status(599, "?"), stack.StatusCode(599), 0},
		"/head": {"HEAD", status(200, "hello"), stack.OK, 0},
		"/early": {"GET", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			io.WriteString(w, "hello")
		}, stack.OK, 5},
		"/long": {"GET", func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 3_000_000)) }, stack.OK, 3_000_000},
		"/pieces": {"GET", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Trailer", "X-Sum")
			for range 3 {
				io.WriteString(w, "piece")
				w.(http.Flusher).Flush()
			}
			w.Header().Set("X-Sum", "1")
		}, stack.OK, 15},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			r := web(t, s, version, stack.NetworkTCP, stack.SecurityPlaintext, c.serve)
			resource := &stack.Resource{Verb: c.verb, Requests: fixed{path, ""}}
			all := resourceCallers(t, r, version, stack.CompressionNone, resource, 2)
			ctx := soon(t)
			for range 3 {
				wantAll(t, path, callAll(ctx, all), c.want)
			}
			good := int64(6)
			if c.want != stack.OK {
				good = 0
			}
			want := stack.Traffic{MessagesOut: good, MessagesIn: good, BytesIn: good * c.bytes}
			if got := resource.Traffic(); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// expectedStatuses has other statuses than usual be a success, and their bodies counted.
func expectedStatuses(t *testing.T, s stack.Stack, version string) {
	t.Parallel()
	for what, c := range map[string]struct {
		status   int
		expected string
		want     string
	}{
		"missing":                 {404, "404", ""},
		"missing, by its hundred": {404, "200,4xx", ""},
		"a redirect":              {302, "301-303", ""},
		"found, unexpectedly":     {200, "404", "HTTP_200: 200 OK, expected 404"},
		"gone":                    {410, "404,500-599", "HTTP_410: 410 Gone"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			expected, err := stack.ParseStatuses(c.expected)
			if err != nil {
				t.Fatal(err)
			}
			r := web(t, s, version, stack.NetworkTCP, stack.SecurityPlaintext, status(c.status, "hello"))
			resource := &stack.Resource{Verb: "GET", Requests: fixed{"/", ""}, Expected: expected}
			for _, err := range callAll(soon(t), resourceCallers(t, r, version, stack.CompressionNone, resource, 2)) {
				if got := fmt.Sprint(err); c.want != "" && got != c.want || c.want == "" && err != nil {
					t.Errorf("got %v, want %q", err, c.want)
				}
			}
			if got := resource.Traffic().BytesIn; c.want == "" && got != 2*int64(len("hello")) {
				t.Errorf("%d bytes came in", got)
			}
		})
	}
}

// closingResource has a server close its connection with each response. One slot calls: over HTTP/2 the calls of others
// might be among those that a server which goes away does not take.
func closingResource(t *testing.T, s stack.Stack, version string) {
	t.Parallel()
	r := web(t, s, version, stack.NetworkTCP, stack.SecurityPlaintext, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		io.WriteString(w, "hello")
	})
	resource := &stack.Resource{Verb: "GET", Requests: fixed{"/closes", ""}}
	one := resourceCallers(t, r, version, stack.CompressionNone, resource, 1)
	ctx := soon(t)
	for range 5 {
		wantAll(t, "closes", callAll(ctx, one), stack.OK)
	}
	if got, want := resource.Traffic(), (stack.Traffic{MessagesOut: 5, MessagesIn: 5, BytesIn: 25}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// status answers with a status and a body.
func status(code int, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// resourceSockets counts the sockets of many calls at once, with bodies that need several writes.
func resourceSockets(t *testing.T, s stack.Stack, version string) {
	t.Parallel()
	r := web(t, s, version, stack.NetworkTCP, stack.SecurityTLS, func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body) // or the server would end an HTTP/1.1 connection
		w.Write(body)
	})
	body := string(text())
	resource := &stack.Resource{Verb: "POST", Requests: fixed{"/", body}}
	all := resourceCallers(t, r, version, stack.CompressionNone, resource, inFlight)
	ctx := soon(t)
	for range 3 {
		wantAll(t, "an echo of "+strconv.Itoa(len(body))+" bytes", callAll(ctx, all), stack.OK)
	}
	most := int64(inFlight)
	if version == "2" {
		most = 1
	}
	if got := r.sockets.Load().most.Load(); got < 1 || got > most {
		t.Errorf("%d sockets were open at once, want 1 to %d", got, most)
	}
	if got, want := resource.Traffic().BytesIn, int64(3*inFlight*len(body)); got != want {
		t.Errorf("%d bytes came back, want %d", got, want)
	}
}

// resourceGzip makes a server compress its responses on request.
func resourceGzip(t *testing.T, s stack.Stack, version string) {
	t.Parallel()
	plain := text()[:20_000/shrink]
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(plain)
	w.Close()
	r := web(t, s, version, stack.NetworkTCP, stack.SecurityPlaintext, func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("Accept-Encoding") != "gzip" {
			w.Write(plain)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed.Bytes())
	})
	ctx := soon(t)
	for compression, want := range map[string]int{stack.CompressionNone: len(plain), stack.CompressionGzip: packed.Len()} {
		resource := &stack.Resource{Verb: "GET", Requests: fixed{"/", ""}}
		wantAll(t, compression, callAll(ctx, resourceCallers(t, r, version, compression, resource, 1)), stack.OK)
		if got := resource.Traffic().BytesIn; got != int64(want) {
			t.Errorf("%s: %d bytes, want %d", compression, got, want)
		}
	}
}

// lostResource cuts the connections.
func lostResource(t *testing.T, s stack.Stack, version string) {
	t.Parallel()
	r := web(t, s, version, stack.NetworkTCP, stack.SecurityPlaintext, func(http.ResponseWriter, *http.Request) {})
	all := resourceCallers(t, r, version, stack.CompressionNone, &stack.Resource{Verb: "POST", Requests: fixed{"/", "x"}}, 2)
	ctx := soon(t)
	wantAll(t, "before", callAll(ctx, all), stack.OK)
	r.cut()
	for range 2 {
		wantAll(t, "meanwhile", callAll(ctx, all), stack.Unavailable)
	}
	r.stop()
	r.serve()
	for range all { // a pool may hold as many sockets that were cut, and learn of each by a call
		_ = callAll(ctx, all)
	}
	wantAll(t, "afterwards", callAll(ctx, all), stack.OK)
}

// noKeepAlive counts sockets where each call is to have one.
func noKeepAlive(t *testing.T, s stack.Stack) {
	t.Parallel()
	var mu sync.Mutex
	kept := 0
	r := web(t, s, "1.1", stack.NetworkTCP, stack.SecurityPlaintext, func(_ http.ResponseWriter, q *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if !q.Close {
			kept++
		}
	})
	resource := &stack.Resource{Verb: "GET", Requests: fixed{"/", ""}}
	all := resourceCallers(t, r, "1.1", stack.CompressionNone, resource, 2, stack.OptionKeepAlive+"=false")
	ctx := soon(t)
	for range 3 {
		wantAll(t, "a call", callAll(ctx, all), stack.OK)
	}
	if got := r.dialled.Load(); got != 6 || kept != 0 {
		t.Errorf("%d sockets for 6 calls, %d of which were to go on", got, kept)
	}
}
