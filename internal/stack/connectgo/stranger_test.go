package connectgo_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/test/allocated"
)

// Not parallel: it counts what the process allocates.
func TestABatchIsCountedBeforeItIsDecoded(t *testing.T) {
	l := listen(t)
	server, err := connectgo.New().Serve(stack.ServeConfig{
		Listener: l, Reply: func(n int) []byte { return make([]byte, n) },
		Limits: stack.Limits{RequestBytes: 4 << 20, Batch: 10_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop(t.Context())
	inJSON := `{"operations":[` + strings.Repeat("{},", 1_000_000) + "{}]}"
	for kind, bomb := range map[string]string{
		"application/proto":               strings.Repeat("\x0a\x00", 2_000_000),
		"application/json":                inJSON,
		"application/json; charset=utf-8": inJSON,
	} {
		packed := gzipped(t, bomb)
		took := allocated.Bytes(func() {
			request, err := http.NewRequest(http.MethodPost,
				"http://"+l.Addr().String()+"/rpcbench.batch.v1.BatchService/Unary", bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", kind)
			request.Header.Set("Content-Encoding", "gzip")
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusTooManyRequests { // as Connect has RESOURCE_EXHAUSTED
				t.Errorf("%s: the status is %s", kind, response.Status)
			}
		})
		if took > 40<<20 {
			t.Errorf("%s: %d bytes were allocated, 40 MB at most", kind, took)
		}
	}
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}
