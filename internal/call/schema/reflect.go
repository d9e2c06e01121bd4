package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/call/plain"
)

// reflectionPaths are the two versions of one protocol, whose messages are the same on the wire.
var reflectionPaths = []string{
	"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
	"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
}

// Reflect asks a server for a method. server is its name in errors. The outgoing metadata of ctx is sent to the server. The Types
// of the method keep asking the server, for at most patience each time, until the connection is closed.
func Reflect(ctx context.Context, conn grpc.ClientConnInterface, server string, name Name) (*Method, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, path := range reflectionPaths {
		s := newSession(conn, path, server)
		types := newTypes(s.loader)
		err := s.during(ctx, func() error { return s.find(name) })
		switch {
		case errors.Is(err, errUnimplemented):
			continue
		case err != nil:
			return nil, err
		}
		lasting := context.WithoutCancel(ctx) // the metadata without the end
		types.fetch = func(symbol protoreflect.FullName) error {
			ctx, cancel := context.WithTimeout(lasting, patience)
			defer cancel()
			err := s.during(ctx, func() error { return s.symbol(symbol) })
			if errors.Is(err, errNotFound) {
				return nil // looking it up again says so
			}
			return err
		}
		return method("the server at "+server, types, name)
	}
	return nil, fmt.Errorf("the server at %s does not offer reflection; give --proto or --protoset", server)
}

// errUnimplemented says that a server does not know a version of reflection.
var errUnimplemented = errors.New("unimplemented")

// A session asks one server by one version of the protocol.
type session struct {
	conn   grpc.ClientConnInterface
	path   string
	server string
	loader *loader
	sent   map[string]*descriptorpb.FileDescriptorProto // what came unasked, or before its imports
	stream *grpc.GenericClientStream[reflection.ServerReflectionRequest, reflection.ServerReflectionResponse]
	bytes  int
	weight weight
}

func newSession(conn grpc.ClientConnInterface, path, server string) *session {
	s := &session{conn: conn, path: path, server: server, sent: map[string]*descriptorpb.FileDescriptorProto{}}
	s.loader = newLoader(s.file)
	return s
}

// during opens a stream for as long as f takes.
func (s *session) during(ctx context.Context, f func() error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the stream
	description := &grpc.StreamDesc{StreamName: "ServerReflectionInfo", ServerStreams: true, ClientStreams: true}
	stream, err := s.conn.NewStream(ctx, description, s.path, grpc.MaxCallRecvMsgSize(BytesMax))
	if err != nil {
		return s.failed(err)
	}
	s.stream = &grpc.GenericClientStream[reflection.ServerReflectionRequest, reflection.ServerReflectionResponse]{
		ClientStream: stream,
	}
	return f()
}

// find loads the file that has the method's service.
func (s *session) find(name Name) error {
	err := s.symbol(name.Service)
	if !errors.Is(err, errNotFound) {
		return err
	}
	known, err := s.services()
	if err != nil {
		return err
	}
	if slices.Contains(known, string(name.Service)) {
		return fmt.Errorf("the server at %s lists the service %s but has no schema of it; give --proto or --protoset",
			s.server, name.Service)
	}
	if slices.Contains(known, string(name.whole())) {
		if err := s.symbol(name.whole()); !errors.Is(err, errNotFound) {
			return err // without one, method says what is wrong
		}
	}
	return unknownService("the server at "+s.server, name, known)
}

func (s *session) services() ([]string, error) {
	response, err := s.ask(&reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_ListServices{ListServices: "*"},
	})
	if err != nil {
		return nil, err
	}
	var list []string
	for _, service := range response.GetListServicesResponse().GetService() {
		if protoreflect.FullName(service.GetName()).IsValid() { // no other has a schema
			list = append(list, service.GetName())
		}
	}
	slices.Sort(list)
	return list, nil
}

// symbol loads the file that defines a name.
func (s *session) symbol(name protoreflect.FullName) error {
	files, err := s.files(&reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: string(name)},
	})
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := s.loader.load(file.GetName()); err != nil {
			return fmt.Errorf("the server at %s: %w", s.server, err)
		}
	}
	return nil
}

// file is the loader's get.
func (s *session) file(path string) (*descriptorpb.FileDescriptorProto, error) {
	if file, ok := s.sent[path]; ok {
		return file, nil
	}
	_, err := s.files(&reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_FileByFilename{FileByFilename: path},
	})
	if err != nil {
		return nil, err
	}
	if file, ok := s.sent[path]; ok {
		return file, nil
	}
	return nil, errNotFound
}

// files requests files and stores what arrives: the requested file and, from some servers, its imports.
func (s *session) files(request *reflection.ServerReflectionRequest) ([]*descriptorpb.FileDescriptorProto, error) {
	response, err := s.ask(request)
	if err != nil {
		return nil, err
	}
	var list []*descriptorpb.FileDescriptorProto
	for _, encoded := range response.GetFileDescriptorResponse().GetFileDescriptorProto() {
		file := &descriptorpb.FileDescriptorProto{}
		if s.bytes += len(encoded); s.bytes > BytesMax {
			return nil, fmt.Errorf("the schema of the server at %s is longer than %d MiB", s.server, BytesMax>>20)
		}
		if err := s.weight.decode(encoded, file); err != nil {
			return nil, fmt.Errorf("the server at %s answers reflection with an invalid descriptor: %w", s.server, bare(err))
		}
		s.sent[file.GetName()] = file
		list = append(list, file)
	}
	if len(list) == 0 {
		return nil, errNotFound
	}
	return list, nil
}

// ask sends one request and waits for its response.
func (s *session) ask(request *reflection.ServerReflectionRequest) (*reflection.ServerReflectionResponse, error) {
	_ = s.stream.Send(request) // why it failed is what Recv says
	response, err := s.stream.Recv()
	if err != nil {
		return nil, s.failed(err)
	}
	if refused := response.GetErrorResponse(); refused != nil {
		if codes.Code(refused.GetErrorCode()) == codes.NotFound {
			return nil, errNotFound
		}
		return nil, fmt.Errorf("the server at %s refuses reflection: %s (%s)",
			s.server, plain.Short(refused.GetErrorMessage(), plain.Example), codes.Code(refused.GetErrorCode()))
	}
	return response, nil
}

// failed makes a sentence of a call's error.
func (s *session) failed(err error) error {
	state := status.Convert(err)
	switch {
	case state.Code() == codes.Unimplemented:
		return errUnimplemented
	case state.Code() == codes.DeadlineExceeded:
		return fmt.Errorf("the server at %s did not answer reflection in time", s.server)
	case strings.Contains(state.Message(), "looked like an HTTP/1.1 header"):
		return fmt.Errorf("the server at %s speaks only HTTP/1, and gRPC needs HTTP/2", s.server)
	default:
		return fmt.Errorf("cannot get the schema of the server at %s: %s (%s)", s.server,
			plain.Short(state.Message(), plain.Example), state.Code())
	}
}
