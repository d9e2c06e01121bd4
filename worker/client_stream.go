package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"io"

	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

// The second byte of a stream's first message says what the server answers. A number in base 128 and the message follow. Later
// messages of a stream have no such header.
const (
	each  byte = iota // every message, as many together as the number says; 0 is each at once
	last              // the last message
	many              // the first message, as often as the number says; 0 is until the client has enough
	aside             // the first message as many does, and meanwhile receives the others
)

// headBytesMax is the most that a message has besides protobuf.
const headBytesMax = 2 + binary.MaxVarintLen64

// streams opens the streams of a slot's calls, in the form that package service needs.
type streams[Q, A any, PQ message[Q], PA message[A]] struct {
	content byte
	call    stack.Call
	open    func(ctx context.Context) (*linkStream, error)
}

func (s streams[Q, A, PQ, PA]) upload(ctx context.Context) (service.Uploading[Q, A], error) {
	return s.begin(ctx, last, 0)
}

func (s streams[Q, A, PQ, PA]) download(ctx context.Context, request *Q) (service.Receiver[A], error) {
	open, err := s.begin(ctx, many, s.call.Messages)
	if err != nil {
		return nil, err
	}
	err = open.Send(request)
	if err == nil {
		err = open.CloseSend()
	}
	if err != nil && !errors.Is(err, io.EOF) { // after EOF, Recv says why
		open.cancel()
		return nil, err
	}
	return open, nil
}

func (s streams[Q, A, PQ, PA]) bothWays(ctx context.Context) (service.Streaming[Q, A], error) {
	return s.begin(ctx, aside, s.call.Messages)
}

func (s streams[Q, A, PQ, PA]) stream(ctx context.Context, burst string) (service.Streaming[Q, A], error) {
	together := 0
	if burst != "" {
		together = s.call.Messages
	}
	return s.begin(ctx, each, together)
}

func (s streams[Q, A, PQ, PA]) begin(ctx context.Context, answers byte, number int) (*clientStream[Q, A, PQ, PA], error) {
	open, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	head := binary.AppendUvarint([]byte{s.content, answers}, uint64(number))
	return &clientStream[Q, A, PQ, PA]{linkStream: open, head: head, most: s.call.ReplyBytesMax()}, nil
}

// A clientStream is a stream of requests and answers.
type clientStream[Q, A any, PQ message[Q], PA message[A]] struct {
	*linkStream

	head   []byte // of the first message; nil once it is sent
	buffer []byte // of the sender
	most   int    // bytes of a reply
}

// Send is service.Sender's.
func (s *clientStream[Q, A, PQ, PA]) Send(request *Q) error {
	encoded, err := proto.MarshalOptions{}.MarshalAppend(append(s.buffer[:0], s.head...), PQ(request))
	if err != nil {
		return stack.Errorf(stack.Internal, "encode the request: %w", err)
	}
	s.buffer, s.head = encoded, nil
	return s.linkStream.Send(encoded)
}

// Recv is service.Receiver's.
func (s *clientStream[Q, A, PQ, PA]) Recv() (*A, error) {
	got, err := s.linkStream.Recv()
	if err != nil {
		return nil, err
	}
	answer, err := decodeReply[A, PA](got, s.most)
	if err != nil {
		s.cancel() // ends the sender too
	}
	return answer, err
}

// CloseAndRecv is service.Uploading's.
func (s *clientStream[Q, A, PQ, PA]) CloseAndRecv() (*A, error) {
	if err := s.CloseSend(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	answer, err := s.Recv()
	switch {
	case errors.Is(err, io.EOF):
		return nil, stack.Errorf(stack.Internal, "the server ended the stream without a reply")
	case err != nil:
		return nil, err
	}
	switch _, err := s.linkStream.Recv(); {
	case errors.Is(err, io.EOF):
		return answer, nil
	case err == nil:
		s.cancel()
		return nil, stack.Errorf(stack.Internal, "the server sent a second reply")
	default:
		return nil, err
	}
}

// decodeReply decodes a reply of at most that number of bytes.
func decodeReply[A any, PA message[A]](got []byte, most int) (*A, error) {
	if len(got) > most {
		return nil, stack.Errorf(stack.ResourceExhausted, "the reply has %d bytes, %d at most", len(got), most)
	}
	reply := new(A)
	if err := proto.Unmarshal(got, PA(reply)); err != nil {
		return nil, stack.Errorf(stack.Internal, "decode the reply: %w", err)
	}
	return reply, nil
}
