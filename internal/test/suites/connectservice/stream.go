package connectservice

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// A stream is one of connect-go's. It implements grpc.ServerStream.
type stream struct {
	method          method
	ctx             context.Context
	request         http.Header
	header, trailer http.Header
	receive         func() (*message, error)
	send            func(*message) error
}

// Context is grpc.ServerStream's.
func (s *stream) Context() context.Context { return s.ctx }

// SetHeader is grpc.ServerStream's.
func (s *stream) SetHeader(md metadata.MD) error {
	addFields(s.header, md)
	return nil
}

// SendHeader is grpc.ServerStream's. Streams of both directions send their headers by sending no message.
func (s *stream) SendHeader(md metadata.MD) error {
	addFields(s.header, md)
	if !s.method.schema.IsStreamingServer() {
		return nil
	}
	return s.send(nil)
}

// SetTrailer is grpc.ServerStream's.
func (s *stream) SetTrailer(md metadata.MD) { addFields(s.trailer, md) }

// SendMsg is grpc.ServerStream's.
func (s *stream) SendMsg(from any) error {
	reply, err := s.method.reply(from)
	if err != nil {
		return err
	}
	return s.send(reply)
}

// RecvMsg is grpc.ServerStream's.
func (s *stream) RecvMsg(to any) error {
	request, err := s.receive()
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF // as it is, by which services know it
	case err != nil:
		return err
	}
	return convert(request, to)
}

// A transport keeps what a unary handler adds to its answer. It implements grpc.ServerTransportStream.
type transport struct {
	path            string
	header, trailer metadata.MD
}

// Method is grpc.ServerTransportStream's.
func (t *transport) Method() string { return t.path }

// SetHeader is grpc.ServerTransportStream's.
func (t *transport) SetHeader(md metadata.MD) error {
	t.header = metadata.Join(t.header, md)
	return nil
}

// SendHeader is grpc.ServerTransportStream's.
func (t *transport) SendHeader(md metadata.MD) error { return t.SetHeader(md) }

// SetTrailer is grpc.ServerTransportStream's.
func (t *transport) SetTrailer(md metadata.MD) error {
	t.trailer = metadata.Join(t.trailer, md)
	return nil
}

const binary = "-bin" // ends the names of metadata that is no text

func addFields(to http.Header, md metadata.MD) {
	for name, values := range md {
		for _, value := range values {
			if strings.HasSuffix(name, binary) {
				value = connect.EncodeBinaryHeader([]byte(value))
			}
			to.Add(name, value)
		}
	}
}

func copyFields(to, from http.Header) {
	for name, values := range from {
		to[name] = append(to[name], values...)
	}
}

func toMetadata(fields http.Header) metadata.MD {
	md := metadata.MD{}
	for name, values := range fields {
		name = strings.ToLower(name)
		for _, value := range values {
			if strings.HasSuffix(name, binary) {
				value = decode(value)
			}
			md.Append(name, value)
		}
	}
	return md
}

// decode returns what stands in base64, padded or not; what is none as it is.
func decode(value string) string {
	if plain, err := connect.DecodeBinaryHeader(value); err == nil {
		return string(plain)
	}
	return value
}

// toConnect makes the error of a handler connect-go's. One that is no status, as a context's, is for connect-go to judge.
func toConnect(err error) *connect.Error {
	if failed, ok := errors.AsType[*connect.Error](err); ok {
		return failed
	}
	s, ok := status.FromError(err)
	switch {
	case ok:
	case errors.Is(err, context.DeadlineExceeded):
		return connect.NewError(connect.CodeDeadlineExceeded, err)
	case errors.Is(err, context.Canceled):
		return connect.NewError(connect.CodeCanceled, err)
	}
	failed := connect.NewError(connect.Code(s.Code()), errors.New(s.Message()))
	for _, packed := range s.Proto().GetDetails() {
		if detail, err := connect.NewErrorDetail(packed); err == nil {
			failed.AddDetail(detail)
		}
	}
	return failed
}
