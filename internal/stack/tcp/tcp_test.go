package tcp_test

import (
	"testing"

	"rpcbench/internal/stack/stacktest"
	"rpcbench/internal/stack/tcp"
)

func TestConforms(t *testing.T) {
	stacktest.Run(t, tcp.New())
}
