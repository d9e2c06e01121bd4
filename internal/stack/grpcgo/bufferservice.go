package grpcgo

import (
	"context"
	"strconv"

	"google.golang.org/grpc"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

type (
	bufferClientStream = grpc.GenericClientStream[buffer, buffer]
	bufferServerStream = grpc.GenericServerStream[buffer, buffer]
)

// bufferClient has the methods of BenchmarkService, by buffers.
func bufferClient(conn grpc.ClientConnInterface, call stack.Call) service.Client[buffer, buffer] {
	open := func(ctx context.Context, name string, client, server bool) (*bufferClientStream, error) {
		desc := &grpc.StreamDesc{StreamName: name, ClientStreams: client, ServerStreams: server}
		stream, err := conn.NewStream(ctx, desc, pathOf(name), grpc.StaticMethod())
		if err != nil {
			return nil, err
		}
		return &bufferClientStream{ClientStream: stream}, nil
	}
	messages := metadata.Pairs(stack.MessagesMetadata, strconv.Itoa(call.Messages))
	return service.Client[buffer, buffer]{
		Unary: func(ctx context.Context, asked *buffer) (*buffer, error) {
			answer := new(buffer)
			return answer, conn.Invoke(ctx, testpb.BenchmarkService_UnaryCall_FullMethodName, asked, answer, grpc.StaticMethod())
		},
		Upload: func(ctx context.Context) (service.Uploading[buffer, buffer], error) {
			return open(ctx, "StreamingFromClient", true, false)
		},
		Download: func(ctx context.Context, asked *buffer) (service.Receiver[buffer], error) {
			stream, err := open(metadata.NewOutgoingContext(ctx, messages), "StreamingFromServer", false, true)
			if err != nil {
				return nil, err
			}
			if err := stream.SendMsg(asked); err != nil {
				return nil, err
			}
			return stream, stream.CloseSend()
		},
		BothWays: func(ctx context.Context) (service.Streaming[buffer, buffer], error) {
			return open(metadata.NewOutgoingContext(ctx, messages), "StreamingBothWays", true, true)
		},
		Stream: func(ctx context.Context, burst string) (service.Streaming[buffer, buffer], error) {
			return open(withBurst(ctx, burst), "StreamingCall", true, true)
		},
		Failure: failure, Messages: bufferMessages(call),
	}
}

func pathOf(name string) string {
	return "/" + testpb.BenchmarkService_ServiceDesc.ServiceName + "/" + name
}

// bufferService is grpc.testing.BenchmarkService, by buffers.
type bufferService struct{ from *stack.Responder }

func (s bufferService) respond(request *buffer) (*buffer, error) {
	return answerBuffer(request, s.from)
}

// desc describes the service as generated code does.
func (s bufferService) desc() *grpc.ServiceDesc {
	stream := func(name string, client, server bool, handle func(*bufferServerStream) error) grpc.StreamDesc {
		return grpc.StreamDesc{
			StreamName: name, ClientStreams: client, ServerStreams: server,
			Handler: func(_ any, stream grpc.ServerStream) error {
				return refusal(handle(&bufferServerStream{ServerStream: stream}))
			},
		}
	}
	return &grpc.ServiceDesc{
		ServiceName: testpb.BenchmarkService_ServiceDesc.ServiceName,
		Metadata:    testpb.BenchmarkService_ServiceDesc.Metadata,
		Methods: []grpc.MethodDesc{{
			MethodName: "UnaryCall",
			Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				return s.unary(decode)
			},
		}},
		Streams: []grpc.StreamDesc{
			stream("StreamingCall", true, true, func(stream *bufferServerStream) error {
				return service.AnswerEach(stream, burst(stream), s.from, s.respond, (*buffer).size)
			}),
			stream("StreamingFromClient", true, false, func(stream *bufferServerStream) error {
				answer, err := service.AnswerLast(stream, s.respond)
				if err != nil {
					return err
				}
				return stream.SendAndClose(answer)
			}),
			stream("StreamingFromServer", false, true, func(stream *bufferServerStream) error {
				request, err := stream.Recv()
				if err != nil {
					return err
				}
				answer, err := s.respond(request)
				if err != nil {
					return err
				}
				return service.AnswerMany(stream, answer, incoming(stream.Context(), stack.MessagesMetadata))
			}),
			stream("StreamingBothWays", true, true, func(stream *bufferServerStream) error {
				return service.AnswerBothWays(stream, incoming(stream.Context(), stack.MessagesMetadata), s.respond)
			}),
		},
	}
}

func (s bufferService) unary(decode func(any) error) (any, error) {
	request := new(buffer)
	if err := decode(request); err != nil {
		return nil, err
	}
	answer, err := s.respond(request)
	return answer, refusal(err)
}
