package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/result"
)

const most = 1 << 30

func create(t *testing.T, path string) *archive.Dir {
	t.Helper()
	d, err := archive.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func addTo(t *testing.T, d *archive.Dir, file string, facts archive.Facts) (archive.Entry, bool, error) {
	t.Helper()
	opened, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	return d.Add(t.Context(), filepath.Base(file), opened, most, facts)
}

func added(t *testing.T, d *archive.Dir, file string, facts archive.Facts) archive.Entry {
	t.Helper()
	entry, isNew, err := addTo(t, d, file, facts)
	if err != nil || !isNew {
		t.Fatalf("%s: new: %v, %v", file, isNew, err)
	}
	return entry
}

func list(t *testing.T, d *archive.Dir, q archive.Query) []archive.Entry {
	t.Helper()
	entries, err := d.List(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func commits(entries []archive.Entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Commit)
	}
	return strings.Join(names, " ")
}

func TestResultsAreFoundByWhatIsSaidOfThem(t *testing.T) {
	t.Parallel()
	d, from := create(t, t.TempDir()), t.TempDir()
	added(t, d, reporttest.ResultsFile(t, from, "lab", 2, 1), archive.Facts{Commit: "bb22", Branch: "main", Uploader: "ann",
		Labels: []string{"nightly", "os=9"}})
	added(t, d, reporttest.ResultsFile(t, from, "lab", 1, 1), archive.Facts{Commit: "aa11", Branch: "main", Uploader: "bob",
		HostClass: "big"})
	added(t, d, reporttest.ResultsFile(t, from, "edge", 3, 1), archive.Facts{Commit: "aa99", Branch: "fix",
		Committed: reporttest.Created})
	for _, c := range []struct {
		query archive.Query
		want  string
	}{
		{archive.Query{}, "aa99 aa11 bb22"}, // the first says when it was committed
		{archive.Query{Commit: "aa"}, "aa99 aa11"},
		{archive.Query{Branch: "main"}, "aa11 bb22"},
		{archive.Query{HostClass: "big"}, "aa11"},
		{archive.Query{HostClass: "lab"}, "aa11 bb22"},
		{archive.Query{Scenario: "echo", Uploader: "ann"}, "bb22"},
		{archive.Query{Scenario: "ech"}, ""},
		{archive.Query{Labels: []string{"os=9", "nightly"}}, "bb22"},
		{archive.Query{Labels: []string{"os=9", "weekly"}}, ""},
		{archive.Query{CPU: "example cpu", OS: "AMD64"}, "aa99 aa11 bb22"},
		{archive.Query{CPU: "' OR 1=1 --"}, ""},
	} {
		if got := commits(list(t, d, c.query)); got != c.want {
			t.Errorf("%+v: %q, want %q", c.query, got, c.want)
		}
		if got := archive.QueryOf(c.query.Values()); fmt.Sprint(got) != fmt.Sprint(c.query) {
			t.Errorf("%+v becomes %+v in a URL", c.query, got)
		}
	}
	e := list(t, d, archive.Query{Commit: "bb22"})[0]
	if e.Trials != 5 || e.CPU != "Example CPU @ 3.00GHz" || e.OS != "linux/amd64" || !slices.Equal(e.Stacks, []string{"grpc-go"}) ||
		e.Machine != "lab: Example CPU @ 3.00GHz, 2 processors, linux/amd64" {
		t.Errorf("%+v", e)
	}
}

func TestTheSameResultsAreAddedOnce(t *testing.T) {
	t.Parallel()
	d := create(t, t.TempDir())
	file := reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1)
	first := added(t, d, file, archive.Facts{Commit: "aa", Uploader: "ann"})
	again, isNew, err := addTo(t, d, file, archive.Facts{Commit: "aa", Uploader: "bob"})
	if err != nil || isNew || again.Name != first.Name || again.Uploader != "ann" {
		t.Errorf("again: %+v, %v, %v", again, isNew, err)
	}
	_, _, err = addTo(t, d, file, archive.Facts{Commit: "bb"})
	if !errors.Is(err, archive.ErrRefused) || !strings.Contains(err.Error(), "as of commit aa") {
		t.Errorf("of another commit: %v", err)
	}
}

