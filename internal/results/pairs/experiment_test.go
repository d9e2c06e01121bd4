package pairs_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// design is that of experiments in tests.
func design(metrics ...string) *result.AB {
	return &result.AB{
		A: result.Program{Command: []string{"./old", "--listen", ":1"}, SHA256: "a"},
		B: result.Program{Command: []string{"./new", "--listen", ":1"}, SHA256: "b"}, Metrics: metrics, SameRatio: 0.05,
	}
}

// A trial makes so many calls, each of which takes the server so long.
func trial(side pairs.Side, pair, place int, calls, serverNs int64) result.Trial {
	return result.Trial{
		ID: fmt.Sprintf("x-%d-%d", pair, place), Repetition: pair, Started: time.Unix(int64(10*pair+place), 0),
		Spec: plan.Spec{Stack: "tcp", Target: "localhost:1", Protocol: "tcp", Kind: "unary", Connections: 1, InFlight: 1,
			Load: plan.LoadClosed, DurationNs: 1e9},
		Cases: []plan.Case{{Scenario: string(side), Title: side.Title()}}, Status: result.StatusOK, WireCountedAt: "client",
		Servers: []result.Side{{Begin: &result.Snapshot{}, End: &result.Snapshot{CPUUserNs: calls * serverNs}}},
		Clients: []result.Client{{Side: result.Side{Begin: used(0, 0), End: used(calls*(2000+serverNs%7), calls*1000+serverNs)},
			Record: result.Record{
				ElapsedNs: 1e9, Arrivals: calls, Outcomes: []result.Outcome{{Code: "OK", Calls: calls}},
				Intervals: []result.Interval{{EndNs: 1e9, OK: calls}},
			}}},
	}
}

// used is what a client has used: processor time, and bytes in each direction.
func used(cpuNs, bytes int64) *result.Snapshot {
	return &result.Snapshot{CPUUserNs: cpuNs, BytesOut: &bytes, BytesIn: &bytes}
}

// measured has six pairs of A with itself, and blocks of A and B, AB BA. B makes as many calls, or more by a factor; its server
// takes 1 µs or more for each. No two trials are alike.
func measured(blocks int, times, costs float64) []result.Trial {
	var trials []result.Trial
	for pair := 1; pair <= 6+2*blocks; pair++ {
		sides := []pairs.Side{pairs.First, pairs.Second}
		if pair > 6 {
			sides = []pairs.Side{pairs.A, pairs.B}
		}
		if pair%2 == 0 {
			slices.Reverse(sides)
		}
		for place, side := range sides {
			calls, serverNs := 10_000+float64(pair*7%11), 1000+float64((pair+3*place)*5%7)
			if side.IsB() {
				calls, serverNs = calls*times, serverNs*costs
			}
			trials = append(trials, trial(side, pair, place, int64(calls), int64(serverNs)))
		}
	}
	return trials
}

