package connectgo_test

import (
	"net/http"
	"strings"
	"testing"

	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/test/stacktest"
)

// Not parallel: it counts what the process allocates.
func TestABatchIsCountedBeforeItIsDecoded(t *testing.T) {
	inProto, inJSON := strings.Repeat("\x0a\x00", 2_000_000), `{"operations":[`+strings.Repeat("{},", 1_000_000)+"{}]}"
	stacktest.RefusedBombs(t, connectgo.New(), "/rpcbench.batch.v1.BatchService/Unary",
		http.StatusTooManyRequests, // as Connect has RESOURCE_EXHAUSTED
		stacktest.Bomb{Name: "protobuf", ContentType: "application/proto", Text: inProto},
		stacktest.Bomb{Name: "JSON", ContentType: "application/json", Text: inJSON},
		stacktest.Bomb{Name: "JSON with a charset", ContentType: "application/json; charset=utf-8", Text: inJSON},
	)
}
