package ui_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"rpcbench/internal/cli/ui"
	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/result"
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

// A run of a plan, and one that goes on until it has its answer, as capacity and ab do, are followed while their file is written.
// What is locked is written: a process that was killed holds no lock.
func TestARunIsLiveWhileItsFileIsWritten(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	planned := plan.Trial{Spec: reporttest.Points()[1].Spec, Repetition: 1}
	planned.Spec.Stack, planned.Spec.Server = "grpc-go", "grpc-go"
	writers := map[string]*result.Writer{}
	for name, header := range map[string]result.Header{
		"run.jsonl":      {Plan: []plan.Trial{planned, planned, planned}},
		"capacity.jsonl": {},
	} {
		header.Created, header.Hosts = reporttest.Created, []result.Host{{Name: "lab", OS: "linux"}}
		writer, err := result.Create(filepath.Join(s.dir.Path(), name), header)
		if err != nil {
			t.Fatal(err)
		}
		writers[name] = writer
		for i := range 2 {
			trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], i+1)
			trial.ID = fmt.Sprint("t", i)
			if err := writer.Append(trial); err != nil {
				t.Fatal(err)
			}
		}
	}
	wantLive := func(when string, want map[string]string, isLinked bool) {
		t.Helper()
		code, list, _ := s.ask(t, http.MethodGet, "/", nil, nil)
		for name, state := range want {
			if got := strings.Contains(list, `<a href="live/`+name+`">live</a>`); got != isLinked || code != http.StatusOK {
				t.Errorf("%s while %s: a link to its live page: %v, want %v: %d", name, when, got, isLinked, code)
			}
			got := ui.State(s.dir, name)
			if start := `{"trials":2,"failed":0,`; !strings.HasPrefix(got, start) || !strings.HasSuffix(got, state) {
				t.Errorf("%s while %s: %s, want %s … %s", name, when, got, start, state)
			}
		}
	}
	wantLive("it is written", map[string]string{
		"run.jsonl": `"done":false,"stopped":false}`, "capacity.jsonl": `"done":false,"stopped":false}`,
	}, true)
	for _, writer := range writers {
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
	}
	wantLive("nobody writes it", map[string]string{
		"run.jsonl": `"done":false,"stopped":true}`, "capacity.jsonl": `"done":true,"state":"has ended","stopped":false}`,
	}, false)
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
