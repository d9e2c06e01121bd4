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

// The first byte of a message says what the rest is.
const (
	singles byte = iota // a SimpleRequest
	batches             // a Batch
)

// answers are what a server answers with.
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
	if a.authorize != nil {
		var state tls.ConnectionState
		if secured, ok := from.(*tls.Conn); ok {
			state = secured.ConnectionState()
		}
		if err := a.authorize(state); err != nil {
			return nil, outside(err)
		}
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

func (a answers) reply(message []byte) (proto.Message, error) {
	if len(message) == 0 {
		return nil, stack.Errorf(stack.InvalidArgument, "the message is empty")
	}
	first, rest := message[0], message[1:]
	if most := a.limits.Request(stack.EncodedBytesMax); len(rest) > most {
		return nil, stack.Errorf(stack.ResourceExhausted, "the message has more than %d bytes", most)
	}
	switch first {
	case singles:
		asked := new(testpb.SimpleRequest)
		if err := proto.Unmarshal(rest, asked); err != nil {
			return nil, stack.Errorf(stack.InvalidArgument, "decode the request: %w", err)
		}
		return service.Respond(asked, a.from)
	case batches:
		if batchv1.Exceeds(rest, a.limits.Operations()) {
			return nil, a.limits.CheckOperations(a.limits.Operations() + 1)
		}
		asked := new(batchv1.Batch)
		if err := proto.Unmarshal(rest, asked); err != nil {
			return nil, stack.Errorf(stack.InvalidArgument, "decode the request: %w", err)
		}
		return asked.Respond(a.from)
	default:
		return nil, stack.Errorf(stack.InvalidArgument, "the message begins with %d", first)
	}
}
