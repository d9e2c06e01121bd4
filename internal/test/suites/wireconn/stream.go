package wireconn

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// A stream is one call. It implements grpc.ClientStream.
type stream struct {
	ctx    context.Context
	desc   *grpc.StreamDesc
	config Config
	lane   *wire.Lane
	packer stack.Gzip // of requests

	mu       sync.Mutex
	changed  *sync.Cond // one of the following
	requests [][]byte   // as they travel
	closed   bool       // there are no more of them
	replies  [][]byte   // that were not received yet
	heads    []metadata.MD
	ended    bool
	err      error // once it has ended; nil is OK

	exchanged
}

// Context is grpc.ClientStream's.
func (s *stream) Context() context.Context { return s.ctx }

// SendMsg is grpc.ClientStream's. It returns before the message has left.
func (s *stream) SendMsg(message any) error {
	encoded, err := proto.Marshal(message.(proto.Message))
	if err != nil {
		return err
	}
	s.mu.Lock()
	ended := s.ended
	s.requests = append(s.requests, s.pack(encoded))
	s.mu.Unlock()
	if ended {
		return io.EOF
	}
	s.lane.Resume(0)
	return nil
}

// pack puts a prefix before a message.
func (s *stream) pack(message []byte) []byte {
	packed := append(make([]byte, prefixBytes), message...)
	if s.config.Gzip {
		packed = append([]byte(nil), s.packer.Pack([]byte{1, 0, 0, 0, 0}, message)...)
	}
	binary.BigEndian.PutUint32(packed[1:], uint32(len(packed)-prefixBytes))
	return packed
}

const prefixBytes = 5

// CloseSend is grpc.ClientStream's. A call whose context has ended is about to be canceled, and not to be completed before.
func (s *stream) CloseSend() error {
	if s.ctx.Err() == nil {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		s.lane.Resume(0)
	}
	return nil
}

// RecvMsg is grpc.ClientStream's. Where one reply is due it waits for the call's end, as its status counts before it.
func (s *stream) RecvMsg(message any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.ended && (len(s.replies) == 0 || !s.desc.ServerStreams) {
		s.changed.Wait()
	}
	switch {
	case errors.Is(s.ctx.Err(), context.Canceled) && s.desc.ServerStreams: // what came before that is not received after it
		return status.FromContextError(s.ctx.Err()).Err()
	case s.err != nil && (len(s.replies) == 0 || !s.desc.ServerStreams):
		return s.err
	case len(s.replies) == 0:
		return io.EOF
	}
	next := s.replies[0]
	s.replies = s.replies[1:]
	if err := proto.Unmarshal(next, message.(proto.Message)); err != nil {
		return status.Errorf(codes.Internal, "a reply can't be decoded: %v", err)
	}
	return nil
}

// Header is grpc.ClientStream's. What may be the trailers of a response without headers waits for the call's end.
func (s *stream) Header() (metadata.MD, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.ended && (len(s.heads) == 0 || isTrailer(s.heads[0])) {
		s.changed.Wait()
	}
	if len(s.heads) == 0 || len(s.heads) == 1 && isTrailer(s.heads[0]) {
		return nil, nil
	}
	return s.heads[0], nil
}

// Trailer is grpc.ClientStream's, for after the call's end.
func (s *stream) Trailer() metadata.MD {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trailer()
}

func (s *stream) trailer() metadata.MD {
	if last := len(s.heads) - 1; last > 0 || last == 0 && isTrailer(s.heads[0]) {
		return s.heads[last]
	}
	return nil
}

func isTrailer(head metadata.MD) bool { return len(head.Get("grpc-status")) > 0 }

// finish ends the call, with an *stack.Error or nil.
func (s *stream) finish(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.err = true, nil
	if err != nil {
		s.err = statusOf(s.codeOf(err), err, s.trailer())
	}
	s.changed.Broadcast()
}

// codeOf is that of an *stack.Error. The server knows the deadline, and may reset the stream before the timer here ends.
// MISMATCH, of which gRPC knows nothing, is UNKNOWN.
func (s *stream) codeOf(err error) codes.Code {
	code := stack.CodeOf(err)
	deadline, ok := s.ctx.Deadline()
	switch {
	case code == stack.Canceled && ok && !time.Now().Before(deadline):
		return codes.DeadlineExceeded
	case code > stack.Unauthenticated:
		return codes.Unknown
	}
	return codes.Code(code)
}
