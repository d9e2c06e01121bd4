package grpcgo

import (
	"context"
	"crypto/tls"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"

	"rpcbench/internal/stack"
)

// authorize has the transport ask when a call's headers have come. An interceptor is asked only after a unary call's
// message was read and decoded.
func authorize(ask func(tls.ConnectionState) error) grpc.ServerOption {
	return grpc.InTapHandle(func(ctx context.Context, _ *tap.Info) (context.Context, error) {
		if err := ask(connectionState(ctx)); err != nil {
			return ctx, status.Error(codes.PermissionDenied, stack.Reason(err))
		}
		return ctx, nil
	})
}

func connectionState(ctx context.Context) tls.ConnectionState {
	if from, ok := peer.FromContext(ctx); ok {
		if secure, ok := from.AuthInfo.(credentials.TLSInfo); ok {
			return secure.State
		}
	}
	return tls.ConnectionState{}
}
