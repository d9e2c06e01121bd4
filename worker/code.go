package worker

import (
	"errors"
	"fmt"
	"net"

	"rpcbench/internal/stack"
)

// A Code is how a call ended: gRPC's codes, with gRPC's numbers.
type Code int

// The codes that a stack gives. See https://grpc.io/docs/guides/status-codes.
const (
	Canceled          Code = 1
	Unknown           Code = 2
	InvalidArgument   Code = 3
	DeadlineExceeded  Code = 4
	PermissionDenied  Code = 7
	ResourceExhausted Code = 8
	Unimplemented     Code = 12
	Internal          Code = 13
	Unavailable       Code = 14
)

// codeLast is the highest of gRPC's.
const codeLast = 16

// An Error is how a call failed. Results count calls by Code.
type Error struct {
	Code    Code
	Message string
	// Lost, on a client, says that the connection or stream can't be used any more. Otherwise an Error is the server's answer,
	// and both go on.
	Lost bool
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Errorf makes an Error as fmt.Errorf makes its message.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// isAnswer reports whether an error is a server's answer.
func isAnswer(err error) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && !refused.Lost
}

// inside makes rpcbench's own error of a stack's.
func inside(err error) error {
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		code := stack.NetCode(err)
		if errors.Is(err, net.ErrClosed) {
			code = stack.Unavailable // another call has found that the connection is lost
		}
		return &stack.Error{Code: code, Err: err}
	}
	if refused.Code < 1 || refused.Code > codeLast {
		return stack.Errorf(stack.Unknown, "code %d: %s", refused.Code, refused.Message)
	}
	return stack.Errorf(stack.Code(refused.Code), "%s", refused.Message)
}

// outside makes an Error of rpcbench's own error.
func outside(err error) error {
	code := Code(stack.CodeOf(err))
	if code > codeLast {
		code = Internal
	}
	return &Error{Code: code, Message: stack.Reason(err)}
}
