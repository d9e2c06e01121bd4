package httpjson_test

import (
	"net/http"
	"strings"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/test/stacktest"
)

// Not parallel: it counts what the process allocates.
func TestABodyIsBoundedBeforeItIsDecoded(t *testing.T) {
	const kind = "application/json"
	stacktest.RefusedBombs(t, httpjson.New(), stack.JSONBatchPath, http.StatusRequestEntityTooLarge,
		stacktest.Bomb{Name: "objects", ContentType: kind, Text: `{"operations":[` + strings.Repeat("{},", 1_000_000) + "{}]}"},
		stacktest.Bomb{Name: "numbers", ContentType: kind, Text: `{"operations":[` + strings.Repeat("1,", 2_000_000) + "1]}"},
		stacktest.Bomb{Name: "too long", ContentType: kind, Text: `{"operations":[` + strings.Repeat(" ", 50_000_000) + "]}"},
	)
}
