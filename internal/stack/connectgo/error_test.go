package connectgo

import (
	"errors"
	"fmt"
	"net"
	"testing"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// net/http closes its own socket once it has read that the server is gone. Connect calls that a broken protocol.
func TestASocketThatTheLibraryClosedIsALostConnection(t *testing.T) {
	t.Parallel()
	closed := &net.OpError{Op: "write", Net: "tcp", Err: net.ErrClosed}
	err := failure(t.Context(), connect.NewError(connect.CodeInternal, fmt.Errorf("incomplete envelope: %w", closed)))
	if got := stack.CodeOf(err); got != stack.Unavailable {
		t.Errorf("%v, want UNAVAILABLE", err)
	}
}

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
