package httpwire

import (
	"slices"
	"strconv"

	"rpcbench/internal/stack"
)

// A foreign makes a slot's calls of a foreign resource. What all calls send alike is encoded once.
type foreign struct {
	resource *stack.Resource
	replies  stack.Replies
	begin    []byte // of a request: the verb and a space
	fixed    []byte // fields of the header that all calls have
	varying  []stack.Metadatum
	body     []byte
	whole    []byte // the request
	constant bool   // whole is every call's
}

func newForeign(d dialled, call stack.Call, slot int) *foreign {
	f := &foreign{
		resource: call.Resource, replies: stack.NewReplies(call, slot), begin: []byte(call.Resource.Verb + " "),
	}
	f.fixed = d.head([]byte(" HTTP/1.1\r\n"), !hasAgent(f.resource.Headers))
	f.fixed, f.varying = fixedFields(f.fixed, f.resource.Headers)
	path, body, constant := f.resource.Requests.Constant()
	if constant && len(f.varying) == 0 {
		f.constant, f.body = true, body
		f.join(path)
	}
	return f
}

// hasLength reports whether a request says how long its body is.
func hasLength(verb string, body []byte) bool { return len(body) > 0 || stack.HasBody(verb) }

func hasAgent(headers []stack.Metadatum) bool {
	return slices.ContainsFunc(headers, func(m stack.Metadatum) bool { return m.Name == "user-agent" })
}

// fixedFields appends the fields that all calls have, and returns those that differ.
func fixedFields(to []byte, headers []stack.Metadatum) (fixed []byte, varying []stack.Metadatum) {
	for _, m := range headers {
		value, constant := m.Constant()
		if !constant {
			varying = append(varying, m)
			continue
		}
		to = appendField(to, m.Name, value)
	}
	return to, varying
}

func appendField(to []byte, name string, value []byte) []byte {
	to = append(append(to, name...), ": "...)
	return append(append(to, value...), "\r\n"...)
}

// next is script's.
func (f *foreign) next() (request, error) {
	f.replies.Begin()
	number := f.resource.NextCall()
	if !f.constant {
		if err := f.make(number); err != nil {
			return request{}, err
		}
	}
	f.replies.AddSent(len(f.body))
	return request{whole: f.whole, repeats: isIdempotent(f.resource.Verb)}, nil
}

// isIdempotent reports whether a request of a verb may reach the server twice, RFC 9110, section 9.2.2.
func isIdempotent(verb string) bool {
	switch verb {
	case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE":
		return true
	default:
		return false
	}
}

// make makes the request of a call.
func (f *foreign) make(number uint64) error {
	var err error
	if f.body, err = f.resource.AppendBody(f.body[:0], number); err != nil {
		return err
	}
	f.whole = f.resource.Requests.AppendPath(append(f.whole[:0], f.begin...), number)
	f.whole = append(f.whole, f.fixed...)
	for _, m := range f.varying {
		f.whole = append(append(f.whole, m.Name...), ": "...)
		if f.whole, err = m.Append(f.whole, number); err != nil {
			return stack.Errorf(stack.InvalidArgument, "the header can't be made: %w", err)
		}
		f.whole = append(f.whole, "\r\n"...)
	}
	f.end()
	return nil
}

// join makes the request that every call sends.
func (f *foreign) join(path []byte) {
	f.whole = slices.Concat(f.begin, path, f.fixed)
	f.end()
}

// end ends the header, and adds the body.
func (f *foreign) end() {
	if hasLength(f.resource.Verb, f.body) {
		f.whole = strconv.AppendInt(append(f.whole, "content-length: "...), int64(len(f.body)), 10)
		f.whole = append(f.whole, "\r\n"...)
	}
	f.whole = append(append(f.whole, "\r\n"...), f.body...)
}

// answers is script's. Bodies are counted.
func (f *foreign) answers() reading { return reading{counts: true, head: f.resource.Verb == "HEAD"} }

// take is script's.
func (f *foreign) take(r *response) error {
	if err := f.resource.Expected.Check(r.status); err != nil {
		return err
	}
	f.replies.AddBytes(int(r.bytes))
	f.replies.End()
	return nil
}

// verify is script's.
func (f *foreign) verify() error { return f.replies.Verify() }