// read reads files as reports do.
func read(t *testing.T, files ...*result.File) *analysis.Report {
	t.Helper()
	r, err := analysis.Build(files)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// only returns the experiment of a file.
func only(t *testing.T, trials []result.Trial, metrics ...string) *pairs.Experiment {
	t.Helper()
	found := pairs.Of(read(t, &result.File{Name: "ab.jsonl", Header: result.Header{AB: design(metrics...)}, Trials: trials}))
	if len(found) != 1 {
		t.Fatalf("%d experiments", len(found))
	}
	return found[0]
}

func TestAFileSaysWhatItsPairsFound(t *testing.T) {
	t.Parallel()
	x := only(t, measured(8, 1.1, 1), "calls_per_sec")
	found := x.Judge(analysis.CallsPerSec)
	if x.Pairs() != 22 || found.Pairs != 16 || found.Decision() != stat.Greater || x.Ending != pairs.Complete ||
		math.Abs(found.Look.Ratio.Value-1.1) > 0.001 {
		t.Errorf("%d pairs, ending %q: %+v", x.Pairs(), x.Ending, found)
	}
	line := x.Comparison().Tables[0].Lines[0]
	if line.A.N != 16 || line.B.N != 16 || line.Design != stat.Looks || line.Decision != stat.Greater || line.Side != "B" {
		t.Errorf("%+v", line)
	}
}

// The order of the lines in a file says nothing: the starts of trials do.
func TestTheOrderOfAPairIsThatOfItsStarts(t *testing.T) {
	t.Parallel()
	trials := measured(8, 1.1, 1)
	want := only(t, trials, "calls_per_sec").Outcomes(analysis.CallsPerSec)
	slices.Reverse(trials)
	got := only(t, trials, "calls_per_sec").Outcomes(analysis.CallsPerSec)
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for i, o := range got {
		first := map[bool]pairs.Side{true: pairs.First, false: pairs.A}[o.Alike]
		if odd := o.Number%2 == 1; o.Number != i+1 || o.Block != i/2+1 || (o.Sides[0] == first) != odd {
			t.Errorf("pair %d: %+v", i+1, o.Step)
		}
	}
}

func TestAPairThatIsNotWholeDoesNotCount(t *testing.T) {
	t.Parallel()
	whole := measured(8, 1.1, 1)
	last := len(whole) - 1
	interrupted := slices.Clone(whole)
	interrupted[last].Interrupted = true
	failed := slices.Clone(whole)
	failed[last].Status, failed[last].Failure = result.StatusFailed, "it ended"
	for name, c := range map[string]struct {
		trials []result.Trial
		pairs  int // that are over
		used   int
		ending pairs.Ending
	}{
		"half":        {whole[:last], 21, 14, pairs.Unknown},
		"interrupted": {interrupted, 21, 14, pairs.Interrupted},
		"failed":      {failed, 22, 14, pairs.Unknown},
	} {
		x := only(t, c.trials, "calls_per_sec")
		if found := x.Judge(analysis.CallsPerSec); x.Pairs() != c.pairs || found.Pairs != c.used || x.Ending != c.ending {
			t.Errorf("%s: %d pairs, %d used, ending %q; want %+v", name, x.Pairs(), found.Pairs, x.Ending, c)
		}
	}
	if tally := only(t, failed, "calls_per_sec").Tally(pairs.Side(failed[last].Cases[0].Scenario)); tally.Failed != 1 {
		t.Errorf("%+v", tally)
	}
}

// A cost is named although the answer is about another metric, and even if that is the same.
func TestACostThatDiffersIsFoundBesideWhatIsTheSame(t *testing.T) {
	t.Parallel()
	x := only(t, measured(8, 1, 1.08), "calls_per_sec")
	if d := x.Judge(analysis.CallsPerSec).Decision(); d != stat.Same {
		t.Errorf("the rate: %s", d)
	}
	costs := x.Costs()
	if len(costs) != 1 || costs[0].Metric != analysis.ServerCPUPerCall || costs[0].Look.Decision != stat.Greater {
		t.Errorf("%+v", costs)
	}
	if !slices.Contains(x.Shown(), analysis.ServerCPUPerCall) {
		t.Errorf("shown are %v", x.Shown())
	}
	failing := measured(8, 1, 1.08)
	for i := range failing {
		if client := &failing[i].Clients[0]; failing[i].Cases[0].Scenario == string(pairs.B) {
			client.Outcomes = append(client.Outcomes, result.Outcome{Code: "UNAVAILABLE", Calls: client.Arrivals / 50})
			client.Arrivals += client.Arrivals / 50
		}
	}
	if costs := only(t, failing, "calls_per_sec").Costs(); len(costs) > 0 {
		t.Errorf("where calls of B fail: %+v", costs)
	}
	if costs := only(t, measured(8, 1.1, 1), "calls_per_sec").Costs(); len(costs) > 0 {
		t.Errorf("where costs are alike: %+v", costs)
	}
	if costs := only(t, measured(8, 1, 1.08), "calls_per_sec", "server_cpu_per_call").Costs(); len(costs) > 0 {
		t.Errorf("a metric that was decided on is named twice: %+v", costs)
	}
}

func TestAllMetricsOfTheDecisionAreWaitedFor(t *testing.T) {
	t.Parallel()
	noisy := measured(8, 1.1, 1)
	for i := range noisy {
		noisy[i].Servers[0].End.CPUUserNs *= int64(1 + (i*i)%5)
	}
	for _, c := range []struct {
		metrics []string
		over    bool
	}{
		{[]string{"calls_per_sec"}, true},
		{[]string{"calls_per_sec", "server_cpu_per_call"}, false},
		{[]string{"calls_per_sec", "message_p99"}, true}, // which no pair has
	} {
		if x := only(t, noisy, c.metrics...); x.IsOver() != c.over {
			t.Errorf("%v: over is %v", c.metrics, x.IsOver())
		}
	}
}

// A metric that one pair lacks has a block less than the first. It is looked at with that, and not never.
func TestAMetricThatAPairLacksIsLookedAtWithTheFirst(t *testing.T) {
	t.Parallel()
	for lacking, over := range map[int]bool{0: true, 1: true, 4: false} {
		trials := measured(11, 1.1, 1.2)
		for i := range lacking {
			at := len(trials) - 1 - 4*i // of another block each
			trials[at].Servers[0].End.CPUUserNs = 0
		}
		x := only(t, trials, "calls_per_sec", "server_cpu_per_call")
		if found := x.Judge(analysis.ServerCPUPerCall); found.Pairs != 22-2*lacking || x.IsOver() != over {
			t.Errorf("%d lack it: of %d pairs, over is %v, want %v", lacking, found.Pairs, x.IsOver(), over)
		}
	}
}

// Where B was not served in half of the pairs, and A in nearly as many of the same, most ratios are 1, of which nothing is known.
func TestASideThatWasNotServedIsNotTheSame(t *testing.T) {
	t.Parallel()
	trials := measured(29, 1, 1)
	for i := range trials {
		pair, side := trials[i].Repetition, pairs.Side(trials[i].Cases[0].Scenario)
		ok := trials[i].Clients[0].Arrivals
		if side == pairs.B && pair > 35 || side == pairs.A && pair > 36 {
			ok = 100
		}
		serve(t, &trials[i].Clients[0].Record, ok)
	}
	x := only(t, trials, string(analysis.ResponseP50Ns))
	found := x.Judge(analysis.ResponseP50Ns)
	if !found.Declined || found.Decision() != stat.Untold || found.Look.Decision != stat.Same {
		t.Errorf("%+v; want one that is declined", found)
	}
	if x.IsOver() {
		t.Error("it is over, and nothing is clear")
	}
}

// serve has a record serve so many of its calls, in 1 ms each.
func serve(t *testing.T, r *result.Record, ok int64) {
	t.Helper()
	h := record.NewHistogram()
	if err := h.RecordValues(1e6, ok); err != nil {
		t.Fatal(err)
	}
	times, err := result.EncodeHistogram(h)
	if err != nil {
		t.Fatal(err)
	}
	r.Outcomes = []result.Outcome{{Code: "OK", Calls: ok}, {Code: "UNAVAILABLE", Calls: r.Arrivals - ok}}
	r.Intervals[0].OK, r.Intervals[0].Errors = ok, r.Arrivals-ok
	r.Histograms = map[string]string{result.HistResponse: times}
}

func TestFilesWithoutADesignHaveNoAnswer(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]result.Header{
		"none": {}, "of no metric": {AB: design()}, "of one that is unknown": {AB: design("calls_per_sec", "beauty")},
	} {
		if found := pairs.Of(read(t, &result.File{Name: "r", Header: head, Trials: measured(8, 1, 1)})); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
	other := trial("latency", 1, 0, 10, 1)
	if found := pairs.Of(read(t, &result.File{Name: "r", Header: result.Header{AB: design("calls_per_sec")},
		Trials: []result.Trial{other}})); len(found) > 0 {
		t.Errorf("trials of no side: %+v", found)
	}
}

// Rows merge trials of files that agree; experiments don't.
func TestEachFileHasAnAnswer(t *testing.T) {
	t.Parallel()
	file := func(name string, times float64) *result.File {
		f := &result.File{Name: name, Header: result.Header{AB: design("calls_per_sec")}, Trials: measured(8, times, 1)}
		for i := range f.Trials {
			f.Trials[i].ID, f.Trials[i].Started = name+f.Trials[i].ID, f.Trials[i].Started.Add(time.Duration(len(name))*time.Hour)
		}
		return f
	}
	r := read(t, file("slow", 0.9), file("fastest", 1.1))
	found := pairs.Of(r)
	if len(found) != 2 || found[0].File != "slow" || found[0].Judge(analysis.CallsPerSec).Decision() != stat.Less ||
		found[1].Judge(analysis.CallsPerSec).Decision() != stat.Greater {
		t.Errorf("%+v", found)
	}
	for _, row := range r.Rows {
		if found[0].IsOf(row, pairs.B) {
			t.Error("a row of both files is one's")
		}
	}
}

// A file may say anything.
func TestHostileFilesAreNoPairs(t *testing.T) {
	t.Parallel()
	trials := measured(8, 1, 1)
	for i := range trials {
		switch i % 4 {
		case 0:
			trials[i].Cases[0].Scenario = string(pairs.B)
		case 1:
			trials[i].Cases[0].Scenario = string(pairs.First)
		default:
			trials[i].Repetition = 1 << 40
		}
	}
	x := only(t, trials, "calls_per_sec")
	if found := x.Judge(analysis.CallsPerSec); found.Pairs != 0 || x.IsOver() {
		t.Errorf("%+v", found)
	}
}

func TestAsManyPairsAsAreAskedForCanShowABias(t *testing.T) {
	t.Parallel()
	for _, n := range []int{pairs.LeastAlike, pairs.LeastAlike - 1} {
		var so []pairs.Outcome
		for pair := 1; pair <= n; pair++ {
			so = append(so, pairs.Outcome{Step: pairs.Step{Number: pair, Block: pairs.BlockOf(pair), Alike: true}, Ratio: 2})
		}
		if found := pairs.Judge(so, 0.05).Part; found.Shows != (n == pairs.LeastAlike) {
			t.Errorf("%d pairs, of each of which one trial is twice as slow, show a bias: %t", n, found.Shows)
		}
	}
}

// Where the calls of neither side were served, their percentiles are no times that could be the same.
func TestSidesThatWereNotServedHaveNoRatio(t *testing.T) {
	t.Parallel()
	trials := measured(8, 1, 1)
	for i := range trials {
		serve(t, &trials[i].Clients[0].Record, 100)
	}
	x := only(t, trials, string(analysis.ResponseP50Ns))
	line := x.Comparison().Tables[0].Lines[0]
	if line.A.Median != analysis.NotServed || line.B.Median != analysis.NotServed {
		t.Fatalf("medians are %v and %v, want %v", line.A.Median, line.B.Median, analysis.NotServed)
	}
	if line.HasRatio || line.Decision != stat.Untold {
		t.Errorf("ratio %v %v, %s", line.HasRatio, line.Ratio, line.Decision)
	}
	if found := x.Judge(analysis.ResponseP50Ns); !found.Declined || found.Decision() != stat.Untold {
		t.Errorf("%+v, %s; want one that is declined", found, found.Decision())
	}
	if x.IsOver() || x.Ending != pairs.Unknown {
		t.Errorf("over is %v, ending %q: nothing is clear", x.IsOver(), x.Ending)
	}
	if x.Most = 8; !x.IsOver() {
		t.Error("as many pairs as were allowed are not enough")
	}
}

// A user's scenario may be called like a side, and is none.
func TestTheServerOfASideIsKnownByItsTitle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ scenario, title, want string }{
		{"a", "server A", "A"}, {"b", "server B", "B"}, {"a/a first", "server A against itself, as A", "A"},
		{"a/a second", "server A against itself, as B", "A"}, {"a", "a", ""}, {"b", "server A", ""}, {"mine", "", ""},
	} {
		if got := pairs.ServerOf(c.scenario, c.title); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.scenario, c.title, got, c.want)
		}
	}
}
