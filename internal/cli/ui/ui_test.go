package ui_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/call/target"
	"rpcbench/internal/cli/ui"
	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/result"
)

const secret = "0123456789abcdef0123"

// site is a server of a folder, and who has its token.
type site struct {
	*httptest.Server

	dir *archive.Dir
}

func serve(t *testing.T, o ui.Options) site {
	t.Helper()
	dir, err := archive.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	o.Dir, o.IsHost = dir, target.IsLoopback
	if o.Tokens, err = ui.Tokens("# who may\nann " + secret + "\nother-token-of-nobody"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(ui.Handler(o))
	t.Cleanup(server.Close)
	return site{server, dir}
}

func (s site) remote(t *testing.T, token string) *archive.Remote {
	t.Helper()
	base, isURL, err := archive.ParseURL(s.URL)
	if err != nil || !isURL {
		t.Fatal(err)
	}
	return &archive.Remote{Base: base, Token: token, Client: s.Client()}
}

// ask makes a request with the token, changed by a function, and returns the code and the body.
func (s site) ask(t *testing.T, method, path string, body io.Reader, change func(*http.Request)) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+secret)
	if change != nil {
		change(r)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

func TestOnlyWhoHasTheTokenGetsAnything(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{Uploads: true, UploadMost: 1 << 20})
	if code, text, _ := s.ask(t, http.MethodGet, "/", nil, nil); code != http.StatusOK || !strings.Contains(text, ">Results</h1>") {
		t.Errorf("with the token: %d %.100s", code, text)
	}
	for _, path := range []string{"/", "/open/x.jsonl", "/api/entries", "/api/results/x.jsonl", "/nothing", "/events/x.jsonl"} {
		for _, given := range []string{"", "Bearer ", "Bearer " + secret[1:], "Bearer " + secret + "0", "Basic " + secret} {
			code, text, _ := s.ask(t, http.MethodGet, path, nil, func(r *http.Request) { r.Header.Set("Authorization", given) })
			if code != http.StatusUnauthorized || strings.Contains(text, secret) {
				t.Errorf("%s with %q: %d", path, given, code)
			}
		}
	}
	if code, _, _ := s.ask(t, http.MethodGet, "/?token=wrong-token-of-mine", nil, nil); code != http.StatusUnauthorized {
		t.Errorf("a wrong token in the address: %d", code)
	}
	code, _, header := s.ask(t, http.MethodGet, "/history?token="+secret+"&branch=main", nil, nil)
	cookie := header.Get("Set-Cookie")
	if code != http.StatusSeeOther || header.Get("Location") != "./history?branch=main" ||
		!strings.Contains(cookie, "HttpOnly; SameSite=Lax") {
		t.Errorf("%d to %q with %q", code, header.Get("Location"), cookie)
	}
	_, _, header = s.ask(t, http.MethodGet, "//evil.example/?token="+secret, nil, nil)
	if to := header.Get("Location"); to != "./" {
		t.Errorf("sent to %s", to)
	}
	pair, _, _ := strings.Cut(cookie, ";")
	if code, _, _ := s.ask(t, http.MethodGet, "/", nil, func(r *http.Request) {
		r.Header.Del("Authorization")
		r.Header.Set("Cookie", pair)
	}); code != http.StatusOK {
		t.Errorf("with the cookie: %d", code)
	}
}

// headers sets headers of a request: name, value, name, value.
func headers(pairs ...string) func(*http.Request) {
	return func(r *http.Request) {
		for pair := range slices.Chunk(pairs, 2) {
			r.Header.Set(pair[0], pair[1])
		}
	}
}

