package connectgo_test

import (
	"testing"

	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/test/stacktest"
)

func TestConforms(t *testing.T) {
	t.Parallel()
	stacktest.Run(t, connectgo.New())
}

func TestJSONConforms(t *testing.T) {
	t.Parallel()
	stacktest.RunMessages(t, connectgo.NewJSON())
}

func BenchmarkAuthorize(b *testing.B) { stacktest.BenchAuthorize(b, connectgo.New()) }
