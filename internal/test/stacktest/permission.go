package stacktest

import (
	"crypto/tls"
	"crypto/x509"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/credential"
	"rpcbench/internal/worker/permission"
)

// names has clients of several names call servers that let some in.
func names(t *testing.T, s stack.Stack) {
	if !slices.Contains(s.Info().Securities, stack.SecurityMTLS) {
		t.Skip("it has no mtls")
	}
	everybody, alice := []string{"..."}, []string{"root:alice"}
	for _, c := range []struct {
		what, name string // "" is a certificate without a name
		list       permission.List
		want       stack.Code
	}{
		{"allowed", "root:alice", permission.List{In: alice}, stack.OK},
		{"extension of an allowed one", "root:alice:phone", permission.List{In: alice}, stack.OK},
		{"everybody", "root:bob", permission.List{In: everybody}, stack.OK},
		{"prefix of an allowed one", "root:al", permission.List{In: alice}, stack.PermissionDenied},
		{"parent of an allowed one", "root", permission.List{In: alice}, stack.PermissionDenied},
		{"begins as an allowed one", "root:alices", permission.List{In: alice}, stack.PermissionDenied},
		{"in and not in", "root:alice", permission.List{In: alice, NotIn: alice}, stack.PermissionDenied},
		{"everybody but", "root:alice", permission.List{In: everybody, NotIn: alice}, stack.PermissionDenied},
		{"nobody", "", permission.List{In: everybody}, stack.PermissionDenied},
		{"empty list", "root:alice", permission.List{}, stack.PermissionDenied},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			g := &guarded{list: c.list}
			r := g.rig(t, s, c.name)
			for name, call := range withBatches(calls(s, 10, 20, inFlight), 2) {
				g.wantAll(r, name, call, c.want)
			}
			if c.want == stack.PermissionDenied && g.served.Load() != 0 {
				t.Errorf("the server answered %d times", g.served.Load())
			}
		})
	}
	// The status must arrive although the client is still sending.
	t.Run("large", func(t *testing.T) {
		t.Parallel()
		g := &guarded{}
		r := g.rig(t, s, "root:alice")
		for name, call := range calls(s, largeBytes, 20, inFlight) {
			g.wantAll(r, name, call, stack.PermissionDenied)
		}
	})
}

// A guarded server counts.
type guarded struct {
	list          permission.List
	asked, served atomic.Int64
}

// rig serves s to a client of the given name.
func (g *guarded) rig(t testing.TB, s stack.Stack, name string) *rig {
	t.Helper()
	client, err := allKeys(t).own.issue(name, x509.ExtKeyUsageClientAuth, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, stack: s, network: stack.NetworkTCP, authorize: g.authorize}
	r.serverTLS, r.clientTLS = tlsConfigs(t, stack.SecurityMTLS)
	r.clientTLS.Certificates[0] = client
	r.reply = func(n int) []byte { g.served.Add(1); return reply(n) }
	r.start()
	return r
}

func (g *guarded) authorize(state tls.ConnectionState) error {
	g.asked.Add(1)
	if len(state.VerifiedChains) == 0 {
		return stack.Errorf(stack.PermissionDenied, "the certificate was not verified")
	}
	if name, ok := credential.NameOf(state.PeerCertificates[0]); !ok || !g.list.Allows(name) {
		return stack.Errorf(stack.PermissionDenied, "%q may not call", name)
	}
	return nil
}

// wantAll makes calls on a connection, which is opened however they end.
func (g *guarded) wantAll(r *rig, name string, call stack.Call, want stack.Code) {
	r.t.Helper()
	conn := r.dial(stack.CompressionNone, inFlight)
	defer conn.Close()
	slots, before := callers(r.t, conn, call, inFlight), g.asked.Load()
	for range 2 {
		wantAll(r.t, name, callAll(r.t.Context(), slots), want)
	}
	if least := streamsOf(call); g.asked.Load()-before < least {
		r.t.Errorf("%s: the server asked %d times who calls, %d at least were due", name, g.asked.Load()-before, least)
	}
}

// streamsOf returns the minimum number of streams of two calls on every slot.
func streamsOf(call stack.Call) int64 {
	if stack.SharesStreams(call.Kind) {
		return int64(call.Streams)
	}
	return 2 * inFlight
}

// changedMind lets a client in, and not, and in again, on one connection.
func changedMind(t *testing.T, s stack.Stack) {
	t.Parallel()
	if !slices.Contains(s.Info().Securities, stack.SecurityMTLS) {
		t.Skip("it has no mtls")
	}
	var closed atomic.Bool
	r := newMindful(t, s, &closed)
	for name, call := range calls(s, 10, 20, inFlight) {
		if stack.SharesStreams(call.Kind) {
			continue // its stream is one call, and was let in as it began
		}
		before := r.dialled.Load()
		slots := callers(t, r.dial(stack.CompressionNone, inFlight), call, inFlight)
		for _, want := range []stack.Code{stack.OK, stack.PermissionDenied, stack.PermissionDenied, stack.OK} {
			closed.Store(want != stack.OK)
			wantAll(t, name, callAll(t.Context(), slots), want)
		}
		got, most := r.dialled.Load()-before, maxSockets(s, call, inFlight)
		breaksOff := call.Kind == stack.KindStream || call.Kind == stack.KindBothWays
		if !breaksOff && got > most { // a stream that breaks off may take its socket along
			t.Errorf("%s: %d sockets were opened, want %d at most: the connection is let in", name, got, most)
		}
	}
}

func newMindful(t testing.TB, s stack.Stack, closed *atomic.Bool) *rig {
	t.Helper()
	r := &rig{t: t, stack: s, network: stack.NetworkTCP, reply: reply}
	r.serverTLS, r.clientTLS = tlsConfigs(t, stack.SecurityMTLS)
	r.authorize = func(tls.ConnectionState) error {
		if closed.Load() {
			return stack.Errorf(stack.PermissionDenied, "not now")
		}
		return nil
	}
	r.start()
	return r
}
