package service

import (
	"errors"
	"io"
	"math"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
)

// Respond returns BenchmarkService's answer to a request, or the status that it asks for as an *Error.
func Respond(request *testpb.SimpleRequest, from *stack.Responder) (*testpb.SimpleResponse, error) {
	if asked := request.GetResponseStatus(); asked.GetCode() != 0 {
		return nil, &stack.Error{Code: stack.Code(asked.GetCode()), Err: errors.New(asked.GetMessage())}
	}
	n := request.GetResponseSize()
	if err := from.Check("response_size", 0, int64(n)); err != nil {
		return nil, err
	}
	body := from.Payload(request.GetPayload().GetBody(), int(n))
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Type: request.GetResponseType(), Body: body}}, nil
}

// BodyBytes returns the length of an answer's payload.
func BodyBytes(answer *testpb.SimpleResponse) int { return len(answer.GetPayload().GetBody()) }

// AnswerEach answers every message of a stream: at once, or in groups of burst, the value of stack.BurstMetadata. An answer's
// payloads have size bytes. It returns an *Error of its own, and errors of the stream and of respond unchanged.
func AnswerEach[Q, A any](
	stream interface {
		Receiver[Q]
		Sender[A]
	}, burst string, from *stack.Responder, respond func(*Q) (*A, error), size func(*A) int,
) error {
	answers, err := stack.NewBurst[*A](from, burst)
	if err != nil {
		return err
	}
	defer answers.Close()
	send := stream.Send
	for {
		request, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		answer, err := respond(request)
		if err != nil {
			return err
		}
		if err := answers.Add(answer, size(answer), send); err != nil {
			return err
		}
	}
}

// A worker is a request that may ask for more than an answer.
type worker interface {
	// Works reports whether it has the server do something, whoever takes the answer.
	Works() bool
}

// AnswerLast answers the last message of a stream, once the client has sent all; without any an empty one. Messages before it are
// responded to if they have the server do something.
func AnswerLast[Q, A any](stream Receiver[Q], respond func(*Q) (*A, error)) (*A, error) {
	last, answer := new(Q), (*A)(nil)
	for {
		request, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF) && answer != nil:
			return answer, nil
		case errors.Is(err, io.EOF):
			return respond(last)
		case err != nil:
			return nil, err
		}
		last, answer = request, nil
		if asked, ok := any(request).(worker); ok && asked.Works() {
			if answer, err = respond(request); err != nil {
				return nil, err
			}
		}
	}
}

// AnswerMany sends an answer as often as count says, the value of stack.MessagesMetadata. Without a count it sends until the
// client ends the call, as gRPC's own benchmark servers do.
func AnswerMany[A any](stream Sender[A], answer *A, count string) error {
	most, err := stack.ReadCount(stack.MessagesMetadata, count, 0, math.MaxInt)
	if err != nil {
		return err
	}
	for i := 0; count == "" || i < most; i++ {
		if err := stream.Send(answer); err != nil {
			return err
		}
	}
	return nil
}
