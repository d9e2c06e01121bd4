package grpcgo

import (
	"context"
	"crypto/tls"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"rpcbench/internal/stack"
)

// authorize has interceptors ask before every call, as programs do it.
func authorize(ask func(tls.ConnectionState) error) []grpc.ServerOption {
	unary := func(ctx context.Context, request any, _ *grpc.UnaryServerInfo, serve grpc.UnaryHandler) (any, error) {
		if err := ask(connectionState(ctx)); err != nil {
			return nil, denied(err)
		}
		return serve(ctx, request)
	}
	stream := func(service any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, serve grpc.StreamHandler) error {
		if err := ask(connectionState(stream.Context())); err != nil {
			return denied(err)
		}
		return serve(service, stream)
	}
	return []grpc.ServerOption{grpc.UnaryInterceptor(unary), grpc.StreamInterceptor(stream)}
}

func connectionState(ctx context.Context) tls.ConnectionState {
	if from, ok := peer.FromContext(ctx); ok {
		if secure, ok := from.AuthInfo.(credentials.TLSInfo); ok {
			return secure.State
		}
	}
	return tls.ConnectionState{}
}

func denied(err error) error { return status.Error(codes.PermissionDenied, stack.Reason(err)) }
