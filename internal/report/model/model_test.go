package model_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/report/model"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

func modelOf(t *testing.T, r *analysis.Report) *model.Report {
	t.Helper()
	m, err := model.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestARowHasItsFiguresTrialsAndCalls(t *testing.T) {
	t.Parallel()
	r := reporttest.Quick(t)
	m := modelOf(t, r)
	if len(m.Rows) != len(r.Rows) || len(m.Cases) != len(r.Tables) {
		t.Fatalf("%d rows and %d cases", len(m.Rows), len(m.Cases))
	}
	at := slices.IndexFunc(m.Metrics, func(x model.Metric) bool { return x.Name == string(analysis.ResponseP50Ns) })
	for i, row := range r.Rows {
		s, known := row.Summary(analysis.ResponseP50Ns)
		figure := m.Rows[i].Figures[at]
		if known != (figure != nil) || known && figure[0] != int64(s.Median+0.5) {
			t.Errorf("%s: figure %v, want %v", row.Spec.Stack, figure, s.Median)
		}
		if len(m.Rows[i].Trials) != len(row.Trials) {
			t.Errorf("%s: %d trials, want %d", row.Spec.Stack, len(m.Rows[i].Trials), len(row.Trials))
		}
		var binned int64
		for _, b := range m.Rows[i].Bins {
			binned += b[1]
		}
		if want := int64(1000 * len(row.Trials)); binned != want {
			t.Errorf("%s: bins have %d calls, want %d", row.Spec.Stack, binned, want)
		}
	}
}

func TestACurveRisesAsFarAsThereAreCalls(t *testing.T) {
	t.Parallel()
	for _, row := range modelOf(t, reporttest.Quick(t)).Rows {
		if len(row.Trials) == 0 {
			continue
		}
		if first, last := row.Curve[0], row.Curve[len(row.Curve)-1]; first[0] != 1000 || last[0] != 1_000_000 {
			t.Errorf("from %d to %d, want the percentiles of 1,000 calls", first[0], last[0])
		}
		for i := range row.Curve {
			if c := row.Curve[i]; c[2] > c[1] || c[1] > c[3] || i > 0 && c[1] < row.Curve[i-1][1] {
				t.Errorf("point %d is %v after %v", i, c, row.Curve[max(i-1, 0)])
			}
		}
	}
}

func TestACaseRunsAlongWhatVariesMost(t *testing.T) {
	t.Parallel()
	var labels []string
	for _, c := range modelOf(t, reporttest.BatchRun(t)).Cases {
		label := "none"
		if c.Axis != nil {
			label = c.Axis.Label
		}
		labels = append(labels, label)
	}
	want := []string{"operations per message", "none", "none", "callers: calls in flight on all connections", "none"}
	if !slices.Equal(labels, want) {
		t.Errorf("got %q, want %q", labels, want)
	}
}

// A stack with several servers has a lane for each, at one point.
func TestAServerIsNamedWhereAStackHasSeveral(t *testing.T) {
	t.Parallel()
	served := func(servers ...string) [][2]model.Text {
		at := -1
		r := reporttest.OpenLoads(t, slices.Repeat([]func(*result.Trial){func(trial *result.Trial) {
			at++
			trial.Spec.Server = servers[at]
		}}, len(servers))...)
		var names [][2]model.Text
		for _, place := range modelOf(t, r).Cases[0].Rows {
			names = append(names, [2]model.Text{place.Point, place.Server})
		}
		return names
	}
	if got, want := served("connect-go", "grpc-go"), [][2]model.Text{{"", "connect-go"}, {"", "grpc-go"}}; !slices.Equal(got, want) {
		t.Errorf("two servers: points and servers %q, want %q", got, want)
	}
	if got, want := served("connect-go"), [][2]model.Text{{"", ""}}; !slices.Equal(got, want) {
		t.Errorf("one server: point and server %q, want %q", got, want)
	}
}

// The script reads a list that is empty, and not one that is null.
func TestAReportOfFailedTrialsHasEmptyLists(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*analysis.Report{"failed": reporttest.OpenLoads(t, reporttest.Fail), "none": {}} {
		text, err := json.Marshal(modelOf(t, r))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "null") || !strings.Contains(string(text), `"metrics":[]`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestCoursesOfManyTrialsAreShort(t *testing.T) {
	t.Parallel()
	pieces := func(trials int) int {
		file := &result.File{Name: "many.jsonl"}
		for i := range trials {
			trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], i)
			trial.ID += string(rune('a' + i))
			file.Trials = append(file.Trials, trial)
		}
		return len(modelOf(t, reporttest.Built(t, file)).Rows[0].Trials[0].Course.OK)
	}
	if few, many := pieces(3), pieces(301); few != 40 || many != 20 {
		t.Errorf("%d and %d pieces of 40 intervals, want 40 and 20", few, many)
	}
}

// The windows of --intervals full are seconds, and a column is as many of them as leave no more columns than a course has pieces.
func TestAHeatMapOfALongLoadIsShort(t *testing.T) {
	t.Parallel()
	heat := func(seconds int) *model.Heat {
		r := reporttest.OpenLoads(t, func(trial *result.Trial) {
			for second := range int64(seconds) {
				h := record.NewHistogram()
				if err := h.RecordValues(1000*(1+second%2), 10+second); err != nil {
					t.Fatal(err)
				}
				encoded, err := result.EncodeHistogram(h)
				if err != nil {
					t.Fatal(err)
				}
				trial.Clients[0].Windows = append(trial.Clients[0].Windows,
					result.Window{StartNs: second * 1e9, EndNs: (second + 1) * 1e9, Response: encoded})
			}
		})
		return modelOf(t, r).Rows[0].Trials[0].Course.Heat
	}
	if h := heat(3); !slices.Equal(h.EndMs, []int64{1000, 2000, 3000}) ||
		!slices.Equal(h.Cells, [][3]int64{{0, 60, 10}, {1, 66, 11}, {2, 60, 12}}) {
		t.Errorf("3 seconds: %v", h)
	}
	long := heat(301)
	if len(long.EndMs) != 151 || long.EndMs[0] != 2000 || long.EndMs[150] != 301_000 || len(long.Cells) != 301 {
		t.Fatalf("301 seconds: %d columns to %v, %d cells", len(long.EndMs), long.EndMs, len(long.Cells))
	}
	if got := long.Cells[:4]; !slices.Equal(got, [][3]int64{{0, 60, 10}, {0, 66, 11}, {1, 60, 12}, {1, 66, 13}}) {
		t.Errorf("301 seconds: cells begin with %v", got)
	}
}

func TestACourseHasTheRateOfItsIntervals(t *testing.T) {
	t.Parallel()
	r := reporttest.OpenLoads(t, func(trial *result.Trial) {
		trial.Clients[0].Intervals = []result.Interval{
			{StartNs: 0, EndNs: 100e6, OK: 10, InFlight: 2}, {StartNs: 100e6, EndNs: 200e6, OK: 30, Errors: 1, InFlight: 3},
			{StartNs: 200e6, EndNs: 201e6, OK: 1},
		}
	})
	c := modelOf(t, r).Rows[0].Trials[0].Course
	if !slices.Equal(c.OK, []int64{100, 300}) || !slices.Equal(c.Errors, []int64{0, 10}) ||
		!slices.Equal(c.EndMs, []int64{100, 200}) || !slices.Equal(c.InFlight, []int64{2, 3}) || c.MeanNs != nil || c.Heat != nil {
		t.Errorf("got %+v", c)
	}
}

// courseOf is the course of a load of these intervals.
func courseOf(t *testing.T, intervals []result.Interval) *model.Course {
	t.Helper()
	r := reporttest.OpenLoads(t, func(trial *result.Trial) { trial.Clients[0].Intervals = intervals })
	return modelOf(t, r).Rows[0].Trials[0].Course
}

func TestASlowSecondOfALongLoadIsDrawn(t *testing.T) {
	t.Parallel()
	course := func(seconds, slow int) *model.Course {
		intervals := make([]result.Interval, seconds)
		for i := range intervals {
			at, response := int64(i), &result.Quantiles{Calls: 10, P50Ns: 1e5, P90Ns: 2e5, P99Ns: 3e5, MaxNs: 1e6}
			if i == slow {
				*response = result.Quantiles{Calls: 2, P50Ns: 4e5, P90Ns: 5e5, P99Ns: 6e5, MaxNs: 9e9}
			}
			if i == slow+1 { // whose percentiles are none
				response.Calls = 0
			}
			intervals[i] = result.Interval{StartNs: at * 1e9, EndNs: (at + 1) * 1e9, OK: 10, Response: response}
		}
		return courseOf(t, intervals)
	}
	short := course(300, 5)
	if n := len(short.Seconds); n != 299 || short.Each != 0 || short.Seconds[5] != [5]int64{6000, 4e5, 5e5, 6e5, 9e9} {
		t.Errorf("300 seconds: %d of %d s, with %v", n, short.Each, short.Seconds[5])
	}
	long := course(3600, 5)
	if n := len(long.Seconds); n != 300 || long.Each != 12 {
		t.Fatalf("3,600 seconds: %d of %d s", n, long.Each)
	}
	if first, second := long.Seconds[0], long.Seconds[1]; first != [5]int64{12_000, 4e5, 5e5, 6e5, 9e9} ||
		second != [5]int64{24_000, 1e5, 2e5, 3e5, 1e6} {
		t.Errorf("3,600 seconds begin with %v, %v", first, second)
	}
}

func TestThePiecesOfALongLoadHaveTheMeanOfTheirCalls(t *testing.T) {
	t.Parallel()
	intervals := make([]result.Interval, 602)
	for i := range intervals {
		at := int64(i)
		intervals[i] = result.Interval{StartNs: at * 1e9, EndNs: (at + 1) * 1e9, OK: 1, ResponseMeanNs: 1000}
	}
	intervals[0].OK, intervals[0].ResponseMeanNs = 3, 16_000
	intervals[2].OK, intervals[2].ResponseMeanNs = 0, 0
	// The first piece has three calls of 16 µs, one of 1 µs, and an interval without calls: (16³ · 1)^(1/4) is 8.
	if got := courseOf(t, intervals).MeanNs[:2]; !slices.Equal(got, []int64{8000, 1000}) {
		t.Errorf("the means begin with %v", got)
	}
}

func TestATextIsCleanAndShort(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal(model.Text("a\x1b]b\u202ec</script>" + strings.Repeat("x", 300)))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(got); !strings.HasPrefix(text, `"a ]b c\u003c/script\u003ex`) || len(text) > 230 {
		t.Errorf("got %s", text)
	}
}

func TestARateOfBytesHasItsUnit(t *testing.T) {
	t.Parallel()
	units := map[string]string{}
	for _, r := range []*analysis.Report{reporttest.BatchRun(t), reporttest.CodecRun(t)} {
		for _, m := range modelOf(t, r).Metrics {
			units[m.Name] = m.Unit
		}
	}
	plain := model.HistoryOf(analysis.OperationPlainMBPerSec, nil).Metric
	units[plain.Name] = plain.Unit
	for name, want := range map[analysis.Metric]string{analysis.PayloadMBPerSec: "MB/s", analysis.OperationMBPerSec: "MB/s",
		analysis.OperationPlainMBPerSec: "MB/s", analysis.CallsPerSec: "/s", analysis.ResponseP50Ns: "ns", analysis.FailedRatio: ""} {
		if got, known := units[string(name)]; got != want || !known {
			t.Errorf("%s is in %q, want %q", name, got, want)
		}
	}
}

func TestTheTimeOfACommitNamesItsZone(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 0, 30, 0, 0, time.FixedZone("", 3600))
	h := model.HistoryOf(analysis.ResponseP99Ns, []archive.Series{{Steps: []archive.Step{{At: at}}}})
	if got := h.History[0].Steps[0].At; got != "2026-11-27 23:30 UTC" {
		t.Errorf("got %s", got)
	}
}

