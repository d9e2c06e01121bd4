package worker

import (
	"crypto/tls"
	"crypto/x509"
	"net/url"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/permission"
)

func stateOf(uris ...*url.URL) tls.ConnectionState {
	return tls.ConnectionState{PeerCertificates: []*x509.Certificate{{URIs: uris}}}
}

func TestTheGuardSaysWhy(t *testing.T) {
	t.Parallel()
	ask := guard(permission.List{In: []string{"..."}, NotIn: []string{"root:bob"}})
	alice := &url.URL{Scheme: "rpcbench", Opaque: "root:alice"}
	bob := &url.URL{Scheme: "rpcbench", Opaque: "root:bob"}
	for _, c := range []struct {
		state tls.ConnectionState
		want  string // "" is none
	}{
		{stateOf(alice), ""},
		{stateOf(bob), "PERMISSION_DENIED: root:bob may not call this server"},
		{stateOf(), "PERMISSION_DENIED: the client's certificate has no rpcbench name"},
		{stateOf(alice, alice), "PERMISSION_DENIED: the client's certificate has no rpcbench name"},
		{tls.ConnectionState{}, "PERMISSION_DENIED: the client has no certificate"},
	} {
		got := ""
		if err := ask(c.state); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestTheGuardAllocatesNothing(t *testing.T) {
	ask, state := guardAndState()
	if got := testing.AllocsPerRun(100, func() {
		if err := ask(state); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

func guardAndState() (func(tls.ConnectionState) error, tls.ConnectionState) {
	list := permission.List{In: []string{"root:bob", "root:alice"}, NotIn: []string{"root:alice:guest"}}
	return guard(list), stateOf(&url.URL{Scheme: "rpcbench", Opaque: "root:alice:phone"})
}

var sink error

func BenchmarkGuard(b *testing.B) {
	ask, state := guardAndState()
	b.ReportAllocs()
	for b.Loop() {
		sink = ask(state)
	}
	if stack.CodeOf(sink) != stack.OK {
		b.Fatal(sink)
	}
}
