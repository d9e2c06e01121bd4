package httpjson_test

import (
	"testing"

	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/stack/stacktest"
)

func TestConforms(t *testing.T) {
	stacktest.Run(t, httpjson.New())
}

func BenchmarkAuthorize(b *testing.B) { stacktest.BenchAuthorize(b, httpjson.New()) }
