package cli_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	_ "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// A shop is a server of somebody else's: shop.v1.Shop, with a method of each type. Item{name, count} is every message.
//
//	Get     answers its item; of the name "none" NOT_FOUND, of the name "away" UNAVAILABLE with a header and a trailer, and of the
//	        name "last" not before the test closes last
//	List    sends count items, and with a count below 0 never stops
//	Put     answers with the number of the items that came
//	Chat    answers each item
type shop struct {
	address string
	item    protoreflect.MessageDescriptor
	file    *descriptorpb.FileDescriptorProto

	last chan struct{}

	mu    sync.Mutex
	names map[string]int // of the items that came
	seen  []metadata.MD  // of the calls
}

// openShop starts one; the options are beside its own.
func openShop(t *testing.T, options ...grpc.ServerOption) *shop {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{address: l.Addr().String(), names: map[string]int{}, file: shopFile(), last: make(chan struct{})}
	built, err := protodesc.NewFile(s.file, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	s.item = built.Messages().ByName("Item")
	files := &protoregistry.Files{}
	if err := files.RegisterFile(built); err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(options...)
	server.RegisterService(s.description(), s)
	reflectionpb.RegisterServerReflectionServer(server, reflection.NewServerV1(reflection.ServerOptions{
		Services: server, DescriptorResolver: files,
	}))
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return s
}

// openTLSShop starts one with a certificate.
func openTLSShop(t *testing.T, certificate tls.Certificate) *shop {
	t.Helper()
	return openShop(t, grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{certificate}})))
}

func shopFile() *descriptorpb.FileDescriptorProto {
	field := func(name string, number int32, kind descriptorpb.FieldDescriptorProto_Type) *descriptorpb.FieldDescriptorProto {
		return &descriptorpb.FieldDescriptorProto{
			Name: new(name), JsonName: new(name), Number: new(number), Type: kind.Enum(),
			Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		}
	}
	method := func(name string, client, server bool) *descriptorpb.MethodDescriptorProto {
		return &descriptorpb.MethodDescriptorProto{
			Name: new(name), InputType: new(".shop.v1.Item"), OutputType: new(".shop.v1.Item"),
			ClientStreaming: new(client), ServerStreaming: new(server),
		}
	}
	return &descriptorpb.FileDescriptorProto{
		Name: new("shop/v1/shop.proto"), Package: new("shop.v1"), Syntax: new("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{{
			Name: new("Item"),
			Field: []*descriptorpb.FieldDescriptorProto{
				field("name", 1, descriptorpb.FieldDescriptorProto_TYPE_STRING),
				field("count", 2, descriptorpb.FieldDescriptorProto_TYPE_INT32),
			},
		}},
		Service: []*descriptorpb.ServiceDescriptorProto{{
			Name: new("Shop"),
			Method: []*descriptorpb.MethodDescriptorProto{
				method("Get", false, false), method("List", false, true), method("Put", true, false), method("Chat", true, true),
			},
		}},
	}
}

func (s *shop) description() *grpc.ServiceDesc {
	stream := func(name string, serve func(grpc.ServerStream) error) grpc.StreamDesc {
		return grpc.StreamDesc{
			StreamName: name, ClientStreams: name != "List", ServerStreams: name != "Put",
			Handler: func(_ any, stream grpc.ServerStream) error {
				s.meet(stream.Context())
				return serve(stream)
			},
		}
	}
	return &grpc.ServiceDesc{
		ServiceName: "shop.v1.Shop", Metadata: "shop/v1/shop.proto", HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{
			MethodName: "Get",
			Handler: func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				return s.get(ctx, decode)
			},
		}},
		Streams: []grpc.StreamDesc{stream("List", s.list), stream("Put", s.put), stream("Chat", s.chat)},
	}
}

func (s *shop) get(ctx context.Context, decode func(any) error) (any, error) {
	s.meet(ctx)
	item := dynamicpb.NewMessage(s.item)
	if err := decode(item); err != nil {
		return nil, err
	}
	switch s.take(item) {
	case "none":
		return nil, status.Error(codes.NotFound, "there is no such item")
	case "away":
		err := errors.Join(grpc.SendHeader(ctx, metadata.Pairs("x-shard", "7")), grpc.SetTrailer(ctx, metadata.Pairs("x-retry", "9")))
		if err != nil {
			return nil, err
		}
		return nil, status.Error(codes.Unavailable, "the shop moves")
	case "last":
		select {
		case <-s.last:
		case <-ctx.Done():
			return nil, status.FromContextError(ctx.Err()).Err()
		}
	}
	return item, nil
}

func (s *shop) list(stream grpc.ServerStream) error {
	item := dynamicpb.NewMessage(s.item)
	if err := stream.RecvMsg(item); err != nil {
		return err
	}
	s.take(item)
	count := item.Get(s.item.Fields().ByName("count")).Int()
	for i := int64(0); count < 0 || i < count; i++ {
		if err := stream.SendMsg(item); err != nil {
			return err
		}
	}
	return nil
}

func (s *shop) put(stream grpc.ServerStream) error {
	count := int32(0)
	err := s.each(stream, func(*dynamicpb.Message) error { count++; return nil })
	if err != nil {
		return err
	}
	answer := dynamicpb.NewMessage(s.item)
	answer.Set(s.item.Fields().ByName("count"), protoreflect.ValueOfInt32(count))
	return stream.SendMsg(answer)
}

func (s *shop) chat(stream grpc.ServerStream) error {
	return s.each(stream, func(item *dynamicpb.Message) error { return stream.SendMsg(item) })
}

func (s *shop) each(stream grpc.ServerStream, do func(*dynamicpb.Message) error) error {
	for {
		item := dynamicpb.NewMessage(s.item)
		err := stream.RecvMsg(item)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			s.take(item)
			err = do(item)
		}
		if err != nil {
			return err
		}
	}
}

// take notes an item and returns its name.
func (s *shop) take(item *dynamicpb.Message) string {
	name := item.Get(s.item.Fields().ByName("name")).String()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name]++
	return name
}

// meet notes the metadata of a call.
func (s *shop) meet(ctx context.Context) {
	from, _ := metadata.FromIncomingContext(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, from)
}

// came returns how often items of each name came.
func (s *shop) came() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names
}

// metadata returns that of each call.
func (s *shop) metadata() []metadata.MD {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}
