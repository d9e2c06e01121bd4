package result

import (
	"cmp"
	"slices"
	"strings"
)

// A Client is the evidence of one client process.
type Client struct {
	Side
	Record

	// BegunNs is how much later than the trial's first client this one began the measured phase, by the driver's clock and the
	// round-trip time of a message.
	BegunNs int64 `json:"begun_ns,omitempty"`
	// RoundTripNs is the round-trip time of a message between the driver and this client. It is known in trials with several
	// clients.
	RoundTripNs int64 `json:"round_trip_ns,omitempty"`
}

// A Record is the outcome of the calls of one client, or of several together.
type Record struct {
	ElapsedNs   int64     `json:"elapsed_ns"`           // measured phase, from its begin to its last completion
	WindowNs    int64     `json:"window_ns,omitempty"`  // how long calls were due; 0 where the worker did not say
	StoppedNs   int64     `json:"stopped_ns,omitempty"` // when the load ended, since its begin, where it was ended early
	Tail        *Tail     `json:"tail,omitempty"`       // absent where no OK call was late
	Arrivals    int64     `json:"arrivals"`             // always the sum of Outcomes' calls
	Outcomes    []Outcome `json:"outcomes"`
	MessagesOut int64     `json:"messages_out"`
	MessagesIn  int64     `json:"messages_in"`
	PayloadOut  int64     `json:"payload_bytes_out"`
	PayloadIn   int64     `json:"payload_bytes_in"`
	Clamped     int64     `json:"clamped,omitempty"`
	// UnpairedReplies are messages of a foreign service's streams that are not in HistMessage, of all calls.
	UnpairedReplies int64             `json:"unpaired_replies,omitempty"`
	Retries         *int64            `json:"retries,omitempty"`    // calls sent once more; nil is unknown
	Background      *Background       `json:"background,omitempty"` // of the measured phase
	First           *FirstCall        `json:"first_call,omitempty"` // before the warm-up, where there is one
	Histograms      map[string]string `json:"histograms,omitempty"` // by name (HistResponse …): V2 compressed, base64
	Intervals       []Interval        `json:"intervals,omitempty"`
	Windows         []Window          `json:"windows,omitempty"`
	Codec           *Codec            `json:"codec,omitempty"`   // encode and decode
	Stalled         *Stalled          `json:"stalled,omitempty"` // the first stall, if there was one
	Warmup          *Warmup           `json:"warmup,omitempty"`  // absent where there was none
	// Mixed has a part for each call of a mix, in its order: counts, of which those of the Record are the sums, and the histograms
	// HistResponse and HistError. Times and windows are those of the Record.
	Mixed []Record `json:"mixed,omitempty"`
}

// Tail is the part of a Record that came after its window.
type Tail struct {
	OK          int64 `json:"ok"` // calls
	MessagesOut int64 `json:"messages_out"`
	MessagesIn  int64 `json:"messages_in"`
	PayloadOut  int64 `json:"payload_bytes_out"`
	PayloadIn   int64 `json:"payload_bytes_in"`
}

// Warmup is how the warm-up went.
type Warmup struct {
	ElapsedNs int64 `json:"elapsed_ns"` // from its begin to its last completion
	// Steady reports whether the last intervals were steady when the warm-up ended. It is absent if its length was fixed.
	Steady *bool `json:"steady,omitempty"`
	// Prolonged is the number of measured phases that were added to the warm-up because calls were still becoming faster.
	Prolonged int `json:"prolonged,omitempty"`
}

// Codec describes a message, measured before a phase of encode or decode.
type Codec struct {
	Repeat       int64 `json:"repeat"`        // operations in one call
	EncodedBytes int64 `json:"encoded_bytes"` // of the message, as the codec writes it
	GzippedBytes int64 `json:"gzipped_bytes"` // of its encoding through gzip
	// PlainBytes is the input size of a gzip codec, and EncodedBytes that of other codecs; 0 means unknown.
	PlainBytes int64 `json:"plain_bytes,omitempty"`
}

// FirstCall is the time of the first call on the first connection, in consecutive parts. A part that did not occur, or is not
// distinguishable, is 0.
type FirstCall struct {
	ResolveNs  int64 `json:"resolve_ns"`  // the name, to addresses
	ConnectNs  int64 `json:"connect_ns"`  // TCP, or the Unix socket
	TLSNs      int64 `json:"tls_ns"`      // the handshake
	ProtocolNs int64 `json:"protocol_ns"` // what the stack exchanges before it is ready for a call
	CallNs     int64 `json:"call_ns"`     // the call itself
	// InCall says that the call opened the connection, so that its latency in the histograms holds all parts.
	InCall bool `json:"in_call,omitempty"`
}

// Outcome counts the calls that ended with one code.
type Outcome struct {
	Code    string `json:"code"` // OK, a gRPC code, HTTP_404 and the like, MISMATCH, UNSENT, UNFINISHED
	Calls   int64  `json:"calls"`
	Example string `json:"example,omitempty"` // the first error message
}

// Said is what the example says besides the code. It is empty where the server gave no message.
func (o Outcome) Said() string {
	return strings.TrimPrefix(strings.TrimPrefix(o.Example, o.Code), ": ")
}

// Most returns the first of those outcomes that most calls had, of one at least.
func Most(outcomes []Outcome) Outcome {
	return slices.MaxFunc(outcomes, func(a, b Outcome) int { return cmp.Compare(a.Calls, b.Calls) })
}

// Background counts the calls of Spec.Background that ended in the measured phase.
type Background struct {
	OK      int64  `json:"ok"`
	Errors  int64  `json:"errors,omitempty"`
	Example string `json:"example,omitempty"` // the first error message
}

// Interval is 100 ms of the measured phase, 50 ms of one of less than 10 s, and less of one below 2.5 s. Counters are of the
// interval alone.
type Interval struct {
	StartNs  int64      `json:"start_ns"` // since the phase began
	EndNs    int64      `json:"end_ns"`
	OK       int64      `json:"ok"`
	Errors   int64      `json:"errors,omitempty"`
	InFlight int64      `json:"in_flight"`          // at its end
	Response *Quantiles `json:"response,omitempty"` // of the last second, once a second
	// ResponseMeanNs is the geometric mean of the interval's OK calls; 0 if there are none, or the worker does not report it.
	ResponseMeanNs int64 `json:"response_mean_ns,omitempty"`
	// ResponseHistogram is the histogram of Response, V2 compressed and in base64, in trials with several clients, unless it is
	// in Windows.
	ResponseHistogram string `json:"response_histogram,omitempty"`
}

// Quantiles sums up a second's responses.
type Quantiles struct {
	Calls int64 `json:"calls"`
	P50Ns int64 `json:"p50_ns"`
	P90Ns int64 `json:"p90_ns"`
	P99Ns int64 `json:"p99_ns"`
	MaxNs int64 `json:"max_ns"`
}

// Window is the response histogram of a part of the measured phase.
type Window struct {
	StartNs  int64  `json:"start_ns"`
	EndNs    int64  `json:"end_ns"`
	Response string `json:"response"` // V2 compressed, base64
}
