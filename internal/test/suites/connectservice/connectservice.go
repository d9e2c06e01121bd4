// Package connectservice serves grpc-go's services by connect-go, so that one made for a test suite runs on both.
package connectservice

import (
	"context"
	"errors"
	"io"
	"net/http"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// A Registrar adds services to a mux. It implements grpc.ServiceRegistrar.
type Registrar struct {
	Mux     *http.ServeMux
	Options []connect.HandlerOption
	// Descriptors has those of the services.
	Descriptors interface {
		FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error)
	}
}

// RegisterService is grpc.ServiceRegistrar's.
func (r Registrar) RegisterService(desc *grpc.ServiceDesc, implementation any) {
	found, err := r.Descriptors.FindDescriptorByName(protoreflect.FullName(desc.ServiceName))
	if err != nil {
		panic(err) // of a service that the caller has
	}
	methods := found.(protoreflect.ServiceDescriptor).Methods()
	add := func(name string, handler func(path string, m method) http.Handler) {
		m := method{implementation: implementation, path: "/" + desc.ServiceName + "/" + name,
			schema: methods.ByName(protoreflect.Name(name))}
		m.options = append([]connect.HandlerOption{connect.WithSchema(m.schema), connect.WithRequestInitializer(initialize)},
			r.Options...)
		r.Mux.Handle(m.path, handler(m.path, m))
	}
	for _, one := range desc.Methods {
		add(one.MethodName, func(path string, m method) http.Handler {
			return connect.NewUnaryHandler(path, m.unary(one), m.options...)
		})
	}
	for _, one := range desc.Streams {
		add(one.StreamName, func(_ string, m method) http.Handler { return m.streaming(one) })
	}
}

type message = dynamicpb.Message

// initialize gives a request its type.
func initialize(spec connect.Spec, empty any) error {
	if empty, ok := empty.(*message); ok {
		*empty = *dynamicpb.NewMessage(spec.Schema.(protoreflect.MethodDescriptor).Input())
	}
	return nil
}

type method struct {
	implementation any
	path           string
	schema         protoreflect.MethodDescriptor
	options        []connect.HandlerOption
}

// reply is an answer as connect-go sends it.
func (m method) reply(from any) (*message, error) {
	to := dynamicpb.NewMessage(m.schema.Output())
	return to, convert(from, to)
}

func convert(from, to any) error {
	encoded, err := proto.Marshal(from.(proto.Message))
	if err != nil {
		return err
	}
	return proto.Unmarshal(encoded, to.(proto.Message))
}

func (m method) unary(
	desc grpc.MethodDesc,
) func(context.Context, *connect.Request[message]) (*connect.Response[message], error) {
	return func(ctx context.Context, request *connect.Request[message]) (*connect.Response[message], error) {
		answers := &transport{path: m.path}
		ctx = grpc.NewContextWithServerTransportStream(metadata.NewIncomingContext(ctx, toMetadata(request.Header())), answers)
		made, err := desc.Handler(m.implementation, ctx, func(to any) error { return convert(request.Msg, to) }, nil)
		if err != nil {
			failed := toConnect(err)
			addFields(failed.Meta(), answers.header)
			addFields(failed.Meta(), answers.trailer)
			return nil, failed
		}
		reply, err := m.reply(made)
		if err != nil {
			return nil, err
		}
		response := connect.NewResponse(reply)
		addFields(response.Header(), answers.header)
		addFields(response.Trailer(), answers.trailer)
		return response, nil
	}
}

// streaming makes the handler of a stream's kind, which the protocols of connect-go tell apart.
func (m method) streaming(desc grpc.StreamDesc) http.Handler {
	run := func(s *stream) error {
		s.method = m
		s.ctx = metadata.NewIncomingContext(s.ctx, toMetadata(s.request))
		if err := desc.Handler(m.implementation, s); err != nil {
			return toConnect(err)
		}
		return nil
	}
	switch {
	case !desc.ClientStreams:
		return connect.NewServerStreamHandler(m.path,
			func(ctx context.Context, request *connect.Request[message], c *connect.ServerStream[message]) error {
				return run(&stream{
					ctx: ctx, request: request.Header(), header: c.ResponseHeader(), trailer: c.ResponseTrailer(),
					receive: once(request.Msg), send: c.Send,
				})
			}, m.options...)
	case !desc.ServerStreams:
		return connect.NewClientStreamHandler(m.path,
			func(ctx context.Context, c *connect.ClientStream[message]) (*connect.Response[message], error) {
				response := connect.NewResponse[message](nil)
				err := run(&stream{
					ctx: ctx, request: c.RequestHeader(), header: response.Header(), trailer: response.Trailer(),
					receive: func() (*message, error) { return next(c) },
					send:    func(reply *message) error { response.Msg = reply; return nil },
				})
				if failed, ok := errors.AsType[*connect.Error](err); ok {
					copyFields(failed.Meta(), response.Header())
					copyFields(failed.Meta(), response.Trailer())
				}
				return response, err
			}, m.options...)
	}
	return connect.NewBidiStreamHandler(m.path, func(ctx context.Context, c *connect.BidiStream[message, message]) error {
		return run(&stream{
			ctx: ctx, request: c.RequestHeader(), header: c.ResponseHeader(), trailer: c.ResponseTrailer(),
			receive: c.Receive, send: c.Send,
		})
	}, m.options...)
}

func once(request *message) func() (*message, error) {
	return func() (*message, error) {
		if request == nil {
			return nil, io.EOF
		}
		only := request
		request = nil
		return only, nil
	}
}

func next(c *connect.ClientStream[message]) (*message, error) {
	if c.Receive() {
		return c.Msg(), nil
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return nil, io.EOF
}
