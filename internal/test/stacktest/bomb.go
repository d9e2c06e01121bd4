package stacktest

import (
	"bytes"
	"compress/gzip"
	"net"
	"net/http"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/allocated"
)

// maxBomb limits what a server and its client may allocate for a request that is refused.
const maxBomb = 40 << 20

// A Bomb is the body of a request that has far more in it than it seems, before it is compressed.
type Bomb struct{ Name, ContentType, Text string }

// RefusedBombs tests that a server over HTTP refuses bombs posted to a path before they take memory, with its protocol's status.
// It measures what the process allocates, so no test may run in parallel.
func RefusedBombs(t *testing.T, s stack.Stack, path string, want int, bombs ...Bomb) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := s.Serve(stack.ServeConfig{
		Listener: listener, Reply: func(n int) []byte { return make([]byte, n) },
		Limits: stack.Limits{RequestBytes: 4 << 20, Batch: 10_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop(t.Context())
	for _, bomb := range bombs {
		var packed bytes.Buffer
		packer := gzip.NewWriter(&packed)
		_, _ = packer.Write([]byte(bomb.Text)) // a bytes.Buffer takes all
		_ = packer.Close()                     // as above
		request, err := http.NewRequest(http.MethodPost, "http://"+listener.Addr().String()+path, &packed)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", bomb.ContentType)
		request.Header.Set("Content-Encoding", "gzip")
		took := allocated.Bytes(func() {
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != want {
				t.Errorf("%s: the status is %s, want %d", bomb.Name, response.Status, want)
			}
		})
		if took > maxBomb {
			t.Errorf("%s: %d bytes were allocated, %d at most", bomb.Name, took, maxBomb)
		}
	}
}
