package grpcgo

import (
	"context"
	"errors"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	_ "google.golang.org/grpc/encoding/gzip" // registers the compressor on both sides
	"google.golang.org/grpc/experimental"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/reflection"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
)

type server struct {
	grpc   *grpc.Server
	served chan struct{} // closed when serving has ended, with err
	err    error
}

// Serve is stack.Stack's.
func (grpcGo) Serve(config stack.ServeConfig) (stack.Server, error) {
	return serve(config, func(s *grpc.Server, o options) {
		if o.generic != nil {
			return // it answers any method
		}
		from := stack.NewResponder(config)
		if o.codec == codecBytes {
			s.RegisterService(bufferService{from}.desc(), nil)
		} else {
			testpb.RegisterBenchmarkServiceServer(s, &benchmarkService{from: from})
		}
		batchv1.RegisterBatchServiceServer(s, &batchService{from: from, pooled: o.codec == codecPooled})
		reflection.Register(s)
	})
}

// ServeOther starts a server like Serve's with other services, for tests that have their own.
func ServeOther(config stack.ServeConfig, register func(grpc.ServiceRegistrar)) (stack.Server, error) {
	return serve(config, func(s *grpc.Server, _ options) { register(s) })
}

func serve(config stack.ServeConfig, register func(*grpc.Server, options)) (stack.Server, error) {
	if err := New().Info().CheckServe(config); err != nil {
		return nil, err
	}
	o := readOptions(config.Options)
	s := &server{grpc: grpc.NewServer(serverOptions(config, o)...), served: make(chan struct{})}
	register(s.grpc, o)
	go func() {
		defer close(s.served)
		if err := s.grpc.Serve(config.Listener); !errors.Is(err, grpc.ErrServerStopped) {
			s.err = err
		}
	}()
	return s, nil
}

func serverOptions(config stack.ServeConfig, o options) []grpc.ServerOption {
	list := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(config.Limits.Request(stack.EncodedBytesMax)),
		grpc.MaxHeaderListSize(stack.HeaderBytesMax),
		grpc.NumStreamWorkers(uint32(o.streamWorkers)),
	}
	if streams := config.Limits.Streams; streams > 0 {
		list = append(list, grpc.MaxConcurrentStreams(uint32(streams)))
	}
	if patience := config.Limits.HeaderTimeout; patience > 0 {
		list = append(list, grpc.ConnectionTimeout(patience))
	}
	if config.TLS != nil {
		list = append(list, grpc.Creds(credentials.NewTLS(config.TLS)))
	}
	if config.Authorize != nil {
		list = append(list, authorize(config.Authorize))
	}
	if o.generic != nil {
		list = append(list, grpc.ForceServerCodecV2(raw{}), grpc.UnknownServiceHandler(o.generic.handle))
	} else if codec := serverCodec(config.Limits, o.codec); codec != nil {
		list = append(list, grpc.ForceServerCodecV2(codec))
	}
	if o.writeBuffer > 0 {
		list = append(list, grpc.WriteBufferSize(o.writeBuffer))
	}
	if o.readBuffer > 0 {
		list = append(list, grpc.ReadBufferSize(o.readBuffer))
	}
	if o.sharedBuffer {
		list = append(list, grpc.SharedWriteBuffer(true)) //nolint:staticcheck // gRPC makes it the default
	}
	if o.unpooled {
		list = append(list, experimental.BufferPool(mem.NopBufferPool{}))
	}
	if o.window > 0 {
		list = append(list, grpc.InitialWindowSize(int32(o.window)), grpc.InitialConnWindowSize(int32(o.window)))
	}
	return list
}

// Stop is stack.Server's.
func (s *server) Stop(ctx context.Context) error {
	graceful := make(chan struct{})
	go func() {
		s.grpc.GracefulStop()
		close(graceful)
	}()
	select {
	case <-graceful:
	case <-ctx.Done():
		s.grpc.Stop()
		<-graceful
	}
	<-s.served
	return s.err
}