func TestOtherNamesAndSitesAreRefused(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{Runs: &ui.Runs{Folder: t.TempDir()}})
	own := s.URL
	for name, c := range map[string]struct {
		method, path string
		change       func(*http.Request)
		want         int
	}{
		"its own page":      {"GET", "/", headers("Origin", own, "Sec-Fetch-Site", "same-origin"), 200},
		"a rebound name":    {"GET", "/", func(r *http.Request) { r.Host = "evil.example:80" }, 421},
		"an address":        {"GET", "/", func(r *http.Request) { r.Host = "192.0.2.1" }, 421},
		"every address":     {"GET", "/", func(r *http.Request) { r.Host = "0.0.0.0" }, 421},
		"a short address":   {"GET", "/", func(r *http.Request) { r.Host = "127.1" }, 421},
		"another loopback":  {"GET", "/", func(r *http.Request) { r.Host = "[::ffff:127.0.0.2]:80" }, 200},
		"no name":           {"GET", "/", func(r *http.Request) { r.Host = "localhost.evil.example" }, 421},
		"another origin":    {"GET", "/api/entries", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"origin null":       {"POST", "/runs", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"another port":      {"POST", "/runs", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, 403},
		"a picture":         {"GET", "/", headers("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"), 403},
		"a form":            {"POST", "/runs", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"a neighbour":       {"GET", "/open/x.jsonl", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }, 403},
		"a link to the top": {"GET", "/", headers("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"), 200},
		"a link elsewhere":  {"GET", "/open/x.jsonl", headers("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"), 403},
		"a form to the top": {"POST", "/", headers("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"), 403},
	} {
		if code, text, _ := s.ask(t, c.method, c.path, nil, c.change); code != c.want {
			t.Errorf("%s: %d %s, want %d", name, code, text, c.want)
		}
	}
}

func TestEveryAnswerHasAStrictPolicy(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	added := addTo(t, s.dir, reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1), archive.Facts{Commit: "aa"})
	for _, path := range []string{"/", "/open/" + added.Name, "/history", "/live/" + added.Name, "/nothing", "/api/entries"} {
		code, text, header := s.ask(t, http.MethodGet, path, nil, nil)
		policy := header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'sha256-", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s has no %s: %s", path, part, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%s: %v", path, header)
		}
		if code == http.StatusOK && strings.Contains(text, "<script src") {
			t.Errorf("%s asks for a script", path)
		}
	}
}

// A browser would apply it to all ports of the host, where others may serve without TLS.
func TestNoTransportPolicyIsSetForTheHost(t *testing.T) {
	t.Parallel()
	tokens, err := ui.Tokens(secret)
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://localhost:8443/?token="+secret, nil)
	ui.Handler(ui.Options{Tokens: tokens, IsHost: target.IsLoopback, TLS: true}).ServeHTTP(answer, request)
	if policy := answer.Header().Get("Strict-Transport-Security"); answer.Code != http.StatusSeeOther || policy != "" {
		t.Errorf("%d with the policy %q", answer.Code, policy)
	}
}

func addTo(t *testing.T, d *archive.Dir, file string, facts archive.Facts) archive.Entry {
	t.Helper()
	opened, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	entry, _, err := d.Add(t.Context(), filepath.Base(file), opened, 1<<30, facts)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func TestAnArchiveIsTheSameOverHTTP(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{Uploads: true, UploadMost: 1 << 20})
	remote := s.remote(t, secret)
	file := reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	facts := archive.Facts{Commit: "aa11", Branch: "main", Labels: []string{"x=1"}, Uploader: "mallory"}
	entry, isNew, err := remote.Add(t.Context(), "r.jsonl", strings.NewReader(string(text)), 0, facts)
	if err != nil || !isNew || entry.Uploader != "ann" || entry.Trials != 5 {
		t.Fatalf("%+v, %v, %v", entry, isNew, err)
	}
	if _, isNew, err := remote.Add(t.Context(), "r.jsonl", strings.NewReader(string(text)), 0, facts); err != nil || isNew {
		t.Errorf("again: %v, %v", isNew, err)
	}
	entries, err := remote.List(t.Context(), archive.Query{Commit: "aa", Labels: []string{"x=1"}})
	here, errHere := s.dir.List(t.Context(), archive.Query{})
	if err := errors.Join(err, errHere); err != nil || fmt.Sprint(entries) != fmt.Sprint(here) {
		t.Errorf("%v is not %v: %v", entries, here, err)
	}
	opened, err := remote.Open(t.Context(), entry.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if got, err := io.ReadAll(opened); err != nil || string(got) != string(text) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(text), err)
	}
	series, err := remote.History(t.Context(), archive.Query{}, analysis.ResponseP50Ns)
	if err != nil || len(series) != 1 || len(series[0].Steps) != 1 {
		t.Errorf("%+v, %v", series, err)
	}
	if _, err := s.remote(t, "wrong-token-of-mine").List(t.Context(), archive.Query{}); !errors.Is(err, archive.ErrRefused) {
		t.Errorf("a wrong token: %v", err)
	}
	if _, err := remote.Open(t.Context(), "../secret.jsonl"); err == nil {
		t.Error("a path is opened")
	}
}

