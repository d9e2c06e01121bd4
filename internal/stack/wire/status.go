package wire

import (
	"net/http"
	"net/url"
	"strings"

	"rpcbench/internal/stack"
)

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

// isGRPC reports whether a content-type is application/grpc, perhaps with a codec or parameters.
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
