package worker

import (
	"crypto/tls"
	"net"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/service"
)

// The first byte of a message says what follows.
const (
	singles byte = iota // a SimpleRequest
	batches             // a Batch
)

// answers holds what a server answers with.
type answers struct {
	from      *stack.Responder
	limits    stack.Limits
	authorize func(tls.ConnectionState) error // nil lets everybody call
}

func newAnswers(config stack.ServeConfig) answers {
	return answers{stack.NewResponder(config), config.Limits, config.Authorize}
}

// handle answers a message of a client that may call. Errors are *Error.
func (a answers) handle(from net.Conn, message []byte) ([]byte, error) {
	if err := a.allow(from); err != nil {
		return nil, outside(err)
	}
	reply, err := a.reply(message)
	if err != nil {
		return nil, outside(err)
	}
	encoded, err := proto.Marshal(reply)
	if err != nil {
		return nil, Errorf(Internal, "encode the reply: %v", err)
	}
	return encoded, nil
}

// allow refuses a client that may not call.
func (a answers) allow(from net.Conn) error {
	if a.authorize == nil {
		return nil
	}
	var state tls.ConnectionState
	if secured, ok := from.(*tls.Conn); ok {
		state = secured.ConnectionState()
	}
	return a.authorize(state)
}

func (a answers) reply(message []byte) (proto.Message, error) {
	if len(message) == 0 {
		return nil, stack.Errorf(stack.InvalidArgument, "the message is empty")
	}
	switch first, rest := message[0], message[1:]; first {
	case singles:
		asked, err := a.single(rest)
		if err != nil {
			return nil, err
		}
		return a.respond(asked)
	case batches:
		asked, err := a.batch(rest)
		if err != nil {
			return nil, err
		}
		return asked.Respond(a.from)
	default:
		return nil, stack.Errorf(stack.InvalidArgument, "the message begins with %d", first)
	}
}

func (a answers) respond(asked *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	return service.Respond(asked, a.from)
}

func (a answers) respondBatch(asked *batchv1.Batch) (*batchv1.Batch, error) {
	return asked.Respond(a.from)
}

// single decodes a request.
func (a answers) single(encoded []byte) (*testpb.SimpleRequest, error) {
	asked := new(testpb.SimpleRequest)
	return asked, a.decode(encoded, asked)
}

// batch decodes a batch, and refuses more operations than the server allows.
func (a answers) batch(encoded []byte) (*batchv1.Batch, error) {
	if batchv1.Exceeds(encoded, a.limits.Operations()) {
		return nil, a.limits.CheckOperations(a.limits.Operations() + 1)
	}
	asked := new(batchv1.Batch)
	return asked, a.decode(encoded, asked)
}

func (a answers) decode(encoded []byte, into proto.Message) error {
	if most := a.limits.Request(stack.EncodedBytesMax); len(encoded) > most {
		return stack.Errorf(stack.ResourceExhausted, "the message has more than %d bytes", most)
	}
	if err := proto.Unmarshal(encoded, into); err != nil {
		return stack.Errorf(stack.InvalidArgument, "decode the request: %w", err)
	}
	return nil
}
