package point

import (
	"fmt"

	"rpcbench/internal/stack"
)

// declaredCalls say what one call is.
var declaredCalls = []*Key{
	{
		Name: "method", Kinds: served, Early: true, fallback: nothing, Trust: Harmless, form: verbForm,
		Values: "of a URL: the method of HTTP", Otherwise: "POST with data, else GET",
		Load: Flag{Name: "method", Short: "X", Form: AsText,
			Help: "with a URL: HTTP `method` (default POST with --data, else GET)"},
		Columns: []Column{
			{
				Name: "method", Is: "your own method, `package.Service/Method`, or for a URL `GET /path?name=…`",
				Absent: "our own services", value: plain(func(s Spec) string { return s.Method.String() }),
			},
			{
				Name: "requests", Is: "the source of the requests of `method`", Absent: "as method",
				value: plain(func(s Spec) string { return s.Method.requests() }),
			},
			{
				Name: "request_sizes", Is: "all that results hold about the requests of `method`: `22 B`, or longer " +
					"`sampled of 3 of up to 10 x 22-4000 B`: drawn at random, from how many, messages in each, size of the first",
				Absent: "as method, and methods that are called with nothing",
				value:  plain(func(s Spec) string { return s.Method.RequestSizes().String() }),
			},
		},
	},
	{
		Name: "batch", Axis: true, Kinds: batching, fallback: nothing, Trust: Harmless,
		form:      whole(func(a *Asked) *int { return &a.Batch }, count(1, stack.BatchMax)),
		Values:    "1 to 100,000 operations in one message; see [below](#batches-and-bursts)",
		Otherwise: "none: messages without operations",
		Load:      Flag{Name: "batch", Help: "`operations` in each message; sizes are then per operation"},
		Columns: []Column{{
			Name: "batch", Is: "operations per message; `request_bytes` and `response_bytes` are then of one operation",
			Absent: "no batches", value: positive(func(s Spec) int { return s.Batch }),
		}},
		Sides: &Sides{func(s Spec) string { return fmt.Sprintf("batch %d", s.Batch) }, func(s *Spec) { s.Batch = 0 }},
	},
	{
		Name: "request_bytes", Axis: true, Kinds: carrying, Trust: Harmless,
		Lone: stack.KindDownload, fallback: requestBytes, batched: "8",
		form: formOf(scalarOf(size), func(a *Asked, n int) { a.RequestBytes, a.ResponseBytes = n, n },
			func(a Asked) Node { return countNode(a.RequestBytes) }),
		Values:    "size of the payload of a request, or of each message that the client sends; with `batch` of each operation",
		Otherwise: "1000; 8 with `batch`; 0 for download",
		Load: Flag{Name: "request-bytes",
			Help: "payload `bytes` of each request or message sent (default 1000; with --batch 8)"},
		Columns: []Column{{
			Name: "request_bytes", Is: "payload of a request or of each message sent, B", Absent: "connect, encode, decode",
			value: payloadBytes(func(s Spec) int { return s.RequestBytes }),
		}},
	},
	{
		Name: "response_bytes", Axis: true, Kinds: carrying, Lone: stack.KindUpload, fallback: responseBytes, Trust: Harmless,
		form:      whole(func(a *Asked) *int { return &a.ResponseBytes }, size),
		Values:    "size of the payload of a response, or of each message that the client receives; with `batch` of each answer",
		Otherwise: "as the request; 0 for upload; 1000 for download",
		Load: Flag{Name: "response-bytes",
			Help: "payload `bytes` of each response or message received (default: as the request)"},
		Columns: []Column{{
			Name: "response_bytes", Is: "payload of a response or of each message received, B", Absent: "connect, encode, decode",
			value: payloadBytes(func(s Spec) int { return s.ResponseBytes }),
		}},
	},
	{
		Name: "messages", Axis: true, Kinds: repeating, fallback: messages, Trust: Harmless,
		form:   whole(func(a *Asked) *int { return &a.Messages }, count(1, MessagesMax)),
		Values: "1 to 10,000,000 messages per call; at most 540,000 for burst", Otherwise: "1000; 100 for burst",
		Load: Flag{Name: "messages", Help: "`messages` per stream, upload or download (default 1000) or per burst (default 100)"},
		Columns: []Column{{
			Name: "messages", Is: "messages per call", Absent: "all kinds but stream, burst, upload, download",
			value: positive(func(s Spec) int { return s.Messages }),
		}},
	},
	{
		Name: "message_rate", Kinds: served, Early: true, fallback: nothing, Trust: Harmless, form: rateForm,
		Values:    "of a `call` that sends several: messages a second that each call sends, more than 0 and up to 10,000,000",
		Otherwise: "as fast as it can",
		Load: Flag{Name: "message-rate", Form: AsText, Help: "with --call: `messages` per second that each upload or stream sends, " +
			"without waiting for replies (default: as fast as possible)"},
		Columns: []Column{{
			Name: "message_rate_per_sec", Is: "messages that [each call sends per second](load.md#messages-within-calls)",
			Absent: "as fast as it can", value: positive(func(s Spec) float64 { return s.MessageRatePerSec }),
		}},
	},
}
