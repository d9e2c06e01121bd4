package request

import "rpcbench/internal/call/schema"

// NewAfter is New after the functions of other requests gave that many bytes.
func NewAfter(values int, method *schema.Method, input Input, options Options) (*Source, error) {
	b := newBuilder(method, input.File, options.complete())
	b.values = values
	return b.source(input)
}
