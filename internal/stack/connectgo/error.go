package connectgo

import (
	"context"
	"errors"
	"slices"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// failure makes a call's error of the library's. Connect has gRPC's codes under gRPC's numbers.
func failure(ctx context.Context, err error) error {
	code := stack.Unknown
	if given := connect.CodeOf(err); given <= connect.CodeUnauthenticated { // the last of them
		code = stack.Code(given)
	}
	if !connect.IsWireError(err) && (stack.IsNetError(err) || isLost(err)) {
		code = stack.LostNetCode(err)
	}
	return stack.Failure(ctx, code, err)
}

// refusedText is the error of a stream that the server did not take before it retired the connection, and unsent are those of a
// request of which nothing was sent. net/http's errors have no type.
const refusedText = "http2: Transport received Server's graceful shutdown GOAWAY"

var unsent = []string{"http2: client conn not usable", "http2: client conn could not be established"}

// lost are what net/http says of an HTTP/2 connection that has ended. A call that waited for room to send ends with one of them,
// and Connect takes it for a broken protocol.
var lost = append([]string{
	refusedText,
	"http2: client conn is closed",
	"http2: client connection lost",
	"http2: client connection force closed via ClientConn.Close", // when its link has ended
}, unsent...)

func isLost(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if slices.Contains(lost, err.Error()) {
			return true
		}
	}
	return false
}

// refusal makes the library's error of the contract's, and leaves others as they are.
func refusal(err error) error {
	if failed, ok := errors.AsType[*stack.Error](err); ok {
		return connect.NewError(connect.Code(failed.Code), failed.Err)
	}
	return err
}
