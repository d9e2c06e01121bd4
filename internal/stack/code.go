package stack

import (
	"context"
	"errors"
	"fmt"
)

// A Code is the outcome of a call: gRPC's codes under gRPC's numbers, MISMATCH for a reply that came and was wrong, and
// behind them the statuses of HTTP that are no success.
type Code uint16

// The codes of gRPC, https://grpc.github.io/grpc/core/md_doc_statuscodes.html, and our own.
const (
	OK Code = iota
	Canceled
	Unknown
	InvalidArgument
	DeadlineExceeded
	NotFound
	AlreadyExists
	PermissionDenied
	ResourceExhausted
	FailedPrecondition
	Aborted
	OutOfRange
	Unimplemented
	Internal
	Unavailable
	DataLoss
	Unauthenticated
	Mismatch

	statusFirst // the code of HTTP status 100
)

// Statuses of HTTP have three digits.
const (
	minStatus = 100
	maxStatus = 999
)

// Codes is the number of codes: every code is less.
const Codes = int(statusFirst) + maxStatus - minStatus + 1

// StatusCode returns the code of an unsuccessful HTTP status, from 100 to 999, of a call of a foreign resource. For our own
// service over HTTP, HTTPCode returns gRPC's codes.
func StatusCode(status int) Code { return statusFirst + Code(status-minStatus) }

var codeNames = [statusFirst]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
	"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
	"INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED", "MISMATCH",
}

// String returns the code's name in results, "UNAVAILABLE" or "HTTP_503".
func (c Code) String() string {
	switch {
	case c < statusFirst:
		return codeNames[c]
	case int(c) < Codes:
		return fmt.Sprintf("HTTP_%d", int(c-statusFirst)+minStatus)
	default:
		return fmt.Sprintf("CODE_%d", uint16(c))
	}
}

// An Error is a failed call.
type Error struct {
	Code Code
	Err  error
}

func (e *Error) Error() string { return e.Code.String() + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error as fmt.Errorf makes its cause, cut where it is long.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Err: short(fmt.Errorf(format, args...))}
}

// CodeOf returns the code of a call's error: OK for nil, that of the Error in its chain, gRPC's code for the two errors
// of a context, UNKNOWN for anything else.
func CodeOf(err error) Code {
	var failed *Error
	switch {
	case err == nil:
		return OK
	case errors.As(err, &failed):
		return failed.Code
	case errors.Is(err, context.DeadlineExceeded):
		return DeadlineExceeded
	case errors.Is(err, context.Canceled):
		return Canceled
	default:
		return Unknown
	}
}

// Reason returns the text of err without its code.
func Reason(err error) string {
	if failed, ok := errors.AsType[*Error](err); ok {
		return failed.Err.Error()
	}
	return err.Error()
}

// NumberOf is the number that gRPC has for a code by its name; a wrong reply is DATA_LOSS. It returns false of calls that were
// never sent or answered, and of statuses of HTTP.
func NumberOf(name string) (number int32, ok bool) {
	for code := OK; code <= Unauthenticated; code++ { // the last of gRPC's
		if code.String() == name {
			return int32(code), true
		}
	}
	return int32(DataLoss), name == Mismatch.String()
}