// What is added is read by others too: an archive may be listed and served by another user than the one who adds to it.
func TestResultsHaveTheModeOfTheirFacts(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := added(t, create(t, folder), reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1), archive.Facts{Commit: "aa"})
	results, err := os.Stat(filepath.Join(folder, e.Name))
	if err != nil {
		t.Fatal(err)
	}
	facts, err := os.Stat(filepath.Join(folder, strings.TrimSuffix(e.Name, ".jsonl")+".facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	if results.Mode() != facts.Mode() || runtime.GOOS != "windows" && results.Mode() != 0o644 {
		t.Errorf("results have mode %v, facts %v", results.Mode(), facts.Mode())
	}
}

func TestWritersAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	folder, from := t.TempDir(), t.TempDir()
	const writers, each = 4, 3
	shared := reporttest.ResultsFile(t, from, "shared", 0, 1)
	var wg sync.WaitGroup
	news := make(chan bool, writers)
	for w := range writers {
		d := create(t, folder) // as another process has it: with a lock and an index of its own
		var files []string
		for i := range each {
			files = append(files, reporttest.ResultsFile(t, from, fmt.Sprint("host", w), i, 1))
		}
		wg.Go(func() {
			for i, file := range files {
				if _, isNew, err := addTo(t, d, file, archive.Facts{Commit: fmt.Sprintf("c%d%d", w, i)}); err != nil || !isNew {
					t.Errorf("%s: new %v, %v", file, isNew, err)
				}
			}
			_, isNew, err := addTo(t, d, shared, archive.Facts{Commit: "shared"})
			if err != nil {
				t.Error(err)
			}
			news <- isNew
		})
	}
	wg.Wait()
	close(news)
	times := 0
	for isNew := range news {
		if isNew {
			times++
		}
	}
	if times != 1 {
		t.Errorf("the shared file was new %d times", times)
	}
	d := create(t, folder)
	if n := len(list(t, d, archive.Query{})); n != writers*each+1 {
		t.Errorf("%d entries, want %d", n, writers*each+1)
	}
	if n, err := d.Reindex(t.Context()); err != nil || n != writers*each+1 {
		t.Errorf("%d entries after reindex: %v", n, err)
	}
}

// Whenever a writer crashes, the archive has either nothing or all of the results, and they can be added again.
// Two uploads to one process are two writers, too.
func TestWritersOfOneProcessWaitForOneAnother(t *testing.T) {
	t.Parallel()
	d := create(t, t.TempDir())
	unlock, err := d.Locked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var first atomic.Bool
	first.Store(true)
	second := make(chan bool)
	go func() {
		unlock, err := d.Locked(context.Background())
		second <- err == nil && !first.Load()
		if err == nil {
			unlock()
		}
	}()
	for range 1000 {
		runtime.Gosched()
	}
	first.Store(false)
	unlock()
	if !<-second {
		t.Error("the second writer did not wait for the first")
	}
}

func TestACrashAtAnyStepLosesNothing(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	old, fresh := reporttest.ResultsFile(t, from, "lab", 1, 1), reporttest.ResultsFile(t, from, "lab", 2, 1)
	for step, isIn := range map[string]bool{"facts": false, "results": false, "tidy": true, "index": true} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			d := create(t, folder)
			added(t, d, old, archive.Facts{Commit: "aa"})
			crashed := errors.New("crashed")
			d.Before(func(at string) error {
				if at == step {
					return crashed
				}
				return nil
			})
			if _, _, err := addTo(t, d, fresh, archive.Facts{Commit: "bb", Labels: []string{"kept"}}); !errors.Is(err, crashed) {
				t.Fatalf("%v", err)
			}
			after := create(t, folder)
			want := "aa"
			if isIn {
				want = "aa bb"
			}
			if got := commits(list(t, after, archive.Query{})); got != want {
				t.Errorf("after the crash: %q, want %q", got, want)
			}
			facts := archive.Facts{Commit: "bb", Labels: []string{"kept"}}
			if _, isNew, err := addTo(t, after, fresh, facts); err != nil || isNew == isIn {
				t.Errorf("added again: new %v, %v", isNew, err)
			}
			if entries := list(t, after, archive.Query{Labels: []string{"kept"}}); len(entries) != 1 || entries[0].Trials != 5 {
				t.Errorf("%+v", entries)
			}
		})
	}
}

func TestAnUploadThatEndsEarlyLeavesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := create(t, folder)
	text, err := os.ReadFile(reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	cut := io.MultiReader(bytes.NewReader(text[:len(text)/2]), failing{})
	if _, _, err := d.Add(t.Context(), "cut", cut, most, archive.Facts{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
	_, _, err = d.Add(t.Context(), "large", bytes.NewReader(text), int64(len(text))-1, archive.Facts{})
	if !errors.Is(err, archive.ErrRefused) || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v", err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*json*"))
	hidden, _ := filepath.Glob(filepath.Join(folder, ".incoming*"))
	if err != nil || len(left)+len(hidden) > 0 {
		t.Errorf("left: %v %v, %v", left, hidden, err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Files written by a newer rpcbench are listed, and neither read nor changed.
func TestFilesOfANewerVersionAreKept(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := create(t, folder)
	entry := added(t, d, reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1), archive.Facts{Commit: "aa"})
	newer := []byte(`{"format":"rpcbench-results","version":3,"created":"2027-01-01T00:00:00Z"}` + "\n")
	facts := filepath.Join(folder, strings.TrimSuffix(entry.Name, ".jsonl")+".facts.json")
	said := []byte(`{"version":2,"commit":"aa","rating":5}` + "\n")
	for path, text := range map[string][]byte{filepath.Join(folder, "newer.jsonl"): newer, facts: said} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		var reasons []string
		for _, e := range list(t, d, archive.Query{}) {
			reasons = append(reasons, e.Unread)
		}
		got := strings.Join(reasons, "; ")
		if len(reasons) != 2 || strings.Contains(got, "newer.jsonl") || !strings.Contains(got, "line 1: results of version 3") ||
			!strings.Contains(got, "facts of version 2") {
			t.Errorf("%q", got)
		}
		if n, err := d.Reindex(t.Context()); n != 2 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if got, err := os.ReadFile(facts); err != nil || !bytes.Equal(got, said) {
		t.Errorf("the facts became %s, %v", got, err)
	}
	if _, _, err := d.Add(t.Context(), "newer", bytes.NewReader(newer), most, archive.Facts{}); !errors.Is(err, archive.ErrRefused) {
		t.Errorf("%v", err)
	}
}

func TestADamagedIndexIsMadeAnew(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := create(t, folder)
	added(t, d, reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1), archive.Facts{Commit: "aa"})
	path := filepath.Join(folder, ".index.sqlite")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string][]byte{
		"no database": []byte(strings.Repeat("garbage ", 1000)), "empty": {}, "cut": text[:len(text)/2],
		"pages": append(slices.Clone(text[:200]), bytes.Repeat([]byte{0xa5}, len(text)-200)...),
	} {
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := commits(list(t, create(t, folder), archive.Query{})); got != "aa" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Neither a link nor a folder nor a name with a path is a results file of the folder.
func TestOnlyFilesOfTheFolderAreOpened(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	secret := reporttest.ResultsFile(t, t.TempDir(), "secret", 1, 1)
	err := os.Symlink(secret, filepath.Join(folder, "link.jsonl"))
	if err := errors.Join(err, os.Mkdir(filepath.Join(folder, "dir.jsonl"), 0o755)); err != nil {
		t.Fatal(err)
	}
	d := create(t, folder)
	if entries := list(t, d, archive.Query{}); len(entries) != 0 {
		t.Errorf("%+v", entries)
	}
	for _, name := range []string{"link.jsonl", "dir.jsonl", secret, "../" + filepath.Base(secret), ".index.sqlite",
		"x.facts.json"} {
		if file, err := d.Open(t.Context(), name); err == nil {
			file.Close()
			t.Errorf("%s is opened", name)
		}
	}
}

// A device is endless, and a pipe waits for a writer.
func TestFactsAreReadFromSmallFilesOnly(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		put  func(path string) error
		want string
	}{
		"a link":   {func(path string) error { return os.Symlink(os.DevNull, path) }, "facts: not a regular file"},
		"a folder": {func(path string) error { return os.Mkdir(path, 0o755) }, "facts: not a regular file"},
		"a large file": {func(path string) error {
			return errors.Join(os.WriteFile(path, []byte(`{"version":1}`), 0o644), os.Truncate(path, 1<<40))
		}, "facts: too long"},
	} {
		folder := t.TempDir()
		d := create(t, folder)
		entry := added(t, d, reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1), archive.Facts{Commit: "aa"})
		facts := filepath.Join(folder, strings.TrimSuffix(entry.Name, ".jsonl")+".facts.json")
		if err := errors.Join(os.Remove(facts), c.put(facts)); err != nil {
			t.Fatal(err)
		}
		got := list(t, d, archive.Query{})
		if len(got) != 1 || got[0].Unread != c.want || got[0].Commit != "" {
			t.Errorf("%s: %+v", what, got)
		}
		if n, err := d.Reindex(t.Context()); n != 1 || err != nil {
			t.Errorf("%s: %d, %v", what, n, err)
		}
	}
}

