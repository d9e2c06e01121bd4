package wire

import (
	"cmp"
	"net/http"
	"slices"

	"rpcbench/internal/stack"
)

// messages is the form of gRPC: messages with a prefix, and a status at the end.
type messages struct{}

func (messages) fields(call Call) []Field {
	fields := []Field{{"content-type", "application/grpc"}, {"te", "trailers"}}
	if !slices.ContainsFunc(call.Header, func(f Field) bool { return f.Name == "user-agent" }) {
		fields = append(fields, Field{"user-agent", "rpcbench"})
	}
	if call.Gzip {
		fields = append(fields, Field{"grpc-encoding", encodingGzip}, Field{"grpc-accept-encoding", encodingGzip})
	}
	return fields
}

// opens refuses responses that are not gRPC.
func (messages) opens(_ *stream, h *head) error { return h.refusal() }

func (messages) length(_ Call, h *head) int64 { return h.length }

// deliver hands messages over.
func (messages) deliver(l *link, s *stream, payload []byte) bool {
	id := s.id
	for len(payload) > 0 {
		message, rest, ok, err := s.next(payload, l.client.config.MessageBytesMax)
		if err != nil {
			l.fail(s, codeCancel, err)
			return false
		}
		if !ok {
			return true
		}
		payload = rest
		l.reply(s, message)
		if s.id != id {
			return false
		}
	}
	return true
}

// A reply is a message that came.
type reply struct {
	payload []byte
	bytes   int
	counted bool // it has no payload
}

// next takes the next message from the payload of DATA frames.
func (s *stream) next(data []byte, limit int) (r reply, rest []byte, ok bool, err error) {
	if s.lane.call.Counts && !s.isZipped(data) {
		r.counted = true
		r.bytes, rest, ok, err = s.pass(data, limit)
	} else {
		r.payload, rest, ok, err = s.deframe(data, min(limit, cmp.Or(s.lane.call.ReplyBytesMax, limit)))
	}
	return r, rest, ok, err
}

// give hands a reply to an exchange.
func (r reply) give(to Exchange, isZipped bool) {
	if counter, ok := to.(Counter); ok && r.counted {
		counter.Count(r.bytes)
	} else {
		to.Reply(r.payload, isZipped)
	}
}

func (messages) verdict(s *stream, h *head) error {
	switch {
	case h == nil:
		return stack.Errorf(stack.Internal, "the server ended the stream without a status")
	case h.grpc == int(stack.OK):
		return nil
	case h.grpc > 0:
		return h.failure()
	case h.grpc == badStatus:
		return stack.Errorf(stack.Unknown, "grpc-status is not a number")
	case !s.headed && h.status != http.StatusOK:
		return h.refusal()
	}
	return stack.Errorf(stack.Unknown, "the response ended without a grpc-status")
}
