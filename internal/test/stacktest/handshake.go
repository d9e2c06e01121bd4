package stacktest

import (
	"context"
	"crypto/tls"
	"slices"
	"sync/atomic"
	"testing"

	"rpcbench/internal/stack"
)

// failedHandshake has the two sides not trust one another.
func failedHandshake(t *testing.T, s stack.Stack) {
	if !slices.Contains(s.Info().Securities, stack.SecurityMTLS) {
		t.Skip("it has no mtls")
	}
	k := allKeys(t)
	for what, change := range map[string]func(server, client *tls.Config){
		"server of another CA": func(server, _ *tls.Config) { server.Certificates[0] = k.strangeServer },
		"client of another CA": func(_, client *tls.Config) { client.Certificates[0] = k.strangeClient },
		"expired server":       func(server, _ *tls.Config) { server.Certificates[0] = k.expiredServer },
		"expired client":       func(_, client *tls.Config) { client.Certificates[0] = k.expiredClient },
		"no certificate":       func(_, client *tls.Config) { client.Certificates = nil },
		"another CA trusted by the client": func(_, client *tls.Config) {
			client.RootCAs = k.strange.roots
		},
		"another CA trusted by the server": func(server, _ *tls.Config) {
			server.ClientCAs = k.strange.roots
		},
	} {
		// TLS 1.2 reports it to the client within the handshake, 1.3 only at the first read.
		for name, version := range map[string]uint16{"TLS 1.2": tls.VersionTLS12, "TLS 1.3": tls.VersionTLS13} {
			t.Run(what+"/"+name, func(t *testing.T) {
				t.Parallel()
				server, client := tlsConfigs(t, stack.SecurityMTLS)
				server.MaxVersion = version
				change(server, client)
				unavailable(t, s, server, client)
			})
		}
	}
}

// unavailable makes calls of all kinds, each of which must fail, and must not reach the server.
func unavailable(t *testing.T, s stack.Stack, server, client *tls.Config) {
	var served atomic.Int64
	r := &rig{t: t, stack: s, network: stack.NetworkTCP, serverTLS: server, clientTLS: client}
	r.reply = func(n int) []byte { served.Add(1); return reply(n) }
	r.authorize = func(tls.ConnectionState) error { served.Add(1); return nil }
	r.start()
	for name, call := range calls(s, 10, 20, inFlight) {
		for range 2 {
			wantAll(t, name, r.attempt(call), stack.Unavailable)
		}
	}
	if slices.Contains(s.Info().Kinds, stack.KindConnect) {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		if _, err := s.Dial(ctx, r.dialConfig(stack.CompressionNone, 1)); stack.CodeOf(err) != stack.Unavailable {
			t.Errorf("connect: %v, want UNAVAILABLE", err)
		}
	}
	if n := served.Load(); n != 0 {
		t.Errorf("the server was at work %d times", n)
	}
}

// attempt opens a connection and makes two calls on every slot, one after the other. Where there is no connection, its
// error is all there is.
func (r *rig) attempt(call stack.Call) []error {
	ctx, cancel := context.WithTimeout(r.t.Context(), limit)
	defer cancel()
	conn, err := r.stack.Dial(ctx, r.dialConfig(stack.CompressionNone, inFlight))
	if err != nil {
		return []error{err}
	}
	defer conn.Close()
	slots := callers(r.t, conn, call, inFlight)
	return append(callAll(ctx, slots), callAll(ctx, slots)...)
}
