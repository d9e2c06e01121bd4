package httpjson

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"rpcbench/internal/stack"
)

// A late transport answers a call before it has read its body, which it reads during the next.
type late struct {
	unread io.Reader
	bodies []string
}

func (l *late) RoundTrip(request *http.Request) (*http.Response, error) {
	if l.unread != nil {
		body, err := io.ReadAll(l.unread)
		if err != nil {
			return nil, err
		}
		l.bodies = append(l.bodies, string(body))
	}
	l.unread = request.Body
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

// numbered are bodies that say the number of their call.
type numbered struct{}

func (numbered) Constant() (path, body []byte, ok bool)    { return nil, nil, false }
func (numbered) AppendPath(dst []byte, _ uint64) []byte    { return append(dst, '/') }
func (numbered) AppendBody(dst []byte, call uint64) []byte { return fmt.Appendf(dst, "body %d", call) }

func TestABodyIsItsCallsOwnAfterTheCallToo(t *testing.T) {
	t.Parallel()
	call := stack.Call{Kind: stack.KindUnary, Resource: &stack.Resource{Verb: http.MethodPost, Requests: numbered{}}}
	transport := &late{}
	f := &foreign{transport: transport, base: &url.URL{}, resource: call.Resource, replies: stack.NewReplies(call, 0)}
	for range 3 {
		if err := f.Call(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"body 0", "body 1"}; !slices.Equal(transport.bodies, want) {
		t.Errorf("the bodies were %q, want %q", transport.bodies, want)
	}
}
