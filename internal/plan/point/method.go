package point

import (
	"fmt"
	"slices"
	"time"
)

// A Method is a method of a foreign service, with what is known of its calls. Contents of calls, values of metadata and of
// queries, and tokens are the caller's secrets, and are not in it.
type Method struct {
	Name     string `json:"name"`     // package.Service/Method; of HTTP "GET /path?name=…"
	Schema   string `json:"schema"`   // where it is from: "reflection", or names of files; empty of HTTP
	Requests string `json:"requests"` // where they are from: "--data", "stdin", a file's name, or "nothing": one empty message
	// RequestCount is the number of requests to choose from. RequestBytesLeast and RequestBytesMost are encoded sizes of the
	// first messages of the first requests.
	RequestCount      int      `json:"request_count"`
	RequestBytesLeast int      `json:"request_bytes_least"`
	RequestBytesMost  int      `json:"request_bytes_most"`
	MessagesMost      int      `json:"messages_most,omitempty"` // of upload and stream: in one of the first requests
	Rows              string   `json:"rows,omitempty"`          // the file with a row of values for each call; "" is none
	RowCount          int      `json:"row_count,omitempty"`     // of Rows
	Sample            bool     `json:"sample,omitempty"`        // requests and rows are chosen by the seed, not taken in turn
	Metadata          []string `json:"metadata,omitempty"`      // names
	Authority         string   `json:"authority,omitempty"`     // of every call, where it is not the target
	HTTP              bool     `json:"http,omitempty"`          // it is no method of gRPC, but a resource of HTTP
	// ExpectStatus has the statuses of HTTP that are a success, "200,400-499"; "" is 200 to 299.
	ExpectStatus string `json:"expect_status,omitempty"`
	// Mix has the calls of which each is one; their Methods have no Mix themselves. Empty is a single call.
	Mix []MixedMethod `json:"mix,omitempty"`
	// Which is the number of the call of Mix, from 1, that a part of a trial is about; 0 is the trial itself.
	Which int `json:"-"`
	// Unprepared says why its requests can't be encoded for workers that read no JSON; "" where they can.
	Unprepared string `json:"-"`
}

// String is the name, "" without a Method.
func (m *Method) String() string {
	if m == nil {
		return ""
	}
	return m.Name
}

// Sends reports whether its calls, or some of a mix, have metadata of that name.
func (m *Method) Sends(name string) bool {
	return slices.Contains(m.Metadata, name) ||
		slices.ContainsFunc(m.Mix, func(one MixedMethod) bool { return one.Method.Sends(name) })
}

// requests is Method.Requests, "" without a Method.
func (m *Method) requests() string {
	if m == nil {
		return ""
	}
	return m.Requests
}

// expected is ExpectStatus, of a mix "" because its calls have their own.
func (m *Method) expected() string {
	if m == nil {
		return ""
	}
	return m.ExpectStatus
}

// HasRows reports whether its calls, or some of a mix, have values of rows.
func (m *Method) HasRows() bool { return m.rows() != "" }

// rows says which rows its calls have, "" where they have none.
func (m *Method) rows() string {
	if m == nil {
		return ""
	}
	for _, one := range m.Mix {
		if words := one.Method.rows(); words != "" {
			return words
		}
	}
	switch {
	case m.Rows == "":
		return ""
	case m.Sample:
		return fmt.Sprintf("%s (sampled of %d)", m.Rows, m.RowCount)
	default:
		return fmt.Sprintf("%s (%d)", m.Rows, m.RowCount)
	}
}

// RequestSizes distinguishes requests of which nothing else may be known: see Method for the fields.
type RequestSizes struct {
	Count, BytesLeast, BytesMost, MessagesMost int
	Sample                                     bool
}

// RequestSizes are zero without a Method, and where it is called with nothing.
func (m *Method) RequestSizes() RequestSizes {
	if m == nil || m.Requests == requestsNothing {
		return RequestSizes{}
	}
	return RequestSizes{m.RequestCount, m.RequestBytesLeast, m.RequestBytesMost, m.MessagesMost, m.Sample && m.RequestCount > 1}
}

// requestsNothing is Method.Requests of one empty message.
const requestsNothing = "nothing"

// String is "22 B", or, of several requests, "sampled of 1000 of up to 10 x 22-4000 B"; empty where there are none.
func (s RequestSizes) String() string {
	if s.Count == 0 {
		return ""
	}
	text := fmt.Sprintf("%d B", s.BytesMost)
	if s.BytesLeast < s.BytesMost {
		text = fmt.Sprintf("%d-%s", s.BytesLeast, text)
	}
	if s.MessagesMost > 1 {
		text = fmt.Sprintf("up to %d x %s", s.MessagesMost, text)
	}
	if s.Count > 1 {
		text = fmt.Sprintf("%d of %s", s.Count, text)
	}
	if s.Sample {
		text = "sampled of " + text
	}
	return text
}

// Compare orders by number, and then by size, smaller ones first.
func (s RequestSizes) Compare(o RequestSizes) int {
	rank := func(s RequestSizes) []int {
		sampled := 0
		if s.Sample {
			sampled = 1
		}
		return []int{s.Count, s.BytesMost, s.BytesLeast, s.MessagesMost, sampled}
	}
	return slices.Compare(rank(s), rank(o))
}

// CallLeast returns the minimum duration of a call whose messages have a rate; 0 without one.
func (s Spec) CallLeast() time.Duration {
	if s.MessageRatePerSec == 0 {
		return 0
	}
	messages := s.Messages
	if messages == 0 {
		messages = s.Method.MessagesMost
	}
	return time.Duration(float64(max(messages-1, 0)) / s.MessageRatePerSec * float64(time.Second))
}
