package connectgo

import (
	"context"
	"errors"
	"testing"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// A context that ends within the library, as a connection's does when its server dies, cancels no call of this side's.
func TestWhoEndedTheContextDecidesTheCode(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end()
	tests := []struct {
		name string
		ctx  context.Context
		err  error
		want stack.Code
	}{
		{"the library's", t.Context(), connect.NewError(connect.CodeCanceled, context.Canceled), stack.Unavailable},
		{"the call's", ended, connect.NewError(connect.CodeCanceled, context.Canceled), stack.Canceled},
		{"the server's status", t.Context(), connect.NewWireError(connect.CodeCanceled, context.Canceled), stack.Canceled},
		{"another code", t.Context(), connect.NewError(connect.CodeInternal, errors.New("broken")), stack.Internal},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := stack.CodeOf(failure(test.ctx, test.err)); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
