package stacktest

import (
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/permission"
)

// BenchAuthorize makes one call after another over mtls, to a server that admits every client and to one that authorizes each
// call. The difference is the cost of authorization.
func BenchAuthorize(b *testing.B, s stack.Stack) {
	b.Run("everybody", func(b *testing.B) {
		benchUnary(b, newRig(b, s, stack.NetworkTCP, stack.SecurityMTLS, reply))
	})
	b.Run("asked", func(b *testing.B) {
		g := &guarded{list: permission.List{In: []string{"root"}, NotIn: []string{"root:bob"}}}
		benchUnary(b, g.rig(b, s, "root:alice"))
	})
}

func benchUnary(b *testing.B, r *rig) {
	call := stack.Call{Kind: stack.KindUnary, Request: text()[:1000], ResponseBytes: 1000}
	caller, ctx := callers(b, r.dial(stack.CompressionNone, 1), call, 1)[0], b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if err := caller.Call(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
