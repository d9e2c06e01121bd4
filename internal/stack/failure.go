package stack

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"rpcbench/internal/stack/cut"
)

// Failure returns the error of a failed call. Whatever the library says when its context ends, a canceled call is CANCELLED and
// one past the context's deadline DEADLINE_EXCEEDED. Long messages of the server are cut.
func Failure(ctx context.Context, code Code, err error) error {
	if ended := endOf(ctx); ended != nil {
		code = CodeOf(ended)
	}
	if failed, ok := errors.AsType[*Error](err); ok { // not to name two codes
		err = failed.Err
	}
	return &Error{Code: code, Err: short(err)}
}

// endOf returns why a context has ended, or is about to: a socket that has its deadline may say so before the context's timer is
// served.
func endOf(ctx context.Context) error {
	if at, ok := ctx.Deadline(); ok && ctx.Err() == nil && !time.Now().Before(at) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// short returns err or, if its text is long, an error with the beginning of it and without its causes.
func short(err error) error {
	said := err.Error()
	if len(said) <= cut.Most {
		return err
	}
	return errors.New(cut.Text(said))
}

// NetCode returns the code of an error of a socket or a dial function: the code of an *Error in its chain, CANCELLED for a
// connection that this side closed, and otherwise UNAVAILABLE, as in gRPC.
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

// LostNetCode is NetCode for a library that closes a connection once it finds it broken: a closed connection is UNAVAILABLE,
// for whoever waited to write to it learns only of the closing. Where this side closes one, the caller says so with an *Error.
func LostNetCode(err error) Code {
	if _, known := errors.AsType[*Error](err); !known && errors.Is(err, net.ErrClosed) {
		return Unavailable
	}
	return NetCode(err)
}

// IsNetError reports whether err comes from a socket rather than from what was read there.
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

// JSONCode returns the code of an HTTP status of our JSON servers: HTTPCode's, except for messages that are too large.
func JSONCode(status int) Code {
	if status == http.StatusRequestEntityTooLarge {
		return ResourceExhausted
	}
	return HTTPCode(status)
}
