package httpjson_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/test/stacktest"
)

// The server is one of protobuf's own JSON, so that this shows too that the client's is the same.
func TestAnswersThatAreWrongAreMismatch(t *testing.T) {
	t.Parallel()
	stacktest.RogueServers(t, httpjson.New(), func(t *testing.T, r stacktest.Rogue) string {
		t.Helper()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, asked *http.Request) {
			text, err := io.ReadAll(asked.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			batch := new(batchv1.Batch)
			if err := protojson.Unmarshal(text, batch); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			r.Spoil(batch)
			batch.ResponseBytes = 0
			text, err = protojson.Marshal(batch)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Write(text)
		}))
		t.Cleanup(server.Close)
		return server.Listener.Addr().String()
	})
}
