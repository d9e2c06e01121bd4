package httpjson_test

import (
	"testing"

	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/test/stacktest"
)

func TestConforms(t *testing.T) {
	stacktest.Run(t, httpjson.New())
}

func BenchmarkAuthorize(b *testing.B) { stacktest.BenchAuthorize(b, httpjson.New()) }

func TestCallsResources(t *testing.T) { stacktest.Resources(t, httpjson.New(), "1.1", "2") }