func TestHostileFactsAreRefused(t *testing.T) {
	t.Parallel()
	d := create(t, t.TempDir())
	file := reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1)
	long := strings.Repeat("x", 1000)
	for _, facts := range []archive.Facts{
		{Commit: "a b"}, {Commit: "-x"}, {Commit: long}, {Branch: "\x1b[31m"}, {Branch: long}, {HostClass: "a\u202eb"},
		{Uploader: "a\nb"}, {Labels: []string{"<b>"}}, {Labels: slices.Repeat([]string{"x"}, 100)},
		{Committed: time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)}, {Commit: long[:101]}, {Labels: []string{long[:65]}},
	} {
		if _, _, err := addTo(t, d, file, facts); !errors.Is(err, archive.ErrRefused) {
			t.Errorf("%+v: %v", facts, err)
		}
	}
	if err := (archive.Facts{Commit: long[:100], Labels: []string{long[:64]}}).Check(); err != nil {
		t.Errorf("the longest: %v", err)
	}
	for _, text := range []string{"", "{", "[]", strings.Repeat("[", 1000), `{"version":1,"commit":"<script>"}`,
		`{"version":1,"new":1}`, `{"version":1,"branch":"` + long + `"}`} {
		if _, err := archive.ReadFacts([]byte(text)); err == nil {
			t.Errorf("%.60s is read", text)
		}
	}
	good := archive.Facts{Commit: "aa", Labels: []string{"x"}, Version: 1}
	if got, err := archive.ReadFacts(good.Text()); err != nil || fmt.Sprint(got) != fmt.Sprint(good) {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzFacts(f *testing.F) {
	f.Add(string(archive.Facts{Commit: "aa", Branch: "main", Labels: []string{"x=1"}}.Text()))
	f.Fuzz(func(t *testing.T, text string) {
		facts, err := archive.ReadFacts([]byte(text))
		if err != nil {
			return
		}
		if again, err := archive.ReadFacts(facts.Text()); err != nil || fmt.Sprint(again) != fmt.Sprint(facts) {
			t.Errorf("%+v becomes %+v, %v", facts, again, err)
		}
	})
}

// A change is found where it is, on the machine that has it; another machine is another line.
func TestAHistoryHasItsChangesAndOneMachine(t *testing.T) {
	t.Parallel()
	d, from := create(t, t.TempDir()), t.TempDir()
	for day := range 16 {
		factor := 1.0
		if day >= 10 {
			factor = 1.2
		}
		commit := fmt.Sprintf("c%02d", day)
		added(t, d, reporttest.ResultsFile(t, from, "lab", day, factor), archive.Facts{Commit: commit, Branch: "main"})
		added(t, d, reporttest.ResultsFile(t, from, "edge", day, 3), archive.Facts{Commit: commit, Branch: "main"})
	}
	series, err := d.History(t.Context(), archive.Query{Branch: "main"}, analysis.ResponseP50Ns)
	if err != nil || len(series) != 2 {
		t.Fatalf("%d series, %v", len(series), err)
	}
	edge, lab := series[0], series[1]
	if len(edge.Steps) != 16 || len(edge.Changes) != 0 || !strings.HasPrefix(edge.Machine, "edge: ") {
		t.Errorf("edge: %d steps, %+v", len(edge.Steps), edge.Changes)
	}
	if len(lab.Changes) != 1 || lab.Changes[0].Commit != "c10" || !lab.Changes[0].Worse ||
		!strings.HasPrefix(lab.Point, "echo: grpc-go unary ") {
		t.Fatalf("%q: %+v", lab.Point, lab.Changes)
	}
	if ratio := lab.Changes[0].After / lab.Changes[0].Before; ratio < 1.19 || ratio > 1.21 {
		t.Errorf("%+v", lab.Changes[0])
	}
	rates, err := d.History(t.Context(), archive.Query{HostClass: "lab"}, analysis.CallsPerSec)
	if err != nil || len(rates) != 1 || len(rates[0].Changes) != 1 || !rates[0].Changes[0].Worse {
		t.Errorf("%+v, %v", rates, err)
	}
	metrics, err := d.Metrics(t.Context())
	if err != nil || !slices.Contains(metrics, analysis.ResponseP99Ns) || slices.Contains(metrics, analysis.NsPerOperation) {
		t.Errorf("%v, %v", metrics, err)
	}
}

// A commit whose calls were served in half of the trials has no median halfway.
func TestAMedianOfACommitIsATimeOrNone(t *testing.T) {
	t.Parallel()
	d, from := create(t, t.TempDir()), t.TempDir()
	failing := func(trial *result.Trial) {
		c := &trial.Clients[0]
		c.Outcomes = append(c.Outcomes, result.Outcome{Code: "UNAVAILABLE", Calls: c.Arrivals})
		c.Arrivals *= 2
	}
	added(t, d, reporttest.ResultsFile(t, from, "lab", 0, 1), archive.Facts{Commit: "a", Branch: "main"})
	added(t, d, reporttest.ResultsFile(t, from, "lab", 1, 1, failing), archive.Facts{Commit: "a", Branch: "main"})
	series, err := d.History(t.Context(), archive.Query{Branch: "main"}, analysis.ResponseP99Ns)
	if err != nil || len(series) != 1 || len(series[0].Steps) != 1 {
		t.Fatalf("%+v, %v", series, err)
	}
	if step := series[0].Steps[0]; len(step.Trials) != 10 || step.Median != analysis.NotServed {
		t.Errorf("%d trials with a median of %v, want 10 with %v", len(step.Trials), step.Median, analysis.NotServed)
	}
}

// JSON has no infinities: a history with one could not be served.
func TestAHistoryOfWhatIsNotFiniteIsServed(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(archive.Series{
		Steps:   []archive.Step{{Commit: "a", Trials: []float64{1, math.Inf(1)}, Median: math.NaN(), Lo: 1, Hi: math.Inf(1)}},
		Changes: []archive.Change{{Before: math.Inf(-1), After: 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"trials":[1,null],"median":null,"lo":1,"hi":null`, `"before":null,"after":2`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s has no %s", text, want)
		}
	}
	var read archive.Series
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if step := read.Steps[0]; step.Commit != "a" || !math.IsNaN(step.Median) || step.Lo != 1 || !math.IsNaN(step.Trials[1]) {
		t.Errorf("%+v was read", step)
	}
}

func TestACheckComparesCommitsOfOneMachine(t *testing.T) {
	t.Parallel()
	d, from := create(t, t.TempDir()), t.TempDir()
	for day, commit := range []string{"c1", "c2", "c3", "c4"} {
		added(t, d, reporttest.ResultsFile(t, from, "lab", day, 1), archive.Facts{Commit: commit, Branch: "main"})
	}
	added(t, d, reporttest.ResultsFile(t, from, "edge", 4, 1), archive.Facts{Commit: "c4", Branch: "main"})
	added(t, d, reporttest.ResultsFile(t, from, "lab", 9, 1), archive.Facts{Commit: "f1", Branch: "fix"})
	added(t, d, reporttest.ResultsFile(t, from, "lab", 5, 1), archive.Facts{Commit: "c3", Branch: "main"}) // measured again
	entries := list(t, d, archive.Query{})
	for _, c := range []struct {
		trunk archive.Trunk
		want  string
	}{
		{archive.Trunk{Branch: "main", Commits: 10}, "lab c4: 1 after 4 of 3"},
		{archive.Trunk{Branch: "main", Commits: 2}, "lab c4: 1 after 3 of 2"},
		{archive.Trunk{Commit: "f", Branch: "main", Commits: 9}, "lab f1: 1 after 5 of 4"},
		{archive.Trunk{Commit: "f1", Commits: 9}, "no commit before f1 was measured on the same machine on branch fix"},
		{archive.Trunk{Commit: "c1", Branch: "main", Commits: 9}, "c1 is the first commit with results"},
		{archive.Trunk{Commit: "c", Commits: 9}, "c is the beginning of several commits"},
		{archive.Trunk{Commit: "dd", Commits: 9}, "the archive has no results of commit dd"},
		{archive.Trunk{Branch: "none", Commits: 9}, "the archive has no results with a commit on branch none"},
	} {
		pairs, err := c.trunk.Pairs(entries)
		got := fmt.Sprint(err)
		if err == nil {
			p := pairs[0]
			host, _, _ := strings.Cut(p.Machine, ":")
			got = fmt.Sprintf("%s %s: %d after %d of %d", host, p.Commit, len(p.Last), len(p.Before), p.Commits)
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %s, want %s", c.trunk, got, c.want)
		}
	}
}

// No string of a results file does anything to a terminal or the index.
func TestAHostileFileIsAnEntry(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	hostile := `x'); DROP TABLE entries; --\u001b[31m\u202e<script>`
	text = bytes.ReplaceAll(text, []byte(`"name":"lab"`), []byte(`"name":"`+hostile+`"`))
	text = bytes.ReplaceAll(text, []byte(`"echo"`), []byte(`"`+hostile+`"`))
	d := create(t, folder)
	if _, _, err := d.Add(t.Context(), "theirs", bytes.NewReader(text), most, archive.Facts{Commit: "aa"}); err != nil {
		t.Fatal(err)
	}
	entries := list(t, d, archive.Query{Scenario: "x'); DROP TABLE entries; --\x1b[31m\u202e<script>"})
	if len(entries) != 1 || entries[0].Trials != 5 {
		t.Errorf("%+v", entries)
	}
}

// A process killed while adding leaves a file, which nothing else removes if nothing is added again.
func TestWhatACrashLeftIsRemovedWhenAnArchiveIsOpened(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := create(t, folder).Close(); err != nil {
		t.Fatal(err)
	}
	left, fresh := filepath.Join(folder, ".incoming-1"), filepath.Join(folder, ".incoming-2")
	long := time.Now().Add(-25 * time.Hour)
	for _, name := range []string{left, fresh} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(left, long, long); err != nil {
		t.Fatal(err)
	}
	d, err := archive.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	_, errLeft := os.Stat(left)
	_, errFresh := os.Stat(fresh)
	if !errors.Is(errLeft, fs.ErrNotExist) || errFresh != nil {
		t.Errorf("the one of yesterday: %v; one that may be written still: %v", errLeft, errFresh)
	}
}

// A results file that --resume completed, and its copy from before, are one run: its trials count once.
func TestACopyFromBeforeAResumeDoesNotCount(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"before", "after"} {
		d, from := create(t, t.TempDir()), t.TempDir()
		added(t, d, reporttest.ResultsFile(t, from, "lab", 0, 1), archive.Facts{Commit: "c0", Branch: "main"})
		after := reporttest.ResultsFile(t, from, "lab", 1, 1)
		text, err := os.ReadFile(after)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
		before := filepath.Join(from, "before.jsonl")
		if err := os.WriteFile(before, []byte(strings.Join(lines[:len(lines)-1], "")), 0o600); err != nil {
			t.Fatal(err)
		}
		facts := archive.Facts{Commit: "c1", Branch: "main"}
		if first == "before" {
			added(t, d, before, facts)
		}
		whole := added(t, d, after, facts)
		if first == "after" {
			added(t, d, before, facts)
		}
		series, err := d.History(t.Context(), archive.Query{}, analysis.ResponseP50Ns)
		if err != nil || len(series) != 1 || len(series[0].Steps) != 2 {
			t.Fatalf("%+v, %v", series, err)
		}
		step := series[0].Steps[1]
		if !slices.Equal(step.Names, []string{whole.Name}) || len(step.Trials) != whole.Trials || whole.Trials < 2 {
			t.Errorf("%s first: %d trials of %v, want %d", first, len(step.Trials), step.Names, whole.Trials)
		}
		entries := list(t, d, archive.Query{})
		pairs, err := archive.Trunk{Branch: "main", Commits: 9}.Pairs(entries)
		if err != nil || len(entries) != 3 || !slices.Equal(pairs[0].Last, []string{whole.Name}) {
			t.Errorf("%s first: %d entries, %+v, %v", first, len(entries), pairs, err)
		}
	}
}

// A trial that was interrupted, and measured again after --resume, makes as many trials in both files.
func TestACopyWithAsManyTrialsDoesNotCount(t *testing.T) {
	t.Parallel()
	d, from := create(t, t.TempDir()), t.TempDir()
	facts := archive.Facts{Commit: "c1", Branch: "main"}
	before := reporttest.ResultsFile(t, from, "lab", 0, 1)
	text, err := os.ReadFile(before)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	after := filepath.Join(from, "after.jsonl")
	if err := os.WriteFile(after, append(text, lines[len(lines)-1]+"\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	whole, copied := added(t, d, after, facts), added(t, d, before, facts)
	series, err := d.History(t.Context(), archive.Query{}, analysis.ResponseP50Ns)
	if err != nil || whole.Trials != copied.Trials || len(series) != 1 ||
		!slices.Equal(series[0].Steps[0].Names, []string{whole.Name}) {
		t.Errorf("%d and %d trials: %+v, %v; want those of %s", whole.Trials, copied.Trials, series, err, whole.Name)
	}
}

// A commit whose trials all failed is the last one, too, and is compared with those before it that have any.
func TestACheckTakesACommitThatFailed(t *testing.T) {
	t.Parallel()
	d, from := create(t, t.TempDir()), t.TempDir()
	fail := func(trial *result.Trial) { trial.Fail(result.FailureRun, "it ended") }
	for day, c := range []struct {
		commit  string
		changes []func(*result.Trial)
	}{{"v1.2", nil}, {"v1.2.1", []func(*result.Trial){fail}}, {"v1.3", nil}, {"v1.4", []func(*result.Trial){fail}}} {
		added(t, d, reporttest.ResultsFile(t, from, "lab", day, 1, c.changes...), archive.Facts{Commit: c.commit, Branch: "main"})
	}
	entries := list(t, d, archive.Query{})
	for commit, before := range map[string]int{"": 2, "v1.4": 2, "v1.3": 1, "v1.2.1": 1} {
		pairs, err := archive.Trunk{Commit: commit, Branch: "main", Commits: 9}.Pairs(entries)
		if err != nil || len(pairs) != 1 || len(pairs[0].Last) != 1 || len(pairs[0].Before) != before {
			t.Errorf("%q: %+v, %v; want one after %d", commit, pairs, err, before)
		}
	}
	if _, err := (archive.Trunk{Commit: "v1.2", Branch: "main", Commits: 9}).Pairs(entries); err == nil ||
		!strings.HasPrefix(err.Error(), "v1.2 is the first commit ") {
		t.Errorf("v1.2, which others begin with: %v", err)
	}
}

// Jobs of one pipeline begin in one second on machines of one class, and measure one commit.
func TestRunsOfOneSecondAreNoCopies(t *testing.T) {
	t.Parallel()
	d, from := create(t, t.TempDir()), t.TempDir()
	facts := archive.Facts{Commit: "c1", Branch: "main", HostClass: "runner"}
	whole := reporttest.ResultsFile(t, from, "lab", 0, 1)
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	lines[0] = strings.Replace(lines[0], `"seed":`, `"seed":9`, 1)
	other := filepath.Join(from, "other.jsonl")
	if err := os.WriteFile(other, []byte(strings.Join(lines[:len(lines)-1], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	one, two := added(t, d, whole, facts), added(t, d, other, facts)
	if !one.Created.Equal(two.Created) || one.Machine != two.Machine || one.Trials == two.Trials {
		t.Fatalf("not of one second, machine and commit, or as full: %+v, %+v", one, two)
	}
	series, err := d.History(t.Context(), archive.Query{}, analysis.ResponseP50Ns)
	if err != nil || len(series) != 1 || len(series[0].Steps) != 1 || len(series[0].Steps[0].Trials) != one.Trials+two.Trials {
		t.Errorf("want one step of %d trials, got %+v, %v", one.Trials+two.Trials, series, err)
	}
}
