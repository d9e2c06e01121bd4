package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// aimed is a load of a server that ran already, which is gone for the last fifth of its second.
func aimed(t *testing.T) *analysis.Report {
	t.Helper()
	return reporttest.OpenLoads(t, func(r *result.Trial) {
		r.Spec.Target, r.Spec.Server, r.Servers = "localhost:8080", "", nil
		c := &r.Clients[0]
		c.First = &result.FirstCall{ConnectNs: 356e3, ProtocolNs: 595e3, CallNs: 21.8e6}
		c.WindowNs, c.Arrivals = 1e9, 1000
		c.Outcomes = []result.Outcome{{Code: "OK", Calls: 790},
			{Code: "UNAVAILABLE", Calls: 200, Example: "UNAVAILABLE: connection refused"}, {Code: "UNSENT", Calls: 10}}
		c.Histograms[result.HistError] = reporttest.Bell(t, 90e3)
		c.Intervals = nil
		for i := range int64(10) {
			interval := result.Interval{StartNs: i * 100e6, EndNs: (i + 1) * 100e6, OK: 99}
			if i >= 8 {
				interval.OK, interval.Errors = 0, 100
			}
			c.Intervals = append(c.Intervals, interval)
		}
	})
}

func TestAPageIsSealed(t *testing.T) {
	t.Parallel()
	reporttest.Golden(t, "page.txt", printed(t, FormatText, aimed(t), Options{Style: document.Style{Width: 100}}))
	reporttest.Golden(t, "page-60.txt", printed(t, FormatText, aimed(t), Options{Style: document.Style{Width: 60}}))
	reporttest.Golden(t, "page.md", printed(t, FormatMarkdown, aimed(t), Options{}))
}

func TestAPageFitsItsTerminalAndSaysAnErrorOnce(t *testing.T) {
	t.Parallel()
	for _, width := range []int{60, 80, 100, 200} {
		text := string(printed(t, FormatText, aimed(t), Options{Style: document.Style{Width: width}}))
		for line := range strings.Lines(text) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > width {
				t.Errorf("at %d columns a line has %d: %s", width, n, line)
			}
		}
		if n := strings.Count(strings.Join(strings.Fields(text), " "), "connection refused"); n != 1 {
			t.Errorf("at %d columns the error is said %d times:\n%s", width, n, text)
		}
		for _, figure := range []string{"p99.9", "max", "UNSENT", "CENSORED", "ERRORS", "356 µs"} {
			if !strings.Contains(text, figure) {
				t.Errorf("at %d columns there is no %s:\n%s", width, figure, text)
			}
		}
	}
}

func TestBarsHaveRoundBoundsAndHoldAllValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		least, most float64
		want        []float64
	}{
		{1, 1, []float64{1, 1.1}},
		{150e3, 190e3, []float64{150e3, 160e3, 180e3, 200e3}},
		{100e3, 900e3, []float64{100e3, 120e3, 150e3, 180e3, 220e3, 270e3, 330e3, 400e3, 500e3, 600e3, 700e3, 1e6}[:0]},
		{100e3, 1e9, []float64{100e3, 300e3, 1e6, 3e6, 10e6, 30e6, 100e6, 300e6, 1e9, 3e9}},
	} {
		got := barBounds(test.least, test.most)
		if got[0] > test.least || got[len(got)-1] <= test.most || len(got) > maxBars+1 || !slices.IsSorted(got) {
			t.Errorf("%g to %g: %v", test.least, test.most, got)
		}
		if len(test.want) > 0 && !slices.Equal(got, test.want) {
			t.Errorf("%g to %g: got %v, want %v", test.least, test.most, got, test.want)
		}
	}
}

// The piece of an interval that is left over when a phase ends would show as a drop.
func TestMarksLeaveOutWhatIsNoWholeInterval(t *testing.T) {
	t.Parallel()
	trial := &analysis.Trial{Record: result.Record{WindowNs: 250e6}}
	for i := range int64(4) {
		trial.Intervals = append(trial.Intervals, result.Interval{StartNs: i * 100e6, EndNs: min((i+1)*100e6, 240e6), OK: 50})
	}
	trial.Intervals[3] = result.Interval{StartNs: 250e6, EndNs: 400e6, OK: 1} // drains
	if got := len(inPhase(trial)); got != 2 {
		t.Errorf("got %d intervals, want 2", got)
	}
	marks, ok := marksOf(inPhase(trial), func(i result.Interval) int64 { return i.OK })
	if !ok || !slices.Equal(marks.Values, []float64{500, 500}) {
		t.Errorf("got %v, %t", marks.Values, ok)
	}
}

