package grpcgo

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
)

// failure makes a call's error of the library's.
func failure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	code := stack.Unknown
	given := status.Convert(err)
	if given.Code() <= codes.Unauthenticated { // the last of gRPC's
		code = stack.Code(given.Code())
	}
	return stack.Failure(ctx, code, errors.New(given.Message())) // whose text would name the code again
}

// refusal makes the library's error of the contract's, and leaves others as they are.
func refusal(err error) error {
	if failed, ok := errors.AsType[*stack.Error](err); ok {
		return status.Error(codes.Code(failed.Code), failed.Err.Error())
	}
	return err
}