func TestUploadsAreBounded(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile(reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, ui.Options{Uploads: true, UploadMost: int64(len(file)) - 1})
	good := archive.Facts{Commit: "aa"}
	_, _, err = s.remote(t, secret).Add(t.Context(), "r", strings.NewReader(string(file)), 0, good)
	if !errors.Is(err, archive.ErrRefused) || !strings.Contains(err.Error(), "too large") {
		t.Errorf("with a length: %v", err)
	}
	unsized := struct{ io.Reader }{strings.NewReader(string(file))}
	if _, _, err = s.remote(t, secret).Add(t.Context(), "r", unsized, 0, good); !errors.Is(err, archive.ErrRefused) {
		t.Errorf("without a length: %v", err)
	}
	for name, body := range map[string]string{"nothing": "", "no results": "hello\n", "JSON": "{}\n"} {
		_, _, err := s.remote(t, secret).Add(t.Context(), "r", strings.NewReader(body), 0, good)
		if !errors.Is(err, archive.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if code, _, _ := s.ask(t, http.MethodPost, "/api/entries", strings.NewReader("x"), nil); code != http.StatusBadRequest {
		t.Errorf("without facts: %d", code)
	}
	if entries, err := s.dir.List(t.Context(), archive.Query{}); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v", entries, err)
	}
	readOnly := serve(t, ui.Options{})
	code, _, _ := readOnly.ask(t, http.MethodPost, "/api/entries", strings.NewReader(string(file)), nil)
	if code != http.StatusMethodNotAllowed {
		t.Errorf("where nothing is taken: %d", code)
	}
}

func TestPagesShowWhatThereIs(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	from := t.TempDir()
	first := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 1, 1), archive.Facts{Commit: "aa11", Branch: "main",
		Labels: []string{"nightly"}})
	second := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 2, 1.3), archive.Facts{Commit: "bb22", Branch: "main"})
	hostile := "<script>hacked=1</script>\x1b[31m\u202e"
	theirs := strings.NewReplacer(`"name":"lab"`, `"name":"`+strings.NewReplacer("\x1b", `\u001b`).Replace(hostile)+`"`)
	text, err := os.ReadFile(filepath.Join(from, "lab-002.jsonl"))
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dir.Path(), "x\u202e<b>.jsonl"), []byte(theirs.Replace(string(text))), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for path, wants := range map[string][]string{
		"/":                   {first.Name, second.Name, "nightly", "aa11", "3 results files", ">measured (UTC)<"},
		"/?q=nightly+ECHO":    {first.Name, "1 results file"},
		"/?q=nothing":         {"No results file has all of these words."},
		"/?commit=bb":         {second.Name, "1 results file"},
		"/open/" + first.Name: {"How long does a call take?", "All results", `id="data"`},
		"/history": {">response p50 over commits<", "echo: grpc-go unary", "Lower is better.",
			"There are too few commits to find a change: a line needs at least 9, and the longest has 2."},
		"/history?metric=calls_per_sec":                        {">calls per sec over commits<", "Higher is better."},
		"/live/" + first.Name:                                  {"data-live="},
		"/compare?file=" + first.Name + "&file=" + second.Name: {"bb22 compared with aa11", "All results"},
	} {
		code, text, _ := s.ask(t, http.MethodGet, path, nil, nil)
		if code != http.StatusOK {
			t.Errorf("%s: %d %.200s", path, code, text)
		}
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q", path, want)
			}
		}
		if strings.Contains(text, "<script>hacked") || strings.ContainsAny(text, "\x1b\u202e") || strings.Contains(text, "<b>") {
			t.Errorf("%s has what a file brought", path)
		}
	}
	for path, want := range map[string]int{"/compare?file=" + first.Name: 400, "/open/none.jsonl": 404, "/open/..%2f.lock": 404,
		"/live/none.jsonl": 404, "/events/none.jsonl": 404, "/model/none.jsonl": 404, "/runs": 404, "/api/history?metric=x": 400} {
		if code, _, _ := s.ask(t, http.MethodGet, path, nil, nil); code != want {
			t.Errorf("%s: %d, want %d", path, code, want)
		}
	}
}

