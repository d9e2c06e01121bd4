package stack

// A Resource is a foreign HTTP resource, and what its calls send. A call is unary: one request, and its response read to
// the end, whatever it holds. A status of Expected is success; any other is an outcome, see StatusCode. Redirects are not
// followed. A Tally counts the bytes of bodies on the wire; they are not inspected. With gzip a call requests compressed
// responses by its header accept-encoding, and leaves them compressed. Call.Check is nil.
//
// A Resource may be used concurrently. Do not copy it.
type Resource struct {
	Verb     string // "GET"
	Headers  []Metadatum
	Requests Targets
	Expected Statuses

	Ledger
}

// Targets holds the paths and bodies of a Resource's calls. What a call sends depends only on its number.
type Targets interface {
	// Constant returns the path and the body that every call has, shared; it is false where calls differ.
	Constant() (path, body []byte, ok bool)
	// AppendPath appends a call's path with its query, "/a?b=c".
	AppendPath(dst []byte, call uint64) []byte
	// AppendBody appends a call's body, which may be empty.
	AppendBody(dst []byte, call uint64) []byte
}

// AppendBody appends a call's body. An error is INVALID_ARGUMENT: nothing was sent.
func (r *Resource) AppendBody(dst []byte, call uint64) ([]byte, error) {
	start := len(dst)
	dst = r.Requests.AppendBody(dst, call)
	if n := len(dst) - start; n > MessageBytesMax {
		return dst, Errorf(InvalidArgument, "the body has %d bytes, %d at most", n, MessageBytesMax)
	}
	return dst, nil
}

// HasBody reports whether a request of a verb has a body by its nature, and so says how long it is even where it is empty.
func HasBody(verb string) bool { return verb == "POST" || verb == "PUT" || verb == "PATCH" }
