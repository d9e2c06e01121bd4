package stack

import "bytes"

// The format shared by clients and servers of ProtocolHTTPJSON: the services of the gRPC stacks in JSON, over HTTP/1.1.
const (
	JSONPath      = "/grpc.testing.BenchmarkService/UnaryCall"
	JSONBatchPath = "/rpcbench.batch.v1.BatchService/Unary"

	// JSONBodyBytesMax limits a body: payloads of MessageBytesMax in base64, and what surrounds them. An operation adds the names
	// of its fields, what it does, and 20 digits each for the 8 bytes of its id and of its key.
	JSONBodyBytesMax = MessageBytesMax/3*4 + BatchMax*jsonOperationBytes + 1<<10

	jsonOperationBytes = 96
)

// jsonAround is an upper bound for the objects and commas of a BatchService message in JSON outside its operations.
const jsonAround = 16

// JSONBatchExceeds reports whether a BatchService message in JSON has more than most operations, without decoding it. Each
// operation opens a brace, and has at most four commas: between its four fields, and one after it. Nothing else in such a message
// has either, including strings.
func JSONBatchExceeds(text []byte, most int) bool {
	return bytes.Count(text, []byte("{")) > most+jsonAround || bytes.Count(text, []byte(",")) > 4*most+jsonAround
}

// Names of the options of the Go clients over HTTP.
const (
	OptionHTTPVersion = "http_version"
	OptionKeepAlive   = "keep_alive"
)

var (
	httpVersion = Option{
		Name: OptionHTTPVersion, Client: true, Words: []string{"1.1", "2"}, Default: "1.1",
		Help: "HTTP version: 1.1, or 2 for resources of other services.",
	}
	keepAlive = Option{
		Name: OptionKeepAlive, Client: true, Words: Switch(), Default: "true",
		Help: "true reuses a socket for many calls, false opens one for each.",
	}
)

// JSONClient is the Info of a Go client of ProtocolHTTPJSON, which calls resources of others too.
func JSONClient(name string) Info {
	return Info{
		Name:         name,
		Protocol:     ProtocolHTTPJSON,
		Calls:        true,
		Kinds:        []string{KindFirstCall, KindUnary},
		Networks:     Networks(),
		Securities:   []string{SecurityPlaintext, SecurityTLS, SecurityMTLS},
		Compressions: []string{CompressionNone, CompressionGzip},
		Methods:      true,
		Sizes:        true,
		Stores:       true,
		Options:      []Option{httpVersion, keepAlive},
	}
}

// HTTPOptions reads the options of JSONClient: whether HTTP/2 is spoken, and whether a socket serves one call only.
func HTTPOptions(options map[string]string) (isHTTP2, once bool) {
	return httpVersion.Word(options) == "2", !keepAlive.IsOn(options)
}
