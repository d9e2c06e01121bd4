package connectgo

import (
	"context"
	"errors"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
)

// failure makes a call's error of the library's. Connect has gRPC's codes under gRPC's numbers.
func failure(ctx context.Context, err error) error {
	code := stack.Unknown
	if given := connect.CodeOf(err); given <= connect.CodeUnauthenticated { // the last of them
		code = stack.Code(given)
	}
	if !connect.IsWireError(err) && stack.IsNetError(err) {
		code = stack.NetCode(err)
	}
	return stack.Failure(ctx, code, err)
}

// refusal makes the library's error of the contract's, and leaves others as they are.
func refusal(err error) error {
	if failed, ok := errors.AsType[*stack.Error](err); ok {
		return connect.NewError(connect.Code(failed.Code), failed.Err)
	}
	return err
}