// Of a line with few commits nobody knows whether it has changed.
func TestAHistorySaysWhereNoChangeCouldBeFound(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	from := t.TempDir()
	add := func(host string, day int, factor float64) {
		addTo(t, s.dir, reporttest.ResultsFile(t, from, host, day, factor), archive.Facts{Commit: fmt.Sprint("c", day)})
	}
	for day := range 10 {
		add("lab", day+1, 1+float64(day/5))
	}
	said := func() string {
		_, text, _ := s.ask(t, http.MethodGet, "/history", nil, nil)
		_, text, _ = strings.Cut(text, `<p class="answer">`)
		text, _, _ = strings.Cut(text, "</p>")
		return text
	}
	const want = "1 change found."
	if got := said(); got != want {
		t.Errorf("of ten commits: %s", got)
	}
	add("edge", 1, 1)
	if got := said(); got != want+" In 1 line of 2 there are too few commits to find one: a line needs at least 9." {
		t.Errorf("of ten commits, and one on another machine: %s", got)
	}
}

// Loads are told apart by what they called, which a hostile file can't make markup of.
func TestTheListSaysWhatLoadsCalled(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	from := t.TempDir()
	calling := func(method string) func(*result.Trial) {
		return func(trial *result.Trial) {
			trial.Spec.Target, trial.Spec.Method = "localhost:8080", &plan.Method{Name: method}
		}
	}
	_, list, _ := s.ask(t, http.MethodGet, "/", nil, nil)
	if strings.Contains(list, ">calls<") {
		t.Error("a column of calls where there are none")
	}
	get := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 1, 1, calling("shop.v1.Shop/Get")), archive.Facts{})
	put := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 2, 1, calling("shop.v1.Shop/Put<b>")), archive.Facts{})
	_, list, _ = s.ask(t, http.MethodGet, "/", nil, nil)
	for _, want := range []string{
		">calls<", ">shop.v1.Shop/Get at localhost:8080, 1 in flight<", ">shop.v1.Shop/Put&lt;b&gt; at localhost:8080, 1 in flight<",
	} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in %s", want, list)
		}
	}
	_, list, _ = s.ask(t, http.MethodGet, "/?q=shop/get+8080", nil, nil)
	if !strings.Contains(list, get.Name) || strings.Contains(list, put.Name) {
		t.Errorf("the search for a call found %s", list)
	}
}

