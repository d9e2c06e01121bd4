package wire

// A form is how a Lane's calls lie in streams of HTTP/2: as messages of gRPC, or as requests and bodies of HTTP.
type form interface {
	// fields returns the fields of a request's header that every call has, after the pseudo-fields and before those of Config.
	fields(call Call) []Field
	// opens looks at the header that a response begins with. With an error its call ends there.
	opens(s *stream, h *head) error
	// length returns the length of the body that a header announces, or noLength.
	length(call Call, h *head) int64
	// deliver takes the payload of DATA, and reports whether the stream is still open.
	deliver(l *link, s *stream, payload []byte) bool
	// verdict returns the result that the end of a stream means for its call, nil for success. h is the block that ended the
	// stream, or nil if DATA did.
	verdict(s *stream, h *head) error
}

func formOf(call Call) form {
	if call.Verb != "" {
		return plain{call.Expected}
	}
	return messages{}
}
