package grpcwire

import (
	"bytes"
	"encoding/binary"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/wire"
)

// An exchange is a slot's messages and replies: wire.Exchange.
type exchange struct {
	script  *script // shared by all slots
	message []byte
	verdict error // of the replies that were due; nil before the last of them
	got     int
	replies stack.Replies
	answers answers
	packer  *packer               // what follows is another object, so that a call touches little memory
	drawn   *testpb.SimpleRequest // of a call whose lengths differ; nil of others
	access  *batchv1.Batch        // of a call whose operations access a store; nil of others
}

// newExchange makes the one of a slot that is to be in the lane.
func newExchange(lane *wire.Lane, s *script, call stack.Call, slot int) wire.Exchange {
	if call.Method != nil {
		return newForeign(s, call, slot, func() { lane.Resume(slot) })
	}
	e := &exchange{script: s, message: s.message, replies: stack.NewReplies(call, slot), packer: &packer{most: s.call.ReplyBytesMax}}
	if s.batch > 0 || call.Sizes != nil {
		e.message = bytes.Clone(s.message) // its ids, or its lengths, are the slot's
		e.packer.on = s.gzip
	}
	if call.Accesses != nil {
		e.access = batchv1.NewAccesses(call.Batch, call.Request)
	}
	if call.Sizes != nil {
		e.drawn = &testpb.SimpleRequest{Payload: &testpb.Payload{}}
	}
	return e
}

// Begin is wire.Exchange's.
func (e *exchange) Begin() (messages int, err error) {
	e.replies.Begin()
	e.got, e.verdict = 0, nil
	return e.script.sends, nil
}

// Fields is wire.Exchange's.
func (e *exchange) Fields() []byte { return nil }

// Message is wire.Exchange's.
func (e *exchange) Message(i int) ([]byte, error) {
	switch {
	case e.drawn != nil:
		return e.draw(e.replies.Message(i))
	case e.access != nil:
		e.access.Prepare(e.replies.Message(i))
		return e.encode(e.access)
	case e.script.batch == 0:
		return e.message, nil
	}
	e.script.number(e.message, e.replies.FirstID(i))
	return e.packer.pack(e.message), nil
}

// draw encodes a message whose lengths differ from others'.
func (e *exchange) draw(message stack.Message) ([]byte, error) {
	e.drawn.ResponseSize, e.drawn.Payload.Body = int32(message.ResponseBytes), message.Payload
	return e.encode(e.drawn)
}

// encode returns a message as it travels.
func (e *exchange) encode(message proto.Message) ([]byte, error) {
	encoded, err := proto.MarshalOptions{}.MarshalAppend(e.message[:prefixBytes], message)
	if err != nil {
		return nil, stack.Errorf(stack.Internal, "the request can't be encoded: %w", err)
	}
	e.message = encoded
	e.message[0] = 0
	binary.BigEndian.PutUint32(e.message[1:], uint32(len(encoded)-prefixBytes))
	return e.packer.pack(e.message), nil
}

// Reply is wire.Exchange's. The last reply that is due is checked here, because its bytes are gone afterwards.
func (e *exchange) Reply(payload []byte, compressed bool) {
	e.got++
	message, err := e.packer.unpack(payload, compressed)
	if err != nil {
		e.verdict = err
		return
	}
	reply, err := e.decode(message)
	if err != nil {
		e.verdict = stack.Errorf(stack.Internal, "reply %d can't be decoded: %w", e.got, err)
		return
	}
	e.replies.Add(reply)
	if e.got == e.script.call.Replies && e.verdict == nil {
		e.replies.End()
		e.verdict = e.replies.Verify()
	}
}

// End is wire.Exchange's.
func (e *exchange) End() error {
	if e.got != e.script.call.Replies && e.verdict == nil {
		e.replies.End()
		return e.replies.Verify()
	}
	return e.verdict
}

func (e *exchange) decode(payload []byte) (stack.Reply, error) {
	if e.script.batch == 0 {
		body, err := bodyOf(payload)
		return stack.Reply{Payload: body}, err
	}
	err := e.answers.decode(payload)
	return stack.Reply{Answers: &e.answers}, err
}

// Fields of the messages.
const (
	fieldPayload    = 1 // of SimpleResponse
	fieldBody       = 2 // of Payload
	fieldOperations = 1 // of Batch
	fieldID         = 1 // of Operation
	fieldBytes      = 2 // of Operation
)

// bodyOf returns the payload of a SimpleResponse.
func bodyOf(message []byte) (body []byte, err error) {
	err = eachBytes(message, func(field protowire.Number, inner []byte) error {
		if field != fieldPayload {
			return nil
		}
		return eachBytes(inner, func(field protowire.Number, bytes []byte) error {
			if field == fieldBody {
				body = bytes
			}
			return nil
		})
	})
	return body, err
}

// eachBytes goes through a message's fields and visits those that have a length.
func eachBytes(message []byte, visit func(protowire.Number, []byte) error) error {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		if kind != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(field, kind, message); n < 0 {
				return protowire.ParseError(n)
			}
			message = message[n:]
			continue
		}
		inner, n := protowire.ConsumeBytes(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		if err := visit(field, inner); err != nil {
			return err
		}
		message = message[n:]
	}
	return nil
}

// answers are the operations of a Batch that came.
type answers struct{ all []answer }

type answer struct {
	id      uint64
	payload []byte
}

// Len is stack.Answers'.
func (a *answers) Len() int { return len(a.all) }

// Answer is stack.Answers'.
func (a *answers) Answer(i int) (id uint64, payload []byte) { return a.all[i].id, a.all[i].payload }

func (a *answers) decode(message []byte) error {
	a.all = a.all[:0]
	return eachBytes(message, func(field protowire.Number, operation []byte) error {
		if field != fieldOperations {
			return nil
		}
		one, err := decodeAnswer(operation)
		a.all = append(a.all, one)
		return err
	})
}

func decodeAnswer(operation []byte) (one answer, err error) {
	for len(operation) > 0 {
		field, kind, n := protowire.ConsumeTag(operation)
		if n < 0 {
			return one, protowire.ParseError(n)
		}
		operation = operation[n:]
		switch {
		case field == fieldID && kind == protowire.Fixed64Type:
			one.id, n = protowire.ConsumeFixed64(operation)
		case field == fieldBytes && kind == protowire.BytesType:
			one.payload, n = protowire.ConsumeBytes(operation)
		default:
			n = protowire.ConsumeFieldValue(field, kind, operation)
		}
		if n < 0 {
			return one, protowire.ParseError(n)
		}
		operation = operation[n:]
	}
	return one, nil
}
