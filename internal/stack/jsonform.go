package stack

import "bytes"

// What the clients and servers of ProtocolHTTPJSON agree on: the services of gRPC's stacks in JSON, over HTTP/1.1.
const (
	JSONPath      = "/grpc.testing.BenchmarkService/UnaryCall"
	JSONBatchPath = "/rpcbench.batch.v1.BatchService/Unary"

	// JSONBodyBytesMax holds payloads of MessageBytesMax in base64, and what surrounds them: of an operation the names of
	// its fields, and 20 digits for the 8 bytes of its id.
	JSONBodyBytesMax = MessageBytesMax/3*4 + BatchMax*jsonOperationBytes + 1<<10

	jsonOperationBytes = 64
)

// jsonAround is how many objects and commas a message of BatchService in JSON has beside its operations, and some to spare.
const jsonAround = 16

// JSONBatchExceeds tells, before it is decoded, whether a message of BatchService in JSON has more than most operations: each
// opens a brace, and has a comma within and one behind. Nothing else in such a message does either, strings included.
func JSONBatchExceeds(text []byte, most int) bool {
	return bytes.Count(text, []byte("{")) > most+jsonAround || bytes.Count(text, []byte(",")) > 2*most+jsonAround
}

// Options of the Go clients over HTTP.
const (
	OptionHTTPVersion = "http_version"
	OptionKeepAlive   = "keep_alive"
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
		Options: []Option{
			{Name: OptionHTTPVersion, Help: "HTTP version: 1.1, or 2 for resources of other services; default 1.1.", Client: true},
			{Name: OptionKeepAlive, Help: "true reuses a socket for many calls, false opens one for each; default true.", Client: true},
		},
	}
}

// HTTPOptions reads the options of JSONClient: whether HTTP/2 is spoken, and whether a socket serves one call only.
func HTTPOptions(options map[string]string) (isHTTP2, once bool, err error) {
	version, err := WordOption(options, OptionHTTPVersion, "1.1", "2")
	if err != nil {
		return false, false, err
	}
	keepAlive, err := WordOption(options, OptionKeepAlive, "true", "false")
	return version == "2", keepAlive == "false", err
}
