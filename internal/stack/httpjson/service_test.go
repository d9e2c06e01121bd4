package httpjson_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/httpjson"
)

const path = "/grpc.testing.BenchmarkService/UnaryCall"

func serve(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := httpjson.New().Serve(stack.ServeConfig{
		Listener: l, Reply: func(n int) []byte { return []byte(strings.Repeat("x", n)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		server.Stop(ctx)
	})
	return l.Addr().String()
}

// The bodies are protobuf's JSON of SimpleRequest and SimpleResponse.
func TestServerAnswersInProtobufsJSON(t *testing.T) {
	t.Parallel()
	url := "http://" + serve(t) + path
	for _, c := range []struct {
		request  string
		status   int
		response string // its beginning
	}{
		{`{"responseSize":3,"payload":{"type":"COMPRESSABLE","body":"YWJj"}}`, 200, `{"payload":{"body":"YWJj"}}`},
		{`{"responseSize":2,"payload":{"body":"YWJj"}}`, 200, `{"payload":{"body":"eHg="}}`},
		{`{}`, 200, `{"payload":{}}`},
		{`{"responseSize":-1}`, 400, "responseSize is -1"},
		{`{"responseSize":67108865}`, 400, "responseSize is 67108865"},
		{`{"responseSize":`, 400, "the body is not a JSON request"},
	} {
		response, err := http.Post(url, "application/json", strings.NewReader(c.request))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != c.status || !strings.HasPrefix(string(text), c.response) {
			t.Errorf("%s is answered by %d %s, want %d %s", c.request, response.StatusCode, text, c.status, c.response)
		}
	}
}

func TestAStatusOtherThan200IsItsCode(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]stack.Code{
		403: stack.PermissionDenied, 404: stack.Unimplemented, 503: stack.Unavailable, 500: stack.Unknown,
	} {
		err := callServer(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "because", status) })
		if stack.CodeOf(err) != want || !strings.Contains(err.Error(), "because") {
			t.Errorf("%d: %v, want %v with its reason", status, err, want)
		}
	}
}

func TestAReplyThatIsNoJSONIsInternal(t *testing.T) {
	t.Parallel()
	err := callServer(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") })
	if stack.CodeOf(err) != stack.Internal {
		t.Errorf("got %v, want INTERNAL", err)
	}
	err = callServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, "this is no gzip at all")
	})
	if stack.CodeOf(err) != stack.Internal {
		t.Errorf("got %v, want INTERNAL", err)
	}
}

// The bodies are protobuf's JSON of Batch.
func TestServerAnswersBatchesInProtobufsJSON(t *testing.T) {
	t.Parallel()
	url := "http://" + serve(t) + "/rpcbench.batch.v1.BatchService/Unary"
	for _, c := range []struct {
		request  string
		status   int
		response string // its beginning
	}{
		{
			`{"operations":[{"id":"18446744073709551615","payload":"YWJj"},{"payload":"YWI="}],"responseBytes":3}`, 200,
			`{"operations":[{"id":"18446744073709551615","payload":"YWJj"},{"payload":"eHh4"}]}`,
		},
		{`{}`, 200, `{}`},
		{`{"operations":[{},{}],"responseBytes":67108864}`, 400, "the answers to 2 operations have 134217744 bytes"},
		{`{"operations":{}}`, 400, "the body is not a JSON request"},
	} {
		response, err := http.Post(url, "application/json", strings.NewReader(c.request))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != c.status || !strings.HasPrefix(string(text), c.response) {
			t.Errorf("%s is answered by %d %s, want %d %s", c.request, response.StatusCode, text, c.status, c.response)
		}
	}
}

// callServer makes one call to a server of the test's own.
func callServer(t *testing.T, handler http.HandlerFunc) error {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	conn, err := httpjson.New().Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: server.Listener.Addr().String(), Compression: stack.CompressionNone,
		InFlight: 1, Dial: new(net.Dialer).DialContext,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	caller, err := conn.Caller(stack.Call{Kind: stack.KindUnary}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return caller.Call(t.Context())
}

// A redirect is an answer: a call that followed it would be two, of another method.
func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	err := callServer(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) > 1 {
			_, _ = io.WriteString(w, "{}")
			return
		}
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	})
	if stack.CodeOf(err) != stack.Unknown || !strings.Contains(err.Error(), "HTTP status 302 Found") || calls.Load() != 1 {
		t.Errorf("%v after %d requests", err, calls.Load())
	}
}
