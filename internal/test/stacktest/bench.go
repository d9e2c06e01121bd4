package stacktest

import (
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/permission"
)

// BenchAuthorize calls over mtls, one call after another, a server that lets everybody in and one that asks each time.
// What asking costs is the difference.
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
