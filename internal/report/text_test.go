package report

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

func TestTextIsNoWiderThanAskedFor(t *testing.T) {
	t.Parallel()
	for width, style := range map[int]document.Style{120: {}, 100: {Width: 100}, 90: {Width: 90}} {
		for line := range strings.Lines(string(printed(t, FormatText, reporttest.Quick(t), Options{Style: style}))) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%d columns wide, %d asked for: %s", n, width, line)
			}
		}
	}
}

func TestTextHasNoColourUnlessAskedFor(t *testing.T) {
	t.Parallel()
	bare := string(printed(t, FormatText, reporttest.Quick(t), Options{}))
	coloured := string(printed(t, FormatText, reporttest.Quick(t), Options{Style: document.Style{Color: true}}))
	if strings.Contains(bare, "\x1b") {
		t.Error("an escape sequence without being asked for colour")
	}
	for _, want := range []string{"\x1b[31mFAILED\x1b[0m", "\x1b[33mERRORS\x1b[0m", "\x1b[2mtcp (floor)"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("no %q in colour", want)
		}
	}
	for _, code := range []string{"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[0m"} {
		coloured = strings.ReplaceAll(coloured, code, "")
	}
	if diff := cmp.Diff(bare, coloured); diff != "" {
		t.Errorf("colour changes more than colour:\n%s", diff)
	}
}

func TestNoColumnIsEmpty(t *testing.T) {
	t.Parallel()
	for _, table := range reporttest.Quick(t).Tables {
		for _, c := range mainTable(table).Columns {
			if !slices.ContainsFunc(c.Cells, func(c document.Cell) bool { return c.Text != "" && c.Text != cell.Absent }) {
				t.Errorf("%s: the column %s %s is empty", table.Title, c.Group, c.Head)
			}
		}
	}
}

func TestEachStackStandsUnderItsFloor(t *testing.T) {
	t.Parallel()
	for _, table := range reporttest.Quick(t).Tables {
		for i, row := range table.Rows {
			first := i == 0 || !row.SamePoint(table.Rows[i-1])
			if first != (row.Spec.Stack == "tcp") {
				t.Errorf("%s: row %d is %s", table.Title, i, row.Spec.Stack)
			}
		}
	}
}

func TestLinesBelowATableNameWhatWentWrong(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(string(printed(t, FormatText, reporttest.Quick(t), Options{}))), " ")
	for _, want := range []string{
		"connect-go: 15 of 53,436 calls not OK: DEADLINE_EXCEEDED 3 (first: context deadline exceeded), UNAVAILABLE 12 (first: dial " +
			"tcp 127.0.0.1:4000: connect: connection refused).",
		"grpc-go: 1 of 3 trials failed: the server died: exit status 2 (last output: goroutine 1 [running]: / panic: boom).",
		"connect-go, payload 1 MB, messages 20: 3 of 3 trials failed: every call failed.",
		"http-json-go: 99 of 3,099 calls not OK: UNFINISHED 6, UNSENT 93.",
		"http-json-go: the pacer was late (3 trials).",
		"http-json-go is left out of 2 points: it has no streams.",
		"Three short trials are a preview",
		"MB is 10^6 bytes of payload, both directions together.",
		"Client and server competed for CPU on the same 2 processors",
		"Loopback is not a network",
		"Example CPU @ 3.00GHz, 2 processors, linux/amd64 6.12.9",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q", want)
		}
	}
}

