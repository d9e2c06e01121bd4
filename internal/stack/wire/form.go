package wire

// A form is how a Lane's calls lie in streams of HTTP/2: as messages of gRPC, or as requests and bodies of HTTP.
type form interface {
	// fields are those of a request's header that every call has, behind the pseudo-fields and before Config's.
	fields(call Call) []Field
	// opens looks at the header that a response begins with. With an error its call ends there.
	opens(s *stream, h *head) error
	// length is that of the body which a header says that follows; noLength where it does not say.
	length(call Call, h *head) int64
	// deliver takes the payload of DATA, and tells whether the stream is still open.
	deliver(l *link, s *stream, payload []byte) bool
	// verdict is what the end of a stream says of its call, nil being good: h is the block that ended it, and nil where DATA
	// did.
	verdict(s *stream, h *head) error
}

func formOf(call Call) form {
	if call.Verb != "" {
		return plain{}
	}
	return messages{}
}
