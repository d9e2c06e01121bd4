package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// service describes ConformanceService for grpc-go's servers.
func service() *grpc.ServiceDesc {
	desc := &grpc.ServiceDesc{ServiceName: packageName + "ConformanceService"}
	for _, name := range []string{"Unary", "IdempotentUnary", "Unimplemented"} {
		desc.Methods = append(desc.Methods, grpc.MethodDesc{
			MethodName: name,
			Handler: func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				u := &unaryStream{ctx: ctx, decode: decode}
				err := answer(name, u)
				return u.reply, err
			},
		})
	}
	for name, kind := range map[string]grpc.StreamDesc{
		"ClientStream": {ClientStreams: true}, "ServerStream": {ServerStreams: true},
		"BidiStream": {ClientStreams: true, ServerStreams: true},
	} {
		kind.StreamName = name
		kind.Handler = func(_ any, stream grpc.ServerStream) error { return answer(name, stream) }
		desc.Streams = append(desc.Streams, kind)
	}
	return desc
}

// A unaryStream is the stream of a call that has one message each way.
type unaryStream struct {
	grpc.ServerStream

	ctx    context.Context
	decode func(any) error
	reply  any
}

func (u *unaryStream) Context() context.Context       { return u.ctx }
func (u *unaryStream) SetHeader(md metadata.MD) error { return grpc.SetHeader(u.ctx, md) }
func (u *unaryStream) SetTrailer(md metadata.MD)      { _ = grpc.SetTrailer(u.ctx, md) }
func (u *unaryStream) SendMsg(message any) error      { u.reply = message; return nil }
func (u *unaryStream) RecvMsg(message any) error {
	if u.decode == nil {
		return io.EOF
	}
	defer func() { u.decode = nil }()
	return u.decode(message)
}

// A definition says what to answer.
type definition struct {
	ResponseHeaders  []header        `json:"response_headers"`
	ResponseData     json.RawMessage `json:"response_data"` // one or several
	ResponseDelayMs  int64           `json:"response_delay_ms"`
	Error            *failure        `json:"error"`
	ResponseTrailers []header        `json:"response_trailers"`
}

type payload struct {
	Data        string       `json:"data"`
	RequestInfo *requestInfo `json:"request_info,omitempty"`
}

type requestInfo struct {
	RequestHeaders []header          `json:"request_headers,omitempty"`
	TimeoutMs      *int64            `json:"timeout_ms,omitempty"`
	Requests       []json.RawMessage `json:"requests"`
}

// An answering is a call that is being answered as its first request asks.
type answering struct {
	method     string
	stream     grpc.ServerStream
	asked      definition
	fullDuplex bool
	data       []string          // of the answers
	sent       int               // of them
	requests   []json.RawMessage // since the last answer
}

func answer(method string, stream grpc.ServerStream) error {
	if method == "Unimplemented" {
		return status.Error(codes.Unimplemented, "asked for")
	}
	a := &answering{method: method, stream: stream}
	if err := a.receiveAll(); err != nil {
		return err
	}
	for a.sent < len(a.data) {
		if err := a.send(); err != nil {
			return err
		}
	}
	if a.asked.Error != nil {
		return a.fail()
	}
	return nil
}

// receiveAll takes all requests. Of a full-duplex stream each is answered as it comes, until there are no more answers.
func (a *answering) receiveAll() error {
	for first := true; ; first = false {
		text, err := a.receive()
		switch {
		case errors.Is(err, io.EOF) && first:
			return a.begin(nil)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if first {
			if err := a.begin(text); err != nil {
				return err
			}
		}
		switch {
		case !a.fullDuplex:
		case a.sent == len(a.data):
			return nil
		default:
			if err := a.send(); err != nil {
				return err
			}
		}
	}
}

func (a *answering) receive() (json.RawMessage, error) {
	message := newMessage(a.method + "Request")
	if err := a.stream.RecvMsg(message); err != nil {
		return nil, err
	}
	text, err := pack(message)
	a.requests = append(a.requests, text)
	return text, err
}

// begin reads what is to be answered from the first request; there may be none.
func (a *answering) begin(first json.RawMessage) error {
	var request struct {
		ResponseDefinition definition `json:"response_definition"`
		FullDuplex         bool       `json:"full_duplex"`
	}
	if first != nil {
		if err := json.Unmarshal(first, &request); err != nil {
			return err
		}
	}
	a.asked, a.fullDuplex = request.ResponseDefinition, request.FullDuplex
	streams := a.method == "ServerStream" || a.method == "BidiStream"
	switch data := a.asked.ResponseData; {
	case streams && data != nil:
		if err := json.Unmarshal(data, &a.data); err != nil {
			return err
		}
	case !streams && a.asked.Error == nil:
		a.data = make([]string, 1)
		if data != nil {
			if err := json.Unmarshal(data, &a.data[0]); err != nil {
				return err
			}
		}
	}
	a.stream.SetTrailer(toMetadata(a.asked.ResponseTrailers))
	headers := toMetadata(a.asked.ResponseHeaders)
	if a.fullDuplex || a.method == "ServerStream" {
		return a.stream.SendHeader(headers)
	}
	return a.stream.SetHeader(headers)
}

// send sends the next answer: the first, and each of a full-duplex stream, with what was asked.
func (a *answering) send() error {
	p := payload{Data: a.data[a.sent]}
	switch {
	case a.sent == 0:
		p.RequestInfo = a.info()
	case a.fullDuplex && len(a.requests) > 0:
		p.RequestInfo = &requestInfo{Requests: a.requests}
	}
	a.sent++
	a.requests = nil
	if err := a.wait(); err != nil {
		return err
	}
	message := newMessage(a.method + "Response")
	if err := fromGo(map[string]payload{"payload": p}, message); err != nil {
		return err
	}
	return a.stream.SendMsg(message)
}

// wait waits until an answer is due, and returns an error if the call's deadline has passed by then: a client that stood still
// in the meantime would see an answer.
func (a *answering) wait() error {
	time.Sleep(time.Duration(a.asked.ResponseDelayMs) * time.Millisecond)
	if deadline, ok := a.stream.Context().Deadline(); ok && !time.Now().Before(deadline) {
		return status.FromContextError(context.DeadlineExceeded).Err()
	}
	return nil
}

func (a *answering) info() *requestInfo {
	ctx := a.stream.Context()
	md, _ := metadata.FromIncomingContext(ctx)
	info := &requestInfo{RequestHeaders: fromMetadata(md), Requests: a.requests}
	if deadline, ok := ctx.Deadline(); ok {
		left := max(0, time.Until(deadline)).Milliseconds()
		info.TimeoutMs = &left
	}
	return info
}

// fail ends the call with the error that was asked for, in which what was asked stands if no answer has it.
func (a *answering) fail() error {
	s := &statuspb.Status{Code: int32(a.asked.Error.Code), Message: a.asked.Error.Message}
	for _, text := range a.asked.Error.Details {
		detail, err := unpack(text)
		if err != nil {
			return err
		}
		if err := addDetail(s, detail); err != nil {
			return err
		}
	}
	if a.sent == 0 {
		if err := a.wait(); err != nil {
			return err
		}
		info := newMessage("ConformancePayload.RequestInfo")
		if err := fromGo(a.info(), info); err != nil {
			return err
		}
		if err := addDetail(s, info); err != nil {
			return err
		}
	}
	return status.ErrorProto(s)
}

func addDetail(s *statuspb.Status, detail proto.Message) error {
	packed, err := anypb.New(detail)
	s.Details = append(s.Details, packed)
	return err
}
