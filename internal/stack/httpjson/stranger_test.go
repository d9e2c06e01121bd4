package httpjson_test

import (
	"bytes"
	"compress/gzip"
	"net"
	"net/http"
	"strings"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/test/allocated"
)

// Not parallel: it counts what the process allocates.
func TestABodyIsBoundedBeforeItIsDecoded(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := httpjson.New().Serve(stack.ServeConfig{
		Listener: l, Reply: func(n int) []byte { return make([]byte, n) },
		Limits: stack.Limits{RequestBytes: 4 << 20, Batch: 10_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop(t.Context())
	for what, bomb := range map[string]string{
		"objects":  `{"operations":[` + strings.Repeat("{},", 1_000_000) + "{}]}",
		"numbers":  `{"operations":[` + strings.Repeat("1,", 2_000_000) + "1]}",
		"too long": `{"operations":[` + strings.Repeat(" ", 50_000_000) + "]}",
	} {
		packed := gzipped(t, bomb)
		took := allocated.Bytes(func() {
			request, err := http.NewRequest(http.MethodPost, "http://"+l.Addr().String()+stack.JSONBatchPath, bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Encoding", "gzip")
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("%s: the status is %s", what, response.Status)
			}
		})
		if took > 40<<20 {
			t.Errorf("%s: %d bytes were allocated, 40 MB at most", what, took)
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