func TestCaptionNamesLoadNumberAndSpread(t *testing.T) {
	t.Parallel()
	check := func(trials int, change func(*result.Trial), want string) {
		t.Helper()
		if got := naming.Caption(reporttest.Echo(t, trials, change).Tables[0]); got != "1 kB echo, one caller, "+want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	asIs := func(*result.Trial) {}
	check(1, asIs, "closed · 1 trial, no spread")
	check(5, asIs, "closed · median of 5 trials, min–max")
	check(6, asIs, "closed · median of 6 trials, 95% confidence interval of the median")
	check(2, func(t *result.Trial) { t.Status = result.StatusFailed }, "closed · no trial succeeded")
	load := func(load string, perSec ...float64) func(*result.Trial) {
		return func(t *result.Trial) {
			t.Spec.Load, t.Spec.OfferedPerSec = load, perSec[(t.Repetition-1)%len(perSec)]
		}
	}
	check(2, load(plan.LoadConstant, 1000), "constant 1,000 calls/s · median of 2 trials, min–max")
	check(2, load(plan.LoadPoisson, 0.5), "Poisson arrivals at 0.50 calls/s · median of 2 trials, min–max")
	check(2, load(plan.LoadPoisson, 10, 20), "open · 1 trial, no spread")
	check(7, func(t *result.Trial) {
		if t.Repetition > 5 {
			t.Spec.RequestBytes = 1
		}
	}, "closed · median of 2–5 trials, min–max")
	check(9, func(t *result.Trial) {
		if t.Repetition > 6 {
			t.Spec.RequestBytes = 1
		}
	}, "closed · median of 3–6 trials, min–max with fewer than 6 trials, otherwise 95% confidence "+
		"interval of the median")
}

func TestAnOpenTableSaysWhatLatencyCountsFrom(t *testing.T) {
	t.Parallel()
	text := string(printed(t, FormatText, reporttest.Echo(t, 1, func(t *result.Trial) {
		t.Spec.Load, t.Spec.OfferedPerSec = plan.LoadConstant, 100
	}), Options{}))
	if !strings.Contains(text, "response is measured from when a call was due · unary") {
		t.Errorf("it doesn't:\n%s", text)
	}
}

func TestAxesThatVaryAreColumns(t *testing.T) {
	t.Parallel()
	r := reporttest.Echo(t, 2, func(t *result.Trial) {
		if t.Repetition == 2 {
			t.Spec.ResponseBytes, t.Spec.Connections, t.Spec.Server = 1<<20, 4, "connect-go"
			t.Spec.Options = map[string]string{"write_buffer_bytes": "0"}
		}
	})
	v := mainTable(r.Tables[0])
	got := map[string][]string{}
	for _, c := range v.Columns[1:5] {
		got[c.Head] = []string{c.Cells[0].Text, c.Cells[1].Text}
	}
	want := map[string][]string{"server": {"", "connect-go"}, "payload": {"1 kB", "1 kB → 1 MiB"},
		"shape": {"1x1", "4x1"}, "options": {"", "write_buffer_bytes=0"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if v.Detail != "unary · plaintext · over tcp · random bytes" {
		t.Errorf("in common: %s", v.Detail)
	}
}

func TestPinnedSidesDoNotShareProcessors(t *testing.T) {
	t.Parallel()
	sharing := func(client, server string) bool {
		text := string(printed(t, FormatText, reporttest.Echo(t, 1, func(t *result.Trial) {
			t.Spec.ClientCPUs, t.Spec.ServerCPUs = client, server
		}), Options{Style: document.Style{Width: 200}}))
		if !strings.Contains(text, "Loopback is not a network") {
			t.Error("nothing says that loopback is not a network")
		}
		return strings.Contains(text, "competed for CPU on the same 4 processors")
	}
	for _, test := range []struct {
		client, server string
		want           bool
	}{{"", "", true}, {"0", "", true}, {"0", "1", false}, {"0-1", "2-3", false}, {"0-2", "2,3", true}, {"3", "0-1,3", true}} {
		if got := sharing(test.client, test.server); got != test.want {
			t.Errorf("client on %q, server on %q: shared %v", test.client, test.server, got)
		}
	}
}

func TestForeignTextIsMadeFitForALine(t *testing.T) {
	t.Parallel()
	r := reporttest.Echo(t, 1, func(t *result.Trial) {
		t.Warnings = []result.Warning{{Text: "\x1b[31mred\r\n\tnext"}, {Text: strings.Repeat("é", 400)}}
		t.Clients[0].Clamped = 2
	})
	want := []string{"2 calls took longer than 1 h and count as 1 h", "[31mred next (1 trial)",
		strings.Repeat("é", 200) + "… (1 trial)"}
	if diff := cmp.Diff(want, note.Of(r.Rows[0])); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestMarkdownKeepsForeignTextFromBeingMarkup(t *testing.T) {
	t.Parallel()
	text := string(printed(t, FormatMarkdown, reporttest.Echo(t, 1, func(t *result.Trial) {
		t.Warnings = []result.Warning{{Text: "<img src=x> *bold* [link](to)"}}
	}), Options{}))
	if want := `- grpc-go: &lt;img src=x&gt; \*bold\* \[link](to) (1 trial).`; !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text)
	}
}

func TestQuestionIsThatOfTheMostDemandingRow(t *testing.T) {
	t.Parallel()
	check := func(want naming.Question, specs ...plan.Spec) {
		t.Helper()
		var rows []*analysis.Row
		for _, spec := range specs {
			if spec.Load == "" {
				spec.Load = plan.LoadClosed
			}
			rows = append(rows, &analysis.Row{Spec: spec})
		}
		if got := naming.QuestionOf(rows); got != want {
			t.Errorf("%+v: question %d, want %d", specs, got, want)
		}
	}
	one := plan.Spec{Kind: "unary", Connections: 1, InFlight: 1}
	many := plan.Spec{Kind: "unary", Connections: 2, InFlight: 1}
	check(naming.Setup, plan.Spec{Kind: "connect", Connections: 1, InFlight: 1})
	check(naming.Latency, one)
	check(naming.Latency, plan.Spec{Kind: "ping_pong", Connections: 1, InFlight: 1})
	check(naming.Rate, one, many)
	check(naming.Streaming, plan.Spec{Kind: "ping_pong", Connections: 1, InFlight: 2})
	check(naming.Streaming, one, plan.Spec{Kind: "download", Connections: 1, InFlight: 1})
	check(naming.Open, many, plan.Spec{Kind: "unary", Load: plan.LoadConstant})
}

func TestAFigureOfSeveralTrialsHasASpread(t *testing.T) {
	t.Parallel()
	printed := number.Fixed(number.Scale{By: 1e3}, []float64{22_000})
	for want, s := range map[string]stat.Summary{
		"21.8–22.9": {N: 2, Median: 22_000, Lo: 21_800, Hi: 22_900}, "": {N: 1, Median: 1, Lo: 1, Hi: 1},
	} {
		if got := cell.Between(s, printed); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}
