package cli_test

import (
	"net/http"
	"sync/atomic"
	"testing"
)

// A service may write with every call: no more of them are made than was said, warm-up included.
func TestACountedLoadMakesItsCallsAndAsManyToWarmUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		warmup string
		want   int64
	}{{"0s", 30}, {"1h", 60}} {
		var got atomic.Int64
		address := openWeb(t, nil, false, func(w http.ResponseWriter, _ *http.Request) {
			got.Add(1)
			w.WriteHeader(http.StatusNoContent)
		})
		trial, _ := loaded(t, 0, "http://"+address, "--calls", "30", "--in-flight", "3", "--warmup", c.warmup)
		if got.Load() != c.want || trial.Clients[0].Arrivals != 30 {
			t.Errorf("--warmup %s: %d calls were made, %d measured, want %d and 30",
				c.warmup, got.Load(), trial.Clients[0].Arrivals, c.want)
		}
	}
}