// Files that have no point in common, and values within a file, are compared by what differs.
func TestAComparisonMayBeByWhatDiffers(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	from := t.TempDir()
	labelled := func(label string) func(*result.Trial) {
		return func(trial *result.Trial) { trial.Spec.Label = label }
	}
	first := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 1, 1, labelled("v1")), archive.Facts{})
	second := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 2, 1.3, labelled("v2")), archive.Facts{})
	both := "/compare?file=" + first.Name + "&file=" + second.Name
	_, list, _ := s.ask(t, http.MethodGet, "/", nil, nil)
	if !strings.Contains(list, `<select name="by"><option value="">file</option>`) ||
		!strings.Contains(list, "<option>label</option>") {
		t.Errorf("no choice by what to compare in %s", list)
	}
	link := "compare?by=label&amp;file=" + first.Name + "&amp;file=" + second.Name
	for _, c := range []struct {
		path  string
		code  int
		wants []string
	}{
		{both, http.StatusUnprocessableEntity, []string{`<a href="./">All results</a>`, "differ in:</p>",
			`<tr><th scope="row">label</th><td class="long">v1</td><td class="long">v2</td></tr>`,
			`<a href="` + link + `">label</a></p>`}},
		{both + "&by=label", http.StatusOK, []string{"v2 compared with v1", "All results"}},
		{both + "&by=stack", http.StatusUnprocessableEntity, []string{
			">These results can&#39;t be compared: stack is the same in all rows, so there is nothing to compare.</p>", `">label</a></p>`,
		}},
		{"/compare?by=label&file=" + first.Name, http.StatusUnprocessableEntity, []string{"label is the same in all rows"}},
		{"/compare?by=nonsense&file=" + first.Name, http.StatusBadRequest, []string{"Choose two results files", "All results"}},
	} {
		code, text, _ := s.ask(t, http.MethodGet, c.path, nil, nil)
		if code != c.code || strings.Contains(text, "--by") {
			t.Errorf("%s: %d, want %d, in the words of a page: %.500s", c.path, code, c.code, text)
		}
		for _, want := range c.wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s has no %q: %s", c.path, want, text[max(0, strings.Index(text, "<main")):])
			}
		}
	}
}

// Two files that differ in two things have nothing in common by either, so no link promises it.
func TestAComparisonIsOfferedOnlyWhereThereIsOne(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	from := t.TempDir()
	measured := func(label string, bytes int) func(*result.Trial) {
		return func(trial *result.Trial) { trial.Spec.Label, trial.Spec.RequestBytes = label, bytes }
	}
	first := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 1, 1, measured("v1", 2)), archive.Facts{})
	second := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 2, 1, measured("v2", 4)), archive.Facts{})
	for _, by := range []string{"", "label", "request_bytes"} {
		query := url.Values{"file": {first.Name, second.Name}, "by": {by}}
		code, text, _ := s.ask(t, http.MethodGet, "/compare?"+query.Encode(), nil, nil)
		if code != http.StatusUnprocessableEntity || strings.Contains(text, "by=") {
			t.Errorf("by %q: %d, and a link to what fails, too: %s", by, code, mainOf(text))
		}
		for _, want := range []string{
			`<tr><th scope="row">request bytes</th><td class="long">2</td><td class="long">4</td></tr>`,
			"Measure both with all else alike.",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("by %q: no %q in %s", by, want, mainOf(text))
			}
		}
	}
}

// What panics is said where the server says things; who asked gets an answer, and the server goes on.
func TestAPanicIsAnswered(t *testing.T) {
	t.Parallel()
	tokens, err := ui.Tokens(secret)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	server := httptest.NewUnstartedServer(ui.Handler(ui.Options{Tokens: tokens, IsHost: target.IsLoopback})) // without a folder
	server.Config.ErrorLog = log.New(&said, "", 0)
	server.Start()
	s := site{Server: server}
	for _, path := range []string{"/", "/compare?file=a.jsonl&file=b.jsonl"} {
		code, text, _ := s.ask(t, http.MethodGet, path, nil, nil)
		if code != http.StatusInternalServerError || !strings.HasPrefix(text, "A defect of rpcbench") {
			t.Errorf("%s: %d %q", path, code, text)
		}
	}
	server.Close()
	for _, want := range []string{"GET /: runtime error: ", "GET /compare: runtime error: ", "ui.(*server).compare"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q was not said:\n%s", want, said.String())
		}
	}
}

