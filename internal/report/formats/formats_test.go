package formats

import (
	"bytes"
	"testing"

	"rpcbench/internal/results/analysis"
)

func printed(t *testing.T, format string, r *analysis.Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, format, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
