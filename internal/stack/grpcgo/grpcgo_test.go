package grpcgo_test

import (
	"context"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/stacktest"
)

func TestConforms(t *testing.T) {
	stacktest.Run(t, grpcgo.New())
}

func BenchmarkAuthorize(b *testing.B) { stacktest.BenchAuthorize(b, grpcgo.New()) }

func TestPooledConforms(t *testing.T) {
	t.Parallel()
	stacktest.RunMessages(t, coded{grpcgo.New(), "pooled", "pooled"})
}

// Buffers have a service of their own, on both sides.
func TestBuffersConform(t *testing.T) {
	t.Parallel()
	stacktest.Run(t, coded{grpcgo.New(), "bytes", "bytes"})
}

func TestBuffersConformWithMessages(t *testing.T) {
	t.Parallel()
	for _, codecs := range []coded{{grpcgo.New(), "bytes", "proto"}, {grpcgo.New(), "proto", "bytes"}} {
		t.Run(codecs.client+" calls "+codecs.server, func(t *testing.T) {
			t.Parallel()
			stacktest.RunSizes(t, codecs)
		})
	}
}

// coded is the stack with these codecs, where no other option is given.
type coded struct {
	stack.Stack

	client, server string
}

func (c coded) Serve(config stack.ServeConfig) (stack.Server, error) {
	if config.Options == nil {
		config.Options = map[string]string{"codec": c.server}
	}
	return c.Stack.Serve(config)
}

func (c coded) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	if config.Options == nil {
		config.Options = map[string]string{"codec": c.client}
	}
	return c.Stack.Dial(ctx, config)
}
