package wire

import (
	"net/http"

	"rpcbench/internal/stack"
)

// plain is the form of HTTP without more: a response's status is the verdict, and its body is handed over as it comes.
type plain struct{ expected stack.Statuses }

func (plain) fields(Call) []Field { return nil }

func (plain) opens(s *stream, h *head) error {
	s.status = h.status
	return nil
}

func (plain) length(call Call, h *head) int64 {
	if call.Verb == http.MethodHead || h.status == http.StatusNotModified {
		return noLength // of the body that there would be
	}
	return h.length
}

func (plain) deliver(_ *link, s *stream, payload []byte) bool {
	if p := s.places.At(0); len(payload) > 0 && p.taken() {
		p.slot.exchange.Reply(payload, false)
	}
	return true
}

func (p plain) verdict(s *stream, h *head) error {
	status := s.status
	if !s.headed {
		status = h.status
	}
	return p.expected.Check(status)
}
