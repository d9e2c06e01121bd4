package tcp_test

import (
	"testing"

	"rpcbench/internal/stack/tcp"
	"rpcbench/internal/test/stacktest"
)

func TestConforms(t *testing.T) {
	stacktest.Run(t, tcp.New())
}

func BenchmarkAuthorize(b *testing.B) { stacktest.BenchAuthorize(b, tcp.New()) }
