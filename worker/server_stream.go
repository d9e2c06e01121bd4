package worker

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strconv"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/service"
)

// handleStream answers the stream of a client that may call. Errors are *Error.
func (a answers) handleStream(from net.Conn, stream Stream) error {
	err := a.allow(from)
	if err == nil {
		err = a.answerStream(stream)
	}
	if err != nil {
		return outside(err)
	}
	return nil
}

func (a answers) answerStream(stream Stream) error {
	first, err := stream.Recv()
	switch {
	case errors.Is(err, io.EOF):
		return stack.Errorf(stack.InvalidArgument, "the stream has no message")
	case err != nil:
		return inside(err)
	case len(first) < 3:
		return stack.Errorf(stack.InvalidArgument, "the stream's first message has %d bytes, and no head", len(first))
	}
	number, length := binary.Uvarint(first[2:])
	if length <= 0 {
		return stack.Errorf(stack.InvalidArgument, "the stream's first message has no number")
	}
	asked := asking{answers: first[1], from: a.from}
	if number > 0 {
		asked.number = strconv.FormatUint(number, 10)
	}
	message := first[2+length:]
	switch content := first[0]; content {
	case singles:
		s := newServed[testpb.SimpleRequest, testpb.SimpleResponse](stream, message, a.single)
		return answer(asked, s, a.respond, service.BodyBytes)
	case batches:
		s := newServed[batchv1.Batch, batchv1.Batch](stream, message, a.batch)
		return answer(asked, s, a.respondBatch, (*batchv1.Batch).OperationBytes)
	default:
		return stack.Errorf(stack.InvalidArgument, "the stream begins with %d", content)
	}
}

// An asking is the request in the head of a stream's first message.
type asking struct {
	answers byte
	number  string // empty is none
	from    *stack.Responder
}

// answer answers a stream by respond. An answer's payloads have size bytes.
func answer[Q, A any, PA message[A]](
	asked asking, stream *served[Q, A, PA], respond func(*Q) (*A, error), size func(*A) int,
) error {
	switch asked.answers {
	case each:
		return service.AnswerEach(stream, asked.number, asked.from, respond, size)
	case last:
		reply, err := service.AnswerLast(stream, respond)
		if err != nil {
			return err
		}
		return stream.Send(reply)
	case many:
		request, err := stream.Recv()
		if err != nil {
			return err
		}
		reply, err := respond(request)
		if err != nil {
			return err
		}
		return service.AnswerMany(stream, reply, asked.number)
	case aside:
		return service.AnswerBothWays(stream, asked.number, respond)
	default:
		return stack.Errorf(stack.InvalidArgument, "the stream asks for %d, which is unknown", asked.answers)
	}
}

// A served stream is a server's. Errors are io.EOF and *stack.Error.
type served[Q, A any, PA message[A]] struct {
	stream Stream
	first  []byte // the first message without its head; nil once it is received
	decode func(encoded []byte) (*Q, error)
	buffer []byte // of the sender
}

func newServed[Q, A any, PA message[A]](
	stream Stream, first []byte, decode func(encoded []byte) (*Q, error),
) *served[Q, A, PA] {
	return &served[Q, A, PA]{stream: stream, first: first, decode: decode}
}

// Recv is service.Receiver's.
func (s *served[Q, A, PA]) Recv() (*Q, error) {
	encoded := s.first
	if s.first = nil; encoded != nil {
		return s.decode(encoded)
	}
	encoded, err := s.stream.Recv()
	if err != nil {
		return nil, ended(err)
	}
	return s.decode(encoded)
}

// Send is service.Sender's.
func (s *served[Q, A, PA]) Send(reply *A) error {
	encoded, err := proto.MarshalOptions{}.MarshalAppend(s.buffer[:0], PA(reply))
	if err != nil {
		return stack.Errorf(stack.Internal, "encode the reply: %w", err)
	}
	s.buffer = encoded
	return ended(s.stream.Send(encoded))
}
