package worker

import (
	"bytes"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// expected returns the payload of a right reply: the request's own bytes where the lengths match, the server's
// otherwise.
func expected(call *control.Call, request []byte) []byte {
	if int(call.GetResponseBytes()) == len(request) {
		return request
	}
	return stack.Payload(call.GetPayload(), call.GetSeed(), int(call.GetResponseBytes()))
}

// checkAgainst returns the check of replies that must equal want.
func checkAgainst(want []byte) func(reply []byte) error {
	return func(reply []byte) error {
		if bytes.Equal(reply, want) {
			return nil
		}
		return stack.Errorf(stack.Mismatch, "the reply has %d bytes, expected %d", len(reply), len(want))
	}
}
