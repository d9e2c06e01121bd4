package grpcgo_test

import (
	"testing"

	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/stacktest"
)

func TestConforms(t *testing.T) {
	stacktest.Run(t, grpcgo.New())
}

func BenchmarkAuthorize(b *testing.B) { stacktest.BenchAuthorize(b, grpcgo.New()) }