// A figure of calls that were not served is no time: neither in a comparison, nor over commits.
func TestWhatWasNotServedIsNoFigure(t *testing.T) {
	t.Parallel()
	metric, notServed := analysis.ResponseP99Ns, analysis.NotServed
	h := model.HistoryOf(metric, []archive.Series{{
		Steps: []archive.Step{
			{Trials: []float64{1e6, 2e6, notServed}, Median: 2e6, Lo: 1e6, Hi: notServed},
			{Trials: []float64{notServed}, Median: notServed, Lo: notServed, Hi: notServed},
		},
		Changes: []archive.Change{{At: 1, Before: 2e6, After: notServed, Worse: true}},
	}})
	steps, change := h.History[0].Steps, h.History[0].Changes[0]
	if first := steps[0]; *first.Figure[0] != 2e6 || *first.Figure[1] != 1e6 || first.Figure[2] != nil ||
		*first.Trials[1] != 2e6 || first.Trials[2] != nil {
		t.Errorf("a commit of which one trial was not served has %v, %v", first.Figure, first.Trials)
	}
	if second := steps[1]; second.Figure != [3]*float64{} || second.Trials[0] != nil {
		t.Errorf("one that was not served has %v, %v", second.Figure, second.Trials)
	}
	if *change.Before != 2e6 || change.After != nil {
		t.Errorf("from %v to %v", change.Before, change.After)
	}

	set := func(name string, values ...float64) compare.Set {
		return compare.Set{Name: name, Figures: []compare.Figure{{
			Point: "echo", Metric: "response_p99", Column: string(metric), Unit: "ns", Values: values,
		}}}
	}
	c, err := compare.Of(compare.SameUsually, set("a", notServed, notServed), set("b", notServed, notServed))
	if err != nil {
		t.Fatal(err)
	}
	self := func(s string) string { return s }
	line := model.FamilyOf(c, c.Tables[0], func(compare.Line) string { return "" }, self).Lines[0]
	if line.Ratio != nil || line.A[0] != nil || line.B[2] != nil || *line.B[3] != 2 {
		t.Errorf("two sides that were not served have the ratio %v, %v and %v", line.Ratio, line.A, line.B)
	}
}

// JSON has no infinities: a page of them would not be written.
func TestWhatIsNotFiniteIsNoFigure(t *testing.T) {
	t.Parallel()
	metric, beyond := analysis.HostFrequencyMHz, math.Inf(1)
	h := model.HistoryOf(metric, []archive.Series{{
		Steps:   []archive.Step{{Trials: []float64{beyond, math.NaN()}, Median: beyond, Lo: -beyond, Hi: beyond}},
		Changes: []archive.Change{{Before: beyond, After: math.NaN()}},
	}})
	c := &compare.Comparison{}
	table := compare.Table{Column: string(metric), Lines: []compare.Line{{Change: stat.Change{
		A: stat.Summary{Median: beyond}, HasRatio: true, Ratio: stat.Ratio{Estimate: stat.Estimate{Value: beyond, Lo: 1, Hi: 2}},
	}}}}
	self := func(s string) string { return s }
	f := model.FamilyOf(c, table, func(compare.Line) string { return "" }, self)
	for _, data := range []any{h, f} {
		if _, err := json.Marshal(data); err != nil {
			t.Errorf("%T: %v", data, err)
		}
	}
}
