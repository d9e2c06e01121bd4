package point

import (
	"fmt"

	"rpcbench/internal/stack"
)

// declaredCalls declares the keys that define one call.
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
				Name: "request_sizes", Is: "number and size of the requests of `method`: `22 B`, or in full " +
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
		Name: "request_bytes", Axis: true, Kinds: carrying, Rival: "request_sizes_file", Trust: Harmless,
		Lone: stack.KindDownload, fallback: requestBytes, batched: "8",
		form: formOf(scalarOf(sizesOf), setRequestSizes, writeRequestSizes),
		Values: "size of the payload of a request, or of each message that the client sends; with `batch` of each operation; or " +
			"[random sizes](#random-sizes), such as `uniform 1..1kB`",
		Otherwise: "1000; 8 with `batch`; 0 for download",
		Load: Flag{Name: "request-bytes",
			Help: "payload `bytes` of each request or message sent (default 1000; with --batch 8)"},
		Columns: []Column{{
			Name: "request_bytes", Is: "payload of a request or of each message sent, B", Absent: "connect, encode, decode",
			value: payloadBytes(func(s Spec) int { return s.RequestBytes }),
		}, {
			Name: "request_distribution", Is: "how the random sizes of requests are distributed; `request_bytes` is then the largest",
			Absent: "one size", value: plain(func(s Spec) string { return s.RequestSizes.String() }),
		}},
	},
	sizesFile("request", func(a *Asked) **Sizes { return &a.RequestSizes }),
	{
		Name: "response_bytes", Axis: true, Kinds: carrying, Rival: "response_sizes_file", Lone: stack.KindUpload,
		fallback: responseBytes, Trust: Harmless,
		form: formOf(scalarOf(sizesOf), setResponseSizes, writeResponseSizes),
		Values: "size of the payload of a response, or of each message that the client receives; with `batch` of each answer; or " +
			"random sizes",
		Otherwise: "as the request; 0 for upload; 1000 for download",
		Load: Flag{Name: "response-bytes",
			Help: "payload `bytes` of each response or message received (default: as the request)"},
		Columns: []Column{{
			Name: "response_bytes", Is: "payload of a response or of each message received, B", Absent: "connect, encode, decode",
			value: payloadBytes(func(s Spec) int { return s.ResponseBytes }),
		}, {
			Name: "response_distribution", Is: "the same of responses; `response_bytes` is then the largest",
			Absent: "one size, or as the request", value: plain(func(s Spec) string { return s.ResponseSizes.String() }),
		}},
	},
	sizesFile("response", func(a *Asked) **Sizes { return &a.ResponseSizes }),
	{
		Name: "messages", Axis: true, Kinds: repeating, fallback: messages, Trust: Harmless,
		form:   whole(func(a *Asked) *int { return &a.Messages }, count(1, MessagesMax)),
		Values: "1 to 10,000,000 messages per call; at most 540,000 for burst", Otherwise: "1000; 100 for burst",
		Load: Flag{Name: "messages",
			Help: "`messages` per stream, upload, download or both_ways (default 1000) or per burst (default 100)"},
		Columns: []Column{{
			Name: "messages", Is: "messages per call", Absent: "all kinds but stream, burst, upload, download, both_ways",
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
	{
		Name: "records", Axis: true, Kinds: batching, fallback: nothing, Trust: Harmless,
		form: whole(func(a *Asked) *int { return &a.Records }, count(1, RecordsMax)),
		Values: "1 to 100,000,000 records in [a store of the server](#a-store-behind-batches), which the operations of a `batch` " +
			"read " +
			"and write; their values have `request_bytes`",
		Otherwise: "no store: operations are echoed",
		Load:      Flag{Name: "records", Help: "with --batch: `records` of the server's store to read and write (default: echo)"},
		Columns: []Column{{
			Name: "records", Is: "records in the server's store, which operations read and write", Absent: "operations are echoed",
			value: positive(func(s Spec) int { return s.Records }),
		}},
		Sides: &Sides{
			func(s Spec) string { return countNode(s.Records).Text },
			func(s *Spec) { s.Records, s.Reads, s.Keys = 0, "", "" },
		},
		Words: func(s Spec) string {
			if s.Records == 0 {
				return ""
			}
			return fmt.Sprintf("%s of %d records, %s", s.ReadsText(), s.Records, s.KeysText())
		},
	},
	{
		Name: "reads", Axis: true, Kinds: batching, fallback: nothing, Trust: Harmless,
		form:   text(func(a *Asked) *string { return &a.Reads }, readsPart),
		Values: "with `records`: which part of the operations reads, such as `95%`; the others write", Otherwise: "95%",
		Load: Flag{Name: "reads", Help: "with --records: `percentage` of operations that read, such as 95% (default 95%)"},
		Columns: []Column{{
			Name: "reads", Is: "part of the operations that read a record; the others write one", Absent: "as records",
			value: plain(Spec.ReadsText),
		}},
		Sides: &Sides{Spec.ReadsText, func(s *Spec) { s.Reads = "" }},
	},
	{
		Name: "keys", Axis: true, Kinds: batching, fallback: nothing, Trust: Harmless,
		form:      text(func(a *Asked) *string { return &a.Keys }, keysLaw),
		Values:    "with `records`: `uniform`, or `zipf` with an exponent below 1, as in `zipf 0.9`",
		Otherwise: "`zipf 0.99`, as in YCSB",
		Load:      Flag{Name: "keys", Form: AsText, Help: "with --records: `distribution` of keys: uniform, or zipf 0.99 (default)"},
		Columns: []Column{{
			Name: "keys", Is: "how likely each record is", Absent: "as records", value: plain(Spec.KeysText),
		}},
		Sides: &Sides{Spec.KeysText, func(s *Spec) { s.Keys = "" }},
	},
}

// sizesFile declares the key of a file with the lengths of requests or responses.
func sizesFile(side string, field func(*Asked) **Sizes) *Key {
	return &Key{
		Name: side + "_sizes_file", Kinds: sized, Rival: side + "_bytes", fallback: nothing, Trust: Consent,
		form:      sizesFileForm(field),
		Values:    "a CSV file of [random sizes](#random-sizes) instead of `" + side + "_bytes`",
		Otherwise: "none",
		Load: Flag{Name: side + "-sizes-file", Form: AsText,
			Help: "CSV `file` of lengths to draw those of each " + side + " from: LENGTH,WEIGHT or FROM,TO,WEIGHT"},
	}
}
