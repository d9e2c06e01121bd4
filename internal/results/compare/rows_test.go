package compare_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/stack"
)

// reportOf has a trial of 1,000 calls, of which so many failed and the others took 1 ms.
func reportOf(t *testing.T, failed int64) *analysis.Report {
	t.Helper()
	return reportOfCalls(t, 1000, failed)
}

func reportOfCalls(t *testing.T, calls, failed int64) *analysis.Report {
	t.Helper()
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	if err := h.RecordValues(1e6, calls-failed); err != nil {
		t.Fatal(err)
	}
	encoded, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	r, err := analysis.Build([]*result.File{{Name: "x", Trials: []result.Trial{{
		ID: "1", Repetition: 1, Status: result.StatusOK,
		Spec:  plan.Spec{Stack: "tcp", Server: "tcp", Kind: "unary", Connections: 1, InFlight: 1, Load: plan.LoadClosed},
		Cases: []plan.Case{{Scenario: "quick", Title: "echo"}},
		Clients: []result.Client{{Record: result.Record{
			ElapsedNs: 1e9, Arrivals: calls, Histograms: map[string]string{result.HistResponse: encoded},
			Outcomes: []result.Outcome{{Code: result.CodeOK, Calls: calls - failed}, {Code: "UNAVAILABLE", Calls: failed}},
		}}},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPercentilesAreComparedOverAllCalls(t *testing.T) {
	t.Parallel()
	of := compare.Selection{Metrics: []analysis.Metric{analysis.ResponseP50Ns, analysis.ResponseP99Ns}}
	good, bad := compare.FromReport("good", reportOf(t, 0), of), compare.FromReport("bad", reportOf(t, 40), of)
	if p50 := bad.Figures[0]; p50.Metric != "response_p50" || p50.Values[0] != good.Figures[0].Values[0] {
		t.Errorf("%+v, want the value of %+v", p50, good.Figures[0])
	}
	if p99 := bad.Figures[1]; p99.Metric != "response_p99" || p99.Values[0] != analysis.NotServed {
		t.Errorf("%+v, want %v", p99, analysis.NotServed)
	}
	if len(good.Notes) != 0 || len(bad.Notes) != 1 || !strings.HasPrefix(bad.Notes[0], "In bad, 4% of the calls of tcp unary ") {
		t.Errorf("notes %q and %q", good.Notes, bad.Notes)
	}
}

// p99 is a side's percentile of ten trials, of which the last are not served.
func p99(name string, notServed int) compare.Set {
	values := make([]float64, 10)
	for i := range values {
		values[i] = 40e6 + 1e5*float64(i)
		if i >= len(values)-notServed {
			values[i] = analysis.NotServed
		}
	}
	return compare.Set{Name: name, Figures: []compare.Figure{{
		Point: "echo", Metric: "response_p99", Column: string(analysis.ResponseP99Ns), Unit: "ns", Values: values,
	}}}
}

func TestWhatWasNotServedHasNoTimeInAComparison(t *testing.T) {
	t.Parallel()
	for notServed, want := range map[int]struct{ median, percent, most float64 }{
		2: {40.45e6, 0, 1.25}, 4: {40.45e6, 0.373, math.Inf(1)}, 5: {analysis.NotServed, math.Inf(1), math.Inf(1)},
	} {
		c, err := compare.Of(compare.SameUsually, p99("before", 0), p99("after", notServed))
		if err != nil {
			t.Fatal(err)
		}
		line := c.Tables[0].Lines[0]
		percent, _, most, ok := line.Percent()
		near := func(got, want float64) bool { return got == want || math.Abs(got-want) < 0.01 }
		if !ok || line.B.Median != want.median || !near(percent, want.percent) || !near(most, want.most) {
			t.Errorf("%d not served: median %v, %v%%, at most %v%%, %v", notServed, line.B.Median, percent, most, ok)
		}
	}
}

// Where neither side was served, no time is known of either: nothing is the same, whatever the limit.
func TestTwoSidesThatWereNotServedAreNotCompared(t *testing.T) {
	t.Parallel()
	c, err := compare.Of(compare.SameUsually, p99("before", 10), p99("after", 9))
	if err != nil {
		t.Fatal(err)
	}
	line := c.Tables[0].Lines[0]
	if line.HasRatio || line.Decision != stat.Untold || line.Trials != 0 || line.A.Median != analysis.NotServed {
		t.Errorf("ratio %v %v, %s, needs %d, base %v", line.HasRatio, line.Ratio, line.Decision, line.Trials, line.A.Median)
	}
	limit, err := compare.ParseLimit("response_p99>+5%")
	if err != nil {
		t.Fatal(err)
	}
	if found, err := limit.Check(c); err != nil || len(found) != 1 || found[0].Outcome != compare.Open {
		t.Errorf("%+v, %v; want one that is open", found, err)
	}
}

// In blocks where neither side was served the ratio is 1, which is no sign that they are the same.
func TestASideThatWasNotServedIsNotTheSame(t *testing.T) {
	t.Parallel()
	before, after := p99("before", 4), p99("after", 5)
	for _, set := range []compare.Set{before, after} {
		for i := range set.Figures[0].Values {
			set.Figures[0].Blocks = append(set.Figures[0].Blocks, strings.Repeat("x", i))
		}
	}
	c, err := compare.Of(compare.SameUsually, before, after)
	if err != nil {
		t.Fatal(err)
	}
	if line := c.Tables[0].Lines[0]; line.B.Median != analysis.NotServed || line.Decision != stat.Untold {
		t.Errorf("median %v: %s", line.B.Median, line.Decision)
	}
}

// 1,000 calls are enough for a p99, and not for a p99.9. A row's verdict may be a graver one than TOO_FEW_SAMPLES, so the p99 is
// noted too.
func TestAPercentileOfTooFewCallsIsNoted(t *testing.T) {
	t.Parallel()
	for _, few := range []struct {
		report    *analysis.Report
		metrics   []analysis.Metric
		name, end string
	}{
		{
			reportOf(t, 0), []analysis.Metric{analysis.ResponseP99Ns, analysis.ResponseP999Ns},
			"response_p999", " has 1,000, and p99.9 needs at least 3,688.",
		},
		{
			reportOfCalls(t, 20, 0), []analysis.Metric{analysis.ResponseP50Ns, analysis.ResponseP99Ns, analysis.ResponseMaxNs},
			"response_p99", " has 20, and p99 needs at least 368.",
		},
	} {
		notes := compare.FromReport("few", few.report, compare.Selection{Metrics: few.metrics}).Notes
		begin := "In few, " + few.name + " is of too few calls: a trial of "
		if len(notes) != 1 || !strings.HasPrefix(notes[0], begin) || !strings.HasSuffix(notes[0], few.end) {
			t.Errorf("notes %q, want one %s…%s", notes, begin, few.end)
		}
	}
}

// A percentile of too few calls has no upper bound, so that trials which are alike in it keep no limit of it.
func TestAPercentileOfTooFewCallsKeepsNoLimit(t *testing.T) {
	t.Parallel()
	of := compare.Selection{Metrics: []analysis.Metric{analysis.ResponseP50Ns, analysis.ResponseP99Ns, analysis.ResponseMaxNs}}
	side := func(name string, calls int64, times int) compare.Set {
		few, enough := reportOfCalls(t, calls, 0), reportOfCalls(t, 368, 0)
		row := few.Rows[0]
		row.Trials = slices.Concat(slices.Repeat(row.Trials, times), slices.Repeat(enough.Rows[0].Trials, 10-times))
		return compare.FromReport(name, few, of)
	}
	for _, c := range []struct {
		limit    string
		old, new compare.Set
		few      int64 // that the finding says is needed; 0 is none
	}{
		{"response_p99>+200%", side("old", 20, 10), side("new", 20, 10), 368},
		{"response_p99>+200%", side("old", 20, 10), side("new", 368, 10), 368},
		{"response_p99>+200%", side("old", 368, 10), side("new", 367, 5), 368},
		{"response_p99>+200%", side("old", 368, 10), side("new", 367, 4), 0},
		{"response_p99>+200%", compare.Together("old", []compare.Set{side("1", 20, 10), side("2", 20, 10)}),
			compare.Together("new", []compare.Set{side("1", 368, 10), side("2", 368, 10)}), 368},
		{"response_p50>+200%", side("old", 20, 10), side("new", 20, 10), 0},
		{"response_max>+200%", side("old", 20, 10), side("new", 20, 10), 0},
	} {
		limit, err := compare.ParseLimit(c.limit)
		if err != nil {
			t.Fatal(err)
		}
		found, err := limit.Check(compared(t, c.old, c.new))
		if err != nil || len(found) > 1 || (len(found) == 1) != (c.few > 0) {
			t.Errorf("%s: %+v, %v; want %d needed", c.limit, found, err, c.few)
			continue
		}
		if c.few > 0 && (found[0].Outcome != compare.Open || found[0].Line.Few != c.few) {
			t.Errorf("%s: outcome %d, %d needed; want %d, %d", c.limit, found[0].Outcome, found[0].Line.Few, compare.Open, c.few)
		}
	}
}

// A stack that was measured with several servers has a point with each: without the server its points would be alike, and each
// would stand beside the first of the other side, whatever its server.
func TestStacksAreComparedOnTheSameServer(t *testing.T) {
	t.Parallel()
	pointsOf := func(pairs ...[2]string) map[string][]string {
		file := &result.File{Name: "x"}
		for _, pair := range pairs {
			trial := *reportOf(t, 0).Rows[0].Trials[0].Trial
			trial.ID, trial.Spec.Stack, trial.Spec.Server = pair[0]+pair[1], pair[0], pair[1]
			file.Trials = append(file.Trials, trial)
		}
		r, err := analysis.Build([]*result.File{file})
		if err != nil {
			t.Fatal(err)
		}
		by, _ := compare.AxisOf("stack")
		points := map[string][]string{}
		of := compare.Selection{By: by, Metrics: []analysis.Metric{analysis.ResponseP50Ns}, Floor: true}
		for _, set := range compare.ByAxis(r, of) {
			for _, f := range set.Figures {
				points[set.Name] = append(points[set.Name], strings.Join(strings.Fields(f.Point), " "))
			}
		}
		return points
	}
	got := pointsOf([2]string{"a", "a"}, [2]string{"a", "b"}, [2]string{"b", "a"}, [2]string{"b", "b"})
	both := []string{"unary 0 B 1x1 closed deadline 0s server=a", "unary 0 B 1x1 closed deadline 0s server=b"}
	if want := map[string][]string{"a": both, "b": both}; !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	got = pointsOf([2]string{"a", "a"}, [2]string{"b", "b"})
	one := []string{"unary 0 B 1x1 closed deadline 0s"}
	if want := map[string][]string{"a": one, "b": one}; !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

// Values of two files are as far apart as the files are: in time, and perhaps in the machine. Each has the floor of its own file
// as a control. Values of one file are not, even if all trials of one came before those of the other.
func TestValuesOfAnAxisThatAreOfTwoFilesAreTwoOccasions(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	trialsOf := func(label string, after time.Duration, scale float64) (trials []result.Trial) {
		for i := range 10 {
			for _, name := range []string{"grpc-go", "tcp"} {
				trial := *reportOfCalls(t, 400, 0).Rows[0].Trials[0].Trial
				client := trial.Clients[0]
				client.ElapsedNs = int64(1e9 * scale * (1 + 0.001*float64(i)))
				client.Intervals = []result.Interval{{EndNs: client.ElapsedNs, OK: 400}}
				trial.Clients, trial.Repetition = []result.Client{client}, i+1
				trial.ID = fmt.Sprintf("%s-%s-%d-%s", label, name, i, after)
				trial.Started = begun.Add(after + time.Duration(i)*time.Second)
				trial.Spec.Stack, trial.Spec.Server, trial.Spec.Label, trial.Floor = name, name, label, name == "tcp"
				trial.Spec.Protocol, trial.Spec.Compression = stack.ProtocolTCP, stack.CompressionNone
				trials = append(trials, trial)
			}
		}
		return trials
	}
	fileOf := func(name, machine string, trials []result.Trial) *result.File {
		return &result.File{Name: name, Header: result.Header{Hosts: []result.Host{{Name: machine}}}, Trials: trials}
	}
	v1, v2, same := trialsOf("v1", 0, 1), trialsOf("v2", time.Hour, 1.2), trialsOf("v1", time.Hour, 1.2)
	for _, c := range []struct {
		by                       string
		files                    []*result.File
		apart                    string // how the note begins
		machines, control, found bool
	}{
		{"label", []*result.File{fileOf("old", "a", v1), fileOf("new", "a", v2)}, "v2 was measured 1h after v1: ", false, true, false},
		{"label", []*result.File{fileOf("one", "a", slices.Concat(v1, v2))}, "", false, false, true},
		{"scenario", []*result.File{fileOf("old", "a", v1), fileOf("new", "b", same)}, "quick [new] was measured 1h after quick: ",
			true, true, false},
	} {
		r, err := analysis.Build(c.files)
		if err != nil {
			t.Fatal(err)
		}
		by, _ := compare.AxisOf(c.by)
		sets := compare.ByAxis(r, compare.Selection{By: by, Metrics: []analysis.Metric{analysis.CallsPerSec}})
		got := compared(t, sets[0], sets[1])
		if before := strings.Join(got.Before, "\n"); (before != "") != (c.apart != "") || !strings.HasPrefix(before, c.apart) {
			t.Errorf("by %s of %d files: %q, want %q", c.by, len(c.files), before, c.apart)
		}
		isOther := slices.ContainsFunc(got.Notes, func(note string) bool {
			return strings.HasPrefix(note, "quick and quick [new] were measured on different machines (a, ")
		})
		if isOther != c.machines {
			t.Errorf("by %s of %d files: %q; want different machines: %t", c.by, len(c.files), got.Notes, c.machines)
		}
		if line := got.Tables[0].Lines[0]; (line.Machine != nil) != c.control || line.Decision.Differs() != c.found {
			t.Errorf("by %s of %d files: %s, the floor %+v; want %t", c.by, len(c.files), line.Decision, line.Machine, c.control)
		}
	}
}

func TestTrialsThatSharedProcessesAreNotedOnce(t *testing.T) {
	t.Parallel()
	r := reportOf(t, 0)
	r.Rows[0].Trials[0].ProcessesOf = "0"
	r.Rows = append(r.Rows, r.Rows[0])
	notes := compare.FromReport("quick.jsonl", r, compare.Selection{}).Notes
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "Trials of a row shared processes (--reuse): ") {
		t.Errorf("notes %q", notes)
	}
	r.Rows[0].Trials[0].ProcessRows = 2
	notes = compare.FromReport("quick.jsonl", r, compare.Selection{}).Notes
	if len(notes) != 2 || !strings.HasPrefix(notes[1], "Rows shared processes with one another (--reuse): ") {
		t.Errorf("notes %q", notes)
	}
}

func TestLoadsOfOneServerEachMatchWhateverItsAddress(t *testing.T) {
	t.Parallel()
	at := func(name, target string) compare.Set {
		r := reportOf(t, 0)
		row := r.Rows[0]
		for _, spec := range []*plan.Spec{&row.Spec, &row.Trials[0].Spec} {
			spec.Target, spec.Server = target, ""
		}
		return compare.FromReport(name, r, compare.Selection{Metrics: []analysis.Metric{analysis.ResponseP50Ns}})
	}
	c, err := compare.Of(0.05, at("old", "localhost:1"), at("new", "localhost:2"))
	if err != nil {
		t.Fatal(err)
	}
	same, err := compare.Of(0.05, at("old", "localhost:1"), at("new", "localhost:1"))
	if err != nil {
		t.Fatal(err)
	}
	anywhere, here := c.Tables[0].Lines[0].Point, same.Tables[0].Lines[0].Point
	if !strings.Contains(here, " against localhost:1") || anywhere != strings.Replace(here, " against localhost:1", "", 1) {
		t.Errorf("of two servers the point is %q, of one %q", anywhere, here)
	}
}
