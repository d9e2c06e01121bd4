package connectgo

import (
	"errors"
	"fmt"
	"testing"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// What Connect says depends on what net/http noticed first.
func TestALostConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]stack.Code{
		"http2: client conn is closed":                                stack.Unavailable,
		"http2: client conn not usable":                               stack.Unavailable,
		"http2: client conn could not be established":                 stack.Unavailable,
		"http2: client connection lost":                               stack.Unavailable,
		"http2: client connection force closed via ClientConn.Close":  stack.Unavailable,
		"http2: Transport received Server's graceful shutdown GOAWAY": stack.Unavailable,
		"http2: something else":                                       stack.Internal,
	} {
		cause := fmt.Errorf("protocol error: incomplete envelope: %w", errors.New(text))
		err := failure(t.Context(), connect.NewError(connect.CodeInternal, cause))
		if got := stack.CodeOf(err); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
