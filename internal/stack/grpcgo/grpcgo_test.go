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
	stacktest.Run(t, pooling{grpcgo.New()})
}

// pooling is the stack with its codec pooled, where no other option is given.
type pooling struct{ stack.Stack }

var pooledOption = map[string]string{"codec": "pooled"}

func (p pooling) Serve(config stack.ServeConfig) (stack.Server, error) {
	if config.Options == nil {
		config.Options = pooledOption
	}
	return p.Stack.Serve(config)
}

func (p pooling) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	if config.Options == nil {
		config.Options = pooledOption
	}
	return p.Stack.Dial(ctx, config)
}
