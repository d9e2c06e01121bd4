package cli_test

import (
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// Three clients number their calls apart, so that together they use each row as often as one client would, and no number and no
// random value twice.
func TestClientsShareNumbersAndRows(t *testing.T) {
	t.Parallel()
	const calls, clients, rows = 24, 3, 4
	var mu sync.Mutex
	seen := map[string]int{}
	address := openWeb(t, nil, false, func(_ http.ResponseWriter, q *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		for name, values := range q.URL.Query() {
			seen[name+values[0]]++
		}
	})
	file := filepath.Join(t.TempDir(), "users.csv")
	writeText(t, file, "id\n0\n1\n2\n3\n")
	loaded(t, 0, "http://"+address+`/?number={{sequence}}&row={{column "id"}}&random={{uuid}}`, "--rows-file", file,
		"--clients", strconv.Itoa(clients), "--connections", strconv.Itoa(clients), "--calls", strconv.Itoa(calls), "--warmup", "0s")
	for i := range calls {
		if name := "number" + strconv.Itoa(i); seen[name] != 1 {
			t.Errorf("%s was sent %d times, want once", name, seen[name])
		}
	}
	for i := range rows {
		if name := "row" + strconv.Itoa(i); seen[name] != calls/rows {
			t.Errorf("%s was sent %d times, want %d", name, seen[name], calls/rows)
		}
	}
	if got, want := len(seen), calls+rows+calls; got != want {
		t.Errorf("%d different values, want %d: %v", got, want, seen)
	}
}

// Entries of a mix number their own calls, and draw values of their own.
func TestCallsOfAMixDrawTheirOwnValues(t *testing.T) {
	t.Parallel()
	const calls = 100
	var mu sync.Mutex
	seen := map[string]int{}
	address := openWeb(t, nil, false, func(_ http.ResponseWriter, q *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen[q.URL.Query().Get("id")]++
	})
	loaded(t, 0, "http://"+address, "--mix", "1 GET /a?id={{uuid}}", "--mix", "1 GET /b?id={{uuid}}",
		"--calls", strconv.Itoa(calls), "--warmup", "0s")
	if len(seen) != calls {
		t.Errorf("%d different ids of %d calls", len(seen), calls)
	}
}
