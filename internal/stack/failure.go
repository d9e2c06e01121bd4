package stack

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"rpcbench/internal/stack/cut"
)

// Failure makes the error of a failed call: whatever a library says when its context ends, a cancelled call is
// CANCELLED and one past the context's deadline DEADLINE_EXCEEDED. What the server said is cut where it is long.
func Failure(ctx context.Context, code Code, err error) error {
	if ended := ctx.Err(); ended != nil {
		code = CodeOf(ended)
	}
	if failed, ok := errors.AsType[*Error](err); ok { // not to name two codes
		err = failed.Err
	}
	return &Error{Code: code, Err: short(err)}
}

// short returns an error, or the beginning of what it says, without its causes, where that is long.
func short(err error) error {
	said := err.Error()
	if len(said) <= cut.Most {
		return err
	}
	return errors.New(cut.Text(said))
}

// NetCode returns the code of an error of a socket or a dial function: that of an *Error in its chain, CANCELLED for a
// connection that this side has closed, UNAVAILABLE for every other, as gRPC has it.
func NetCode(err error) Code {
	var failed *Error
	switch {
	case errors.As(err, &failed):
		return failed.Code
	case errors.Is(err, net.ErrClosed), errors.Is(err, context.Canceled):
		return Canceled
	default:
		return Unavailable
	}
}

// IsNetError tells whether err comes from a socket rather than from what was read there.
func IsNetError(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed)
}

// HTTPCode returns the code of an HTTP status other than 200, by gRPC's table,
// https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md.
func HTTPCode(status int) Code {
	switch status {
	case http.StatusBadRequest:
		return Internal
	case http.StatusUnauthorized:
		return Unauthenticated
	case http.StatusForbidden:
		return PermissionDenied
	case http.StatusNotFound:
		return Unimplemented
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return Unavailable
	default:
		return Unknown
	}
}

// JSONCode returns the code of an HTTP status with which our servers of JSON answer: HTTPCode's, but for what is too large.
func JSONCode(status int) Code {
	if status == http.StatusRequestEntityTooLarge {
		return ResourceExhausted
	}
	return HTTPCode(status)
}
