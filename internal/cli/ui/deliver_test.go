package ui_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"rpcbench/internal/cli/ui"
)

// A slowPeer takes each piece in a time, unless the deadline comes first.
type slowPeer struct {
	*httptest.ResponseRecorder

	each     time.Duration
	deadline time.Time
}

func (p *slowPeer) SetWriteDeadline(at time.Time) error {
	p.deadline = at
	return nil
}

func (p *slowPeer) Write(b []byte) (int, error) {
	if time.Sleep(p.each); time.Now().After(p.deadline) {
		return 0, os.ErrDeadlineExceeded
	}
	return p.ResponseRecorder.Write(b)
}

func TestASlowDownloadIsWhole(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("results\n", 100_000)
	for each, whole := range map[time.Duration]bool{ui.AnswerPatience - time.Second: true, ui.AnswerPatience + time.Second: false} {
		synctest.Test(t, func(t *testing.T) {
			peer := &slowPeer{ResponseRecorder: httptest.NewRecorder(), each: each}
			ui.Deliver(peer, strings.NewReader(text))
			if got := peer.Body.String(); (got == text) != whole {
				t.Errorf("a piece every %v: %d bytes of %d", each, len(got), len(text))
			}
		})
	}
}

// Half a file must not look like one that is whole.
func TestAFileThatCannotBeReadIsCutOff(t *testing.T) {
	t.Parallel()
	broken := iotest.ErrReader(errors.New("the disk is broken"))
	for begin, want := range map[string]int{"results\n": http.StatusOK, "": http.StatusInternalServerError} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			ui.Deliver(w, io.MultiReader(strings.NewReader(begin), broken))
		}))
		defer server.Close()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := server.Client().Do(request)
		if err != nil && begin == "" {
			t.Fatal(err)
		}
		if err != nil {
			continue // cut off before its first byte went out
		}
		defer answer.Body.Close()
		if text, err := io.ReadAll(answer.Body); answer.StatusCode != want || (err == nil) != (begin == "") {
			t.Errorf("%q: %s, %q, %v", begin, answer.Status, text, err)
		}
	}
}
