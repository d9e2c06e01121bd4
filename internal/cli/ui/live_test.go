package ui_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"rpcbench/internal/cli/ui"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/archive"
)

// A resumed file has a line more for each trial that is measured again.
func TestALivePageCountsTrialsThatAreGood(t *testing.T) {
	t.Parallel()
	const (
		header      = `{"format":"rpcbench-results","plan":[{},{"id":"b"}]}` + "\n"
		good        = `{"id":"a","status":"ok"}` + "\n"
		failed      = `{"id":"a","status":"failed"}` + "\n"
		interrupted = `{"id":"a","status":"ok","interrupted":true}` + "\n"
		other       = `{"id":"b","status":"ok"}` + "\n"
	)
	for _, test := range []struct{ states, want []string }{
		{[]string{"", header, header + good, header + good + other}, []string{"0 of 0", "0 of 2", "1 of 2", "2 of 2"}},
		{[]string{header + failed, header + failed + other, header + failed + other + good},
			[]string{"0 of 2, 1 failed", "1 of 2, 1 failed", "2 of 2"}},
		{[]string{header + interrupted, header + interrupted + good + good}, []string{"0 of 2", "1 of 2"}},
		{[]string{header + good + failed}, []string{"0 of 2, 1 failed"}},
		{[]string{header + "no trial\n" + `{"status":"ok"}` + "\n"}, []string{"0 of 2"}},
		{[]string{header + good[:9], header + good}, []string{"0 of 2", "1 of 2"}}, // half a line is no trial
		// Another file of that name begins anew.
		{[]string{header + good + other, header + other, header + other + good}, []string{"2 of 2", "1 of 2", "2 of 2"}},
		{[]string{header + good + failed, header + good + failed + interrupted}, []string{"0 of 2, 1 failed", "0 of 2"}},
	} {
		if got := ui.Follow(test.states...); !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.states, got, test.want)
		}
	}
}

// The new run's file may have any size when it is looked at next.
func TestALivePageBeginsAnewWithAnotherFile(t *testing.T) {
	t.Parallel()
	const (
		header  = `{"format":"rpcbench-results","created":"2026-11-28T11:07:00Z","plan":[{},{}]}` + "\n"
		another = `{"format":"rpcbench-results","created":"2026-11-28T11:08:00Z","plan":[{},{}]}` + "\n"
		good    = `{"id":"a","status":"ok"}` + "\n"
		other   = `{"id":"b","status":"ok"}` + "\n"
		fails   = `{"id":"a","status":"no"}` + "\n" // as long as one that is good
	)
	for name, test := range map[string]struct{ next, want string }{
		"of the same size":  {another + fails, "0 of 2, 1 failed since 11:08"},
		"that is larger":    {another + fails + other + other, "1 of 2, 1 failed since 11:08"},
		"that is smaller":   {another, "0 of 2 since 11:08"},
		"that has no trial": {another[:len(another)-1], "0 of 0"}, // nor a whole header
		"that is empty":     {"", "0 of 0"},
	} {
		got := ui.Follow(header+good, test.next)
		if want := []string{"1 of 2 since 11:07", test.want}; !slices.Equal(got, want) {
			t.Errorf("a file %s: %q, want %q", name, got, want)
		}
	}
	grown := ui.Follow(header[:20], header[:60], header, header+good)
	if want := []string{"0 of 0", "0 of 0", "0 of 2 since 11:07", "1 of 2 since 11:07"}; !slices.Equal(grown, want) {
		t.Errorf("a header in pieces: %q, want %q", grown, want)
	}
	long := strings.Repeat(" ", 10_000) // the part of a long header that is compared does not grow with the file
	got := ui.Follow(header+long, header+long+"\n"+good)
	if want := []string{"0 of 2 since 11:07", "1 of 2 since 11:07"}; !slices.Equal(got, want) {
		t.Errorf("a long beginning: %q, want %q", got, want)
	}
}

// A model takes all processors, of which a run that is followed needs some.
func TestOneModelIsComputedAtATime(t *testing.T) {
	t.Parallel()
	dir, err := archive.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	added := addTo(t, dir, reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1), archive.Facts{})
	synctest.Test(t, func(t *testing.T) {
		models, release := ui.Models(dir)
		var codes [2]int
		ask := func(ctx context.Context, i int) {
			answer := httptest.NewRecorder()
			answer.Code = 0
			models.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, "/model/"+added.Name, nil))
			codes[i] = answer.Code
		}
		gone, leave := context.WithCancel(t.Context())
		go ask(t.Context(), 0)
		go ask(gone, 1)
		synctest.Wait()
		if codes != [2]int{} {
			t.Errorf("answered with %v while another was computed", codes)
		}
		leave()
		synctest.Wait()
		release()
		synctest.Wait()
		if codes != [2]int{http.StatusOK, http.StatusInternalServerError} { // which nobody reads
			t.Errorf("answered with %v", codes)
		}
	})
}