// Results in which no trial succeeded are opened too: their report says why.
func TestTheListLinksToWhatCanBeOpened(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	from := t.TempDir()
	failed := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 1, 1, reporttest.Fail), archive.Facts{})
	_, list, _ := s.ask(t, http.MethodGet, "/", nil, nil)
	if want := `<a href="open/` + failed.Name + `">`; !strings.Contains(list, want) || strings.Contains(list, `name="file"`) {
		t.Errorf("no %s, or a choice to compare, in %s", want, list)
	}
	if code, text, _ := s.ask(t, http.MethodGet, "/open/"+failed.Name, nil, nil); code != http.StatusOK ||
		!strings.Contains(text, "the server died: exit status 2") {
		t.Errorf("the report: %d %.500s", code, text)
	}
	if code, text, _ := s.ask(t, http.MethodGet, "/model/"+failed.Name, nil, nil); code != http.StatusOK {
		t.Errorf("the model: %d %.500s", code, text)
	}
}

// What became of the trials is beside the file's name, where a narrow window shows it.
func TestTheListBeginsWithTheOutcome(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	from := t.TempDir()
	row := func(name string) string {
		t.Helper()
		_, list, _ := s.ask(t, http.MethodGet, "/", nil, nil)
		if head := `<th scope="col">results</th><th scope="col" class="right">trials</th>`; !strings.Contains(list, head) {
			t.Errorf("no %s in %s", head, mainOf(list))
		}
		_, rest, _ := strings.Cut(list, `<tr><th scope="row" class="file"><a href="open/`+name+`">`+name+`</a></th>`)
		cell, _, _ := strings.Cut(rest, "</td>")
		return cell
	}
	few := 0
	failFirst := func(trial *result.Trial) {
		if few++; few <= 2 {
			reporttest.Fail(trial)
		}
	}
	for day, c := range []struct {
		change func(*result.Trial)
		want   string
	}{
		{func(*result.Trial) {}, `<td class="right">5`},
		{reporttest.Fail, `<td class="right"><span class="alarm">5 failed</span>`},
		{failFirst, `<td class="right">3, <span class="alarm">2 failed</span>`},
	} {
		added := addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", day+1, 1, c.change), archive.Facts{})
		if got := row(added.Name); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if _, list, _ := s.ask(t, http.MethodGet, "/", nil, nil); strings.Contains(list, ">labels<") {
		t.Error("a column of labels where there are none")
	}
	addTo(t, s.dir, reporttest.ResultsFile(t, from, "lab", 9, 1), archive.Facts{Labels: []string{"nightly"}})
	if _, list, _ := s.ask(t, http.MethodGet, "/", nil, nil); !strings.Contains(list, ">labels<") ||
		!strings.Contains(list, "<td>nightly</td>") {
		t.Errorf("no label in %s", mainOf(list))
	}
}

// Commands may be long: a list is for finding a file, and has them all where the pointer rests.
func TestTheListShortensLongCalls(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	name := "shop.v1.Shop/" + strings.Repeat("Get", 60)
	addTo(t, s.dir, reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1, func(trial *result.Trial) {
		trial.Spec.Target, trial.Spec.Method = "localhost:8080", &plan.Method{Name: name}
	}), archive.Facts{})
	_, list, _ := s.ask(t, http.MethodGet, "/", nil, nil)
	want := `<td class="long" title="` + name + ` at localhost:8080, 1 in flight">` + name[:120] + "…</td>"
	if !strings.Contains(list, want) {
		t.Errorf("no %s in %s", want, mainOf(list))
	}
}

