// Package tcp is the floor: the cost of a call on a bare socket of this machine, without any RPC library.
//
// Both sides send frames: 16 bytes of header, numbers in big-endian order, then the payload.
//
//	bytes 0–3    length of the payload, at most 64 MiB (67,108,864)
//	byte  4      request: kind, 0 to 2; reply: status, a gRPC code, 0 is OK; plus 128 with accesses to a store
//	bytes 5–7    number of operations in the payload, at most 100,000; 0 is a payload that is no batch
//	bytes 8–11   request: size of each reply's payload, at most 64 MiB; reply: 0
//	bytes 12–15  request: number of replies; reply: 0
//
// All operations have the same length, and follow one another without gaps: 8 bytes of id, in big-endian order, and a
// payload. A reply to a batch has as many operations, with the same ids in the same order.
//
// An operation that accesses the server's store has 8 bytes of id, 8 of key, 4 with the length of a value, and the value,
// which replaces that of the key. One without a value reads. An answer has 8 bytes of id, 4 with the length of the value that
// was read, and the value. The sizes of their replies are not asked for.
//
// The server reads a request and sends its replies, one request after another, with two exceptions. It holds back replies
// to requests of kind 1 until a request of kind 0 arrives, up to 64 MiB of payload (and 100,000 headers). It sends replies
// to a request of kind 2 while it reads requests that ask for none, until the next one that does. A reply as long as its
// request carries the request's payload; any other reply, or each of its operations, carries the payload that the server
// was given for that size. The server may hold replies back while it has bytes of further requests at hand, so a client
// never waits for a reply between two parts of one frame.
//
// A request that the server can't answer gets one reply, a status with a sentence as its payload, and the server closes the
// socket. The socket stays open after PERMISSION_DENIED, for a client that may not call, and after RESOURCE_EXHAUSTED, for
// a request above one of the server's own limits. Of such requests only those of kind 0 that ask for a reply get a status.
//
// The kinds of calls differ in what the client sends:
//
//   - unary and ping_pong send a request with one reply;
//   - stream sends such requests without waiting;
//   - burst sends requests of kind 1 and a last one of kind 0;
//   - upload sends requests without a reply and a last one with one;
//   - download sends one request with all the replies;
//   - both_ways begins with a request of kind 2 for all the replies but one, goes on with requests that ask for none, and
//     ends with one that asks for the last reply.
//
// There is no multiplexing: a slot has its own socket, except that slots sharing a stream of ping_pong or burst share its
// socket. There is no compression and no retry. TLS wraps the whole connection, without ALPN. In TLS 1.3 a client does not
// learn whether its certificate was accepted before the server has sent something. If the server asks for a certificate,
// connecting therefore ends with an empty request, which any answer confirms.
package tcp

import (
	"context"

	"rpcbench/internal/stack"
)

// New returns the stack "tcp".
func New() stack.Stack { return floor{} }

type floor struct{}

// Info is stack.Stack's.
func (floor) Info() stack.Info {
	return stack.Info{
		Name:     "tcp",
		Protocol: stack.ProtocolTCP,
		Serves:   true,
		Calls:    true,
		Kinds: []string{
			stack.KindConnect, stack.KindFirstCall, stack.KindUnary, stack.KindStream, stack.KindPingPong,
			stack.KindBurst, stack.KindUpload, stack.KindDownload, stack.KindBothWays,
		},
		Networks:     stack.Networks(),
		Securities:   []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS},
		Compressions: []string{stack.CompressionNone},
		Sizes:        true,
		Stores:       true,
	}
}

// Serve is stack.Stack's.
func (f floor) Serve(config stack.ServeConfig) (stack.Server, error) {
	if err := f.Info().CheckServe(config); err != nil {
		return nil, err
	}
	return serve(config), nil
}

// Dial opens the first socket. The others are opened by the first calls of their slots.
func (f floor) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := f.Info().CheckDial(config); err != nil {
		return nil, err
	}
	c := newConn(config)
	first, err := c.dialConfirmed(ctx)
	if err != nil {
		return nil, stack.Failure(ctx, stack.NetCode(err), err)
	}
	c.spare = first
	return c, nil
}
