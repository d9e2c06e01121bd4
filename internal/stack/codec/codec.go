// Package codec is the stack of the kinds encode and decode: the cost of turning a message into bytes and back.
//
// There is no server and nothing to dial: a call is a calibrated number of operations on one message, made from a seed,
// the same in every language (testdata/messages.json). Encode goes from a message object to new bytes, decode from bytes to
// a new message object with every field set: a generated struct for protobuf, a plain one for JSON, as in programs. Before
// anything is measured, a round trip must preserve the message.
package codec

import (
	"context"
	"time"

	"rpcbench/internal/stack"
)

// New returns the stack codec-go.
func New() stack.Stack { return library{time.Now} }

// A library is all codecs, with the clock that calibrates calls.
type library struct{ now func() time.Time }

// Info implements stack.Stack.
func (library) Info() stack.Info {
	return stack.Info{
		Name:     "codec-go",
		Protocol: stack.ProtocolCodec,
		Module:   "google.golang.org/protobuf github.com/segmentio/encoding",
		Calls:    true,
		Kinds:    []string{stack.KindEncode, stack.KindDecode},
		Messages: messageNames(),
		Codecs:   codecNames(),
	}
}

// Serve implements stack.Stack.
func (library) Serve(stack.ServeConfig) (stack.Server, error) {
	return nil, stack.Errorf(stack.Unimplemented, "codec-go has no server")
}

// Dial implements stack.Stack. It opens nothing.
func (l library) Dial(_ context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := l.Info().CheckDial(config); err != nil {
		return nil, err
	}
	return desk(l), nil
}

// A desk stands in for a connection: it makes Callers that encode and decode.
type desk library

// Caller implements stack.Conn. It checks that the codec loses nothing of the message, and then takes about
// call.Codec.Sample, and seldom more than 10 s, to find how many operations a call has.
func (d desk) Caller(call stack.Call, slot int) (stack.Caller, error) {
	if err := library(d).Info().CheckCall(call, slot, 1); err != nil {
		return nil, err
	}
	asked := call.Codec
	made := &caller{
		operations: bind(asked.Codec, newMessage(asked.Message, asked.Seed)),
		decodes:    call.Kind == stack.KindDecode,
	}
	if err := made.prepare(d.now, asked.Sample); err != nil {
		return nil, stack.Errorf(stack.DataLoss, "%s of %s: %w", asked.Codec, asked.Message, err)
	}
	return made, nil
}

// Close implements stack.Conn.
func (desk) Close() error { return nil }