func TestEventsFollowAFileToItsEnd(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{})
	text, err := os.ReadFile(reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	lines[0] = strings.Replace(lines[0], `"plan":[]`, `"plan":[{},{},{}]`, 1)
	file, err := os.Create(filepath.Join(s.dir.Path(), "growing.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	write := func(text string) {
		if _, err := file.WriteString(text); err != nil {
			t.Error(err)
		}
	}
	write(lines[0])
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/events/growing.jsonl", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	answer, err := s.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	events := bufio.NewScanner(answer.Body)
	next := func() string {
		for events.Scan() {
			if data, ok := strings.CutPrefix(events.Text(), "data: "); ok {
				return data
			}
		}
		return "ended"
	}
	for i, want := range []string{
		`{"trials":0,"failed":0,"planned":3,"created":"2026-09-02T12:00:00Z",`, `{"trials":1,"failed":0,"planned":3,`,
		`{"trials":2,"failed":0,"planned":3,`, `"done":true`, "ended",
	} {
		if got := next(); !strings.Contains(got, want) {
			t.Fatalf("event %d is %s, want %s", i, got, want)
		}
		if i < 3 {
			write(lines[i+1][:len(lines[i+1])/2]) // half a line is no trial
			write(lines[i+1][len(lines[i+1])/2:])
		}
	}
}

func TestAFormStartsOnlyWhatItMay(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	runs := &ui.Runs{Folder: folder, Command: []string{"/nonexistent/rpcbench"}}
	s := serve(t, ui.Options{Runs: runs})
	for form, want := range map[string]string{
		"scenario=../../etc/passwd":                        "is not a scenario",
		"scenario=--out=x":                                 "is not a scenario",
		"scenario=quick&trials=0":                          "is not a number from 1 on",
		"scenario=quick&stacks=--worker%3Devil":            "is not a name",
		"scenario=quick&label=a%00b":                       "is not a name",
		"scenario=quick":                                   "nonexistent",
		"scenario=quick&label=" + strings.Repeat("x", 201): "nonexistent",
		"scenario=quick&label=" + strings.Repeat("x", 202): "is not a name",
		"scenario=" + strings.Repeat("x", 1<<20):           "The form is not valid.",
	} {
		code, text, _ := s.ask(t, http.MethodPost, "/runs", strings.NewReader(form), func(r *http.Request) {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		})
		if code != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%.60s: %d %s", form, code, text)
		}
		if !strings.Contains(text, `<nav><a href="./">All results</a></nav>`) ||
			!strings.Contains(text, `<details class="start" open>`) {
			t.Errorf("%.60s: no way back, or no form, in %s", form, mainOf(text))
		}
	}
	if code, _, _ := s.ask(t, http.MethodPost, "/runs/"+url.PathEscape("x.jsonl")+"/cancel", nil, nil); code != http.StatusNotFound {
		t.Errorf("%d", code)
	}
	without := serve(t, ui.Options{})
	if code, _, _ := without.ask(t, http.MethodPost, "/runs", nil, nil); code != http.StatusNotFound {
		t.Errorf("where no run is started: %d", code)
	}
}

