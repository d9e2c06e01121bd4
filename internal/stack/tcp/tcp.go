// Package tcp is the floor: what a call costs on a bare socket of this machine, with no RPC library at all.
//
// Both sides send frames: 16 bytes of header, numbers in big-endian order, then the payload.
//
//	bytes 0–3    length of the payload, at most 64 MiB (67,108,864)
//	byte  4      request: kind, 0 to 2; reply: status, a gRPC code, 0 is OK
//	bytes 5–7    number of operations in the payload, at most 100,000; 0 is a payload that is no batch
//	bytes 8–11   request: size of each reply's payload, at most 64 MiB; reply: 0
//	bytes 12–15  request: number of replies; reply: 0
//
// Operations are equally long, and follow one another with nothing between: 8 bytes of id, in big-endian order, and a
// payload. A reply to a batch has as many, with the same ids in the same order.
//
// The server reads a request and sends its replies, one request after another; those to requests of kind 1 it holds back
// until a request of kind 0 has come, at most 64 MiB of payload (and 100,000 headers), and those to a request of kind 2 it
// sends while it reads requests that ask for none, to the next that asks for one. A reply as long as its request
// carries the request's payload, another one, or each of its operations, the payload that the server was given for that
// size. A request that the server can't answer gets one reply, a status with a sentence for people as its payload, and
// the server closes the socket; but it goes on after PERMISSION_DENIED, of a client that may not call, and after
// RESOURCE_EXHAUSTED, of a request above one of the server's own limits. Of such requests only those of kind 0 that ask for
// a reply get a status.
// The server may hold replies back while it has bytes of further requests at hand, so a client never waits for a reply
// between two parts of one frame.
//
// The kinds of calls differ in what the client sends: unary and ping_pong a request with one reply, stream such requests
// without waiting, burst requests of kind 1 and a last one of kind 0, upload requests with no reply and a last one with
// one, download one request with all the replies. both_ways begins with a request of kind 2 for all the replies but one,
// goes on with requests that ask for none, and ends with one that asks for the last reply.
//
// It has no multiplexing: a slot has its own socket; slots that share a stream of ping_pong or burst share its socket. There is
// no compression and no retry. TLS is plain TLS around all of it, without ALPN. In TLS 1.3 a client does not learn whether
// its certificate was taken before the server has sent something; so where a server asks for one, connecting ends with
// an empty request, which any answer confirms.
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