func TestFewCallsShareAMark(t *testing.T) {
	t.Parallel()
	var intervals []result.Interval
	for i := range int64(100) {
		intervals = append(intervals, result.Interval{StartNs: i * 100e6, EndNs: (i + 1) * 100e6, OK: i % 2})
	}
	marks, ok := marksOf(intervals, func(i result.Interval) int64 { return i.OK })
	if !ok || !slices.Equal(marks.Values, []float64{5, 5, 5, 5, 5}) ||
		!strings.HasPrefix(marks.Note, "each mark 2.00 s; lowest 5.00/s") {
		t.Errorf("got %v, %q, %t", marks.Values, marks.Note, ok)
	}
}

// On a busy machine an interval may last as long as several others. It is drawn as long, and is not taken for the others' length.
func TestMarksAreOfOneLengthWhereIntervalsAreNot(t *testing.T) {
	t.Parallel()
	trial := &analysis.Trial{Record: result.Record{WindowNs: 1100e6}}
	trial.Intervals = []result.Interval{{EndNs: 700e6, OK: 35}}
	for from := int64(700e6); from < 1100e6; from += 100e6 {
		trial.Intervals = append(trial.Intervals, result.Interval{StartNs: from, EndNs: from + 100e6, OK: 20})
	}
	marks, ok := marksOf(inPhase(trial), func(i result.Interval) int64 { return i.OK })
	if want := []float64{50, 50, 50, 50, 50, 50, 50, 200, 200, 200, 200}; !ok || len(marks.Values) != len(want) ||
		marks.Note != "each mark 100 ms; lowest 50.0/s, highest 200/s" {
		t.Errorf("got %v, %q, %t; want %v", marks.Values, marks.Note, ok, want)
	} else {
		for i, value := range marks.Values {
			if math.Abs(value-want[i]) > 1e-6 {
				t.Errorf("mark %d is %v, want %v", i, value, want[i])
			}
		}
	}
}

// A trial of several scenarios, and each client of one, is in several rows, and is one trial.
func TestAPageCountsATrialOnce(t *testing.T) {
	t.Parallel()
	file := &result.File{Name: "f.jsonl"}
	for repetition := range 3 {
		trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], repetition+1)
		trial.Cases = append(trial.Cases, plan.Case{Scenario: "other", Title: "Echo"})
		twoClients(&trial)
		file.Trials = append(file.Trials, trial)
	}
	for rows, build := range map[int]func([]*result.File) (*analysis.Report, error){2: analysis.Build, 4: analysis.BuildByClient} {
		r, err := build([]*result.File{file})
		if err != nil {
			t.Fatal(err)
		}
		if got := trialsOf(r, r.Sources[0]); got != "3 trials" || len(r.Rows) != rows {
			t.Errorf("%s in %d rows, want 3 trials in %d", got, len(r.Rows), rows)
		}
	}
}

// A page says how many trials there were, and how many of them failed.
func TestAPageSaysHowManyTrialsFailed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		trials, failed int
		want           string
	}{
		{3, 0, "3 trials"}, {3, 1, "3 trials, 1 failed"}, {3, 3, "3 trials, all failed"}, {1, 1, "1 trial, which failed"},
	} {
		file := &result.File{Name: "f.jsonl"}
		for i := range c.trials {
			trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], i+1)
			if i < c.failed {
				reporttest.Fail(&trial)
			}
			file.Trials = append(file.Trials, trial)
		}
		r := reporttest.Built(t, file)
		if got := trialsOf(r, r.Sources[0]); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.failed, c.trials, got, c.want)
		}
	}
}

// A page has no caption, and says elsewhere what its figures and their spreads are.
func TestAPageSaysWhatItsFiguresAre(t *testing.T) {
	t.Parallel()
	for trials, want := range map[int][2]string{
		1: {"1 trial", ""}, 3: {"3 trials; figures are medians over trials, with their min–max", "from, to: min–max"},
		6: {"6 trials; figures are medians over trials, with their 95% confidence interval of the median",
			"from, to: 95% confidence interval of the median"},
	} {
		file := &result.File{Name: "f.jsonl"}
		for i := range trials {
			trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], i+1)
			trial.Spec.Target = "there:80"
			file.Trials = append(file.Trials, trial)
		}
		r := reporttest.Built(t, file)
		about := pageAround(r, Options{}).About[0]
		blocks, err := latencyBlocks(r.Rows[0])
		if err != nil {
			t.Fatal(err)
		}
		if detail := blocks[0].(*document.Table).Detail; !strings.HasSuffix(about, " · "+want[0]) || detail != want[1] {
			t.Errorf("%d trials: %q, %q; want %q", trials, about, detail, want)
		}
	}
}
