package wire

import (
	"net/http"
	"net/url"
	"strings"

	"rpcbench/internal/stack"
)

// verdict is what the block that ends a stream says of its call: nil is good. The block may be all of the response, or
// its trailers.
func (h *head) verdict(trailers bool) error {
	switch {
	case h.grpc == int(stack.OK):
		return nil
	case h.grpc > 0:
		return h.failure()
	case h.grpc == badStatus:
		return stack.Errorf(stack.Unknown, "grpc-status is no number")
	case !trailers && h.status != http.StatusOK:
		return h.refusal()
	}
	return stack.Errorf(stack.Unknown, "the response ended without a grpc-status")
}

// failure is the status of a server that did answer.
func (h *head) failure() error {
	code := stack.Unknown
	if h.grpc <= int(stack.Unauthenticated) { // the last of gRPC's
		code = stack.Code(h.grpc)
	}
	text, err := url.PathUnescape(h.message)
	if err != nil {
		text = h.message
	}
	return stack.Errorf(code, "%s", text)
}

// refusal is what a response says that is none of gRPC's; nil where it is one.
func (h *head) refusal() error {
	switch {
	case h.status != http.StatusOK:
		return stack.Errorf(stack.HTTPCode(h.status), "HTTP status %d, content-type %q", h.status, h.kind)
	case !isGRPC(h.kind):
		return stack.Errorf(stack.Unknown, "the response is of content-type %q, not application/grpc", h.kind)
	}
	return nil
}

// isGRPC tells whether a content-type is application/grpc, perhaps with a codec or parameters.
func isGRPC(kind string) bool {
	rest, found := strings.CutPrefix(kind, "application/grpc")
	return found && (rest == "" || rest[0] == '+' || rest[0] == ';')
}

// resetCode is the outcome of a call whose stream a server has reset, by gRPC's table,
// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#errors.
func resetCode(code errorCode) stack.Code {
	switch code {
	case codeRefused:
		return stack.Unavailable
	case codeCancel:
		return stack.Canceled
	case codeCalm:
		return stack.ResourceExhausted
	case codeInadequate:
		return stack.PermissionDenied
	default:
		return stack.Internal
	}
}
