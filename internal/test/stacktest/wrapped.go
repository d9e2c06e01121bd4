package stacktest

import (
	"context"
	"errors"
	"maps"
	"testing"

	"rpcbench/internal/stack"
)

// IsTheStack tests that wrap, which adds options to a stack, passes everything on to it if none of them is given, so that Run's
// results for the stack hold for the wrapped one.
func IsTheStack(t *testing.T, wrap func(stack.Stack) stack.Stack) {
	inner := &handed{err: errors.New("refused")}
	s := wrap(inner)
	options := map[string]string{"a": "1"}
	listener, address := &cuttable{}, "127.0.0.1:1"

	server, err := s.Serve(stack.ServeConfig{Listener: listener, Options: options})
	if got := inner.served; server != inner || !errors.Is(err, inner.err) || got.Listener != listener || got.TLS != nil ||
		got.Authorize != nil || !maps.Equal(got.Options, options) {
		t.Errorf("Serve handed on %+v, and returned %v and %v", got, server, err)
	}
	conn, err := s.Dial(t.Context(), stack.DialConfig{Address: address, InFlight: 7, Options: options})
	if got := inner.dialled; conn != inner || !errors.Is(err, inner.err) || got.Address != address || got.InFlight != 7 ||
		got.Dial != nil || !maps.Equal(got.Options, options) {
		t.Errorf("Dial handed on %+v, and returned %v and %v", got, conn, err)
	}
}

// A handed stack records the arguments of its calls, and returns itself and an error.
type handed struct {
	err     error
	served  stack.ServeConfig
	dialled stack.DialConfig
}

func (h *handed) Info() stack.Info { return stack.Info{Name: "handed", Serves: true, Calls: true} }

func (h *handed) Serve(config stack.ServeConfig) (stack.Server, error) {
	h.served = config
	return h, h.err
}

func (h *handed) Dial(_ context.Context, config stack.DialConfig) (stack.Conn, error) {
	h.dialled = config
	return h, h.err
}

func (h *handed) Stop(context.Context) error                   { return nil }
func (h *handed) Caller(stack.Call, int) (stack.Caller, error) { return nil, h.err }
func (h *handed) Close() error                                 { return nil }