// What was entered is kept, whatever it was, to be corrected.
func TestAFormThatIsRefusedComesBack(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{Runs: &ui.Runs{Folder: t.TempDir(), Command: []string{"/nonexistent/rpcbench"}}})
	form := url.Values{"scenario": {"echo"}, "stacks": {"tcp,grpc-go"}, "trials": {"0"}, "label": {`"><b>`}}
	_, text, header := s.ask(t, http.MethodPost, "/runs", strings.NewReader(form.Encode()),
		headers("Content-Type", "application/x-www-form-urlencoded"))
	if got := header.Get("Content-Type"); got != "text/html; charset=utf-8" {
		t.Errorf("a page of type %s", got)
	}
	for _, want := range []string{
		`<h1>Not started</h1>`, `<p class="answer">The run was not started: label: `, `<option selected>echo</option>`,
		`<input name="stacks" value="tcp,grpc-go"`, `<input name="trials" value="0" type="number" min="1"`,
		`<input name="label" value="&#34;&gt;&lt;b&gt;"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, mainOf(text))
		}
	}
}

// A browser gets a page with a way back, a program a line of text.
func TestWhatThereIsNotIsSaidOnAPage(t *testing.T) {
	t.Parallel()
	s := serve(t, ui.Options{Runs: &ui.Runs{Folder: t.TempDir()}})
	for _, c := range []struct{ method, path, back, sentence string }{
		{http.MethodGet, "/live/nosuch.jsonl", "../", "There is no such results file."},
		{http.MethodGet, "/live/a%2Fb.jsonl", "../", "There is no such results file."},
		{http.MethodGet, "/open/nosuch.jsonl", "../", "There is no such results file."},
		{http.MethodGet, "/compare?file=a.jsonl&file=b.jsonl", "./", "There is no such results file."},
		{http.MethodPost, "/runs/nosuch.jsonl/cancel", "../../", "There is no such run."},
	} {
		code, text, header := s.ask(t, c.method, c.path, nil, nil)
		if code != http.StatusNotFound || header.Get("Content-Type") != "text/html; charset=utf-8" ||
			!strings.Contains(text, `<nav><a href="`+c.back+`">All results</a></nav>`) ||
			!strings.Contains(text, `<p class="answer">`+c.sentence+`</p>`) {
			t.Errorf("%s: %d %v %s", c.path, code, header, mainOf(text))
		}
	}
	for _, path := range []string{"/events/nosuch.jsonl", "/model/nosuch.jsonl", "/api/results/nosuch.jsonl"} {
		if code, text, _ := s.ask(t, http.MethodGet, path, nil, nil); code != http.StatusNotFound ||
			text != "There is no such results file.\n" {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
}

// A file's name comes from whoever put it into the folder: rpcbench run must not take it for a flag.
func TestTheNameOfAScenarioIsNeverAFlag(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell to print arguments")
	}
	t.Chdir(t.TempDir())
	for _, folder := range []string{".", "-d"} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"--out=x.yaml", "plain.yaml"} {
			if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		runs := &ui.Runs{Folder: folder, Command: []string{shell, "-c", `printf '%s\n' "$@" >&2`, "rpcbench"}}
		t.Cleanup(runs.Close)
		if _, err := runs.Start("--out=x.yaml", nil); err == nil || !strings.Contains(err.Error(), "is not a scenario") {
			t.Errorf("in %s a name like a flag's: %v", folder, err)
		}
		run, err := runs.Start("plain.yaml", []string{"--trials=1"})
		if err != nil {
			t.Fatal(err)
		}
		words := ui.Words(run)
		last := len(words) - 1
		if last < 1 || words[last-1] != "--" || words[last] != "."+string(filepath.Separator)+filepath.Join(folder, "plain.yaml") {
			t.Errorf("in %s the arguments are %q", folder, words)
		}
	}
}

// A live page shows the output itself, so why a run failed is there once.
func TestTheListSaysWhyARunFailed(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell to fail")
	}
	runs := &ui.Runs{Folder: t.TempDir(), Command: []string{shell, "-c", "echo 'rpcbench: no <stack>' >&2; exit 2"}}
	t.Cleanup(runs.Close)
	s := serve(t, ui.Options{Runs: runs})
	run, err := runs.Start("quick", nil)
	if err != nil {
		t.Fatal(err)
	}
	ui.Words(run)
	if got := run.State(); got != "failed" {
		t.Errorf("its state is %q", got)
	}
	_, list, _ := s.ask(t, http.MethodGet, "/", nil, nil)
	want := `<p><strong>quick</strong> failed: no &lt;stack&gt; · <a href="live/` + run.Name + `">Output</a></p>`
	if !strings.Contains(list, want) {
		t.Errorf("no %s in %s", want, mainOf(list))
	}
}

// mainOf is the part of a page that differs from others.
func mainOf(text string) string {
	_, text, _ = strings.Cut(text, "</style>")
	text, _, _ = strings.Cut(text, "<script")
	return text
}

func TestTokensAreLongAndNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "no token is set", "# x\n\n": "no token is set", "short": "fewer than 16",
		"ann short": "fewer than 16", "a b " + secret: "more than a name and a token", secret: "<nil>",
		"ann " + secret + "\n": "<nil>"} {
		if _, err := ui.Tokens(text); !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
