package analysis

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

func TestPercentilesAreOfTrialsAndThenMediansOverThem(t *testing.T) {
	t.Parallel()
	row := onlyRow(t, build(t, file("a",
		trial(t, spec("grpc-go"), 1, 4, 100, 100, 100, 900),
		trial(t, spec("grpc-go"), 2, 4, 200, 200, 200, 300),
		trial(t, spec("grpc-go"), 3, 4, 300, 400, 500, 600, 1500, 1500, 1500, 1500))))
	check := func(m Metric, want stat.Summary) {
		t.Helper()
		if got, _ := row.Summary(m); got != want {
			t.Errorf("%s: got %+v, want %+v", m, got, want)
		}
	}
	// p50 by trial: 100, 200, 600. Pooled over calls it would be 300, and the mean of the three 300 as well.
	check(ResponseP50Ns, stat.Summary{N: 3, Median: 200, Lo: 100, Hi: 600, Spread: "min-max"})
	// p99 and the maximum by trial: 900, 300, 1500.
	check(ResponseP99Ns, stat.Summary{N: 3, Median: 900, Lo: 300, Hi: 1500, Spread: "min-max"})
	check(ResponseMaxNs, stat.Summary{N: 3, Median: 900, Lo: 300, Hi: 1500, Spread: "min-max"})
	check(CallsPerSec, stat.Summary{N: 3, Median: 2, Lo: 2, Hi: 2, Spread: "min-max"})
}

func TestCostPerCallIsTheDifferenceOfSnapshotsByOKCalls(t *testing.T) {
	t.Parallel()
	one := trial(t, spec("grpc-go"), 1, 10, 100)
	one.Clients[0].Side = result.Side{
		Begin: &result.Snapshot{CPUUserNs: 1000, CPUSystemNs: 500, Sockets: 1, BytesOut: new(int64(100)), BytesIn: new(int64(50))},
		End: &result.Snapshot{CPUUserNs: 3000, CPUSystemNs: 1500, Sockets: 1, BytesOut: new(int64(11_100)),
			BytesIn: new(int64(10_750)), PeakMemoryBytes: 7},
	}
	one.Servers[0] = result.Side{
		Begin: &result.Snapshot{BytesOut: new(int64(5)), BytesIn: new(int64(7))},
		End:   &result.Snapshot{CPUUserNs: 10, CPUSystemNs: 20, BytesOut: new(int64(25)), BytesIn: new(int64(67))},
	}
	one.Clients[0].Outcomes = append(one.Clients[0].Outcomes, result.Outcome{Code: "UNAVAILABLE", Calls: 5})
	one.Clients[0].Arrivals = 15
	one.WireCountedAt = "client"
	expect(t, one, map[Metric]float64{
		ClientCPUPerCall: 300, ServerCPUPerCall: 3, WireOutPerCall: 1100, WireInPerCall: 1070, Sockets: 1,
		CallsPerSec: 5, ClientPeakMemory: 7, CPUPerCall: 303,
	}, ClientAllocsPerCall, MessagesPerSec)

	shared := one // the peak may be that of another row in the process
	shared.ProcessRows = 2
	expect(t, shared, map[Metric]float64{ClientCPUPerCall: 300, CPUPerCall: 303}, ClientPeakMemory)

	both := one // one process has both sides, which can't be told apart
	both.Spec.Network, both.Servers = "inproc", nil
	expect(t, both, map[Metric]float64{CPUPerCall: 300, WireOutPerCall: 1100, WireInPerCall: 1070, Sockets: 1},
		ClientCPUPerCall, ServerCPUPerCall, ClientPeakMemory)
	against := both // who called a server of somebody else's knows only its own part
	against.Spec.Network, against.Spec.Target = "tcp", "x:1"
	expect(t, against, map[Metric]float64{ClientCPUPerCall: 300}, CPUPerCall)

	one.WireCountedAt = "server" // what the server received is what the client sent
	expect(t, one, map[Metric]float64{WireOutPerCall: 6, WireInPerCall: 2})

	one.WireCountedAt = ""
	one.Clients[0].End, one.Servers[0].Begin = nil, nil
	expect(t, one, nil, CPUPerCall, ClientCPUPerCall, ServerCPUPerCall, WireOutPerCall, WireInPerCall, Sockets)
}

func TestMessagesAndPayloadAreRates(t *testing.T) {
	t.Parallel()
	streaming := func(kind string, messages int) result.Trial {
		s := spec("grpc-go")
		s.Kind, s.Messages = kind, messages
		one := trial(t, s, 1, 10, 100)
		one.Clients[0].MessagesOut, one.Clients[0].MessagesIn = 1000, 600
		one.Clients[0].PayloadOut, one.Clients[0].PayloadIn = 5_000_000, 3_000_000
		one.Clients[0].Side = result.Side{Begin: &result.Snapshot{}, End: &result.Snapshot{CPUUserNs: 6000}}
		return one
	}
	expect(t, streaming("stream", 100),
		map[Metric]float64{MessagesPerSec: 300, PayloadMBPerSec: 4, ClientCPUPerMessage: 10, ClientCPUPerCall: 600})
	expect(t, streaming("download", 100), map[Metric]float64{MessagesPerSec: 300})
	expect(t, streaming("ping_pong", 0), map[Metric]float64{MessagesPerSec: 300})
	expect(t, streaming("upload", 100), map[Metric]float64{MessagesPerSec: 500, ClientCPUPerMessage: 6})
	expect(t, streaming("unary", 0), map[Metric]float64{PayloadMBPerSec: 4}, MessagesPerSec, ClientCPUPerMessage)
	expect(t, streaming("first_call", 0), map[Metric]float64{CallsPerSec: 5}, PayloadMBPerSec, MessagesPerSec)
}

func TestSocketsOfFirstCallsAreThoseOfTheMeasuredPhase(t *testing.T) {
	t.Parallel()
	s := spec("grpc-go")
	s.Kind = "first_call"
	one := trial(t, s, 1, 10, 100)
	one.Clients[0].Side = result.Side{Begin: &result.Snapshot{Sockets: 4}, End: &result.Snapshot{Sockets: 14}}
	expect(t, one, map[Metric]float64{Sockets: 10})
}

func TestAClosedLoadHasOneLatency(t *testing.T) {
	t.Parallel()
	s := spec("grpc-go")
	one := trial(t, s, 1, 10, 100)
	for name, ns := range map[string]int64{
		result.HistService: 60, result.HistWake: 10, result.HistQueue: 30, result.HistError: 7,
	} {
		one.Clients[0].Histograms[name] = histogram(t, ns)
	}
	expect(t, one, map[Metric]float64{ResponseP50Ns: 100, ErrorP50Ns: 7}, ServiceP50Ns, ServiceP99Ns, WakeP99Ns, QueueP99Ns)
	one.Spec.Load, one.Spec.OfferedPerSec = plan.LoadPoisson, 5
	expect(t, one, map[Metric]float64{ResponseP50Ns: 100, ServiceP50Ns: 60, ServiceP99Ns: 60, WakeP99Ns: 10, QueueP99Ns: 30})
}

// expect checks figures of a report over one trial, and that others are absent.
func expect(t *testing.T, one result.Trial, want map[Metric]float64, absent ...Metric) {
	t.Helper()
	row := onlyRow(t, build(t, file("a", one)))
	for metric, value := range want {
		if got, ok := row.Summary(metric); !ok || got.Median != value {
			t.Errorf("%s: %s = %v (present: %v), want %v", one.Spec.Kind, metric, got.Median, ok, value)
		}
	}
	for _, metric := range absent {
		if got, ok := row.Summary(metric); ok {
			t.Errorf("%s: %s = %v, want it absent", one.Spec.Kind, metric, got.Median)
		}
	}
}

func TestFloorRatioSaysHowManyTimesFurtherFromTheLimit(t *testing.T) {
	t.Parallel()
	check := func(name string, change func(*plan.Spec), want float64) {
		t.Helper()
		floor, other := spec("tcp"), spec("grpc-go")
		change(&floor)
		change(&other)
		other.Options = map[string]string{"write_buffer_bytes": "0"}
		other.Compression = "gzip"
		report := build(t, file("a", trial(t, other, 1, 200, 800), trial(t, floor, 1, 1000, 200)))
		if report.Rows[0].Spec.Stack != "tcp" {
			t.Errorf("%s: the first row is %s, want the floor", name, report.Rows[0].Spec.Stack)
		}
		if got, _ := FloorTimes.Of(report.Rows[0]); got != 1 {
			t.Errorf("%s: the floor's own ratio is %v", name, got)
		}
		if got, _ := FloorTimes.Of(report.Rows[1]); got != want {
			t.Errorf("%s: ratio %v, want %v", name, got, want)
		}
	}
	check("one in flight", func(*plan.Spec) {}, 4) // 800 ns by 200 ns
	check("many in flight", func(s *plan.Spec) { s.InFlight = 10 }, 5)
	check("many connections", func(s *plan.Spec) { s.Connections = 10 }, 5)
	check("stream", func(s *plan.Spec) { s.Kind, s.Messages = "stream", 100 }, 5)
	check("ping-pong", func(s *plan.Spec) { s.Kind, s.Streams = "ping_pong", 1 }, 4)
	check("open", func(s *plan.Spec) { s.Load, s.OfferedPerSec, s.InFlight = "constant", 100, 10 }, 4)
}

func TestNoFloorNoRatio(t *testing.T) {
	t.Parallel()
	elsewhere := spec("tcp")
	elsewhere.RequestBytes = 1
	report := build(t, file("a", trial(t, spec("grpc-go"), 1, 10, 100), trial(t, elsewhere, 1, 10, 100)))
	for _, row := range report.Rows {
		if _, ok := FloorTimes.Of(row); ok != (row.Spec.Stack == "tcp") {
			t.Errorf("%s: has a ratio: %v", row.Spec.Stack, ok)
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	bad := func(repetition int, status string, outcomes ...result.Outcome) result.Trial {
		one := trial(t, spec("grpc-go"), repetition, 1000, 100)
		one.Status, one.Clients[0].Outcomes = status, append(one.Clients[0].Outcomes, outcomes...)
		for _, outcome := range outcomes {
			one.Clients[0].Arrivals += outcome.Calls
		}
		if status == result.StatusFailed {
			one.Failure, one.LastWords = "the server died", "starting\npanic: no\n"
		}
		return one
	}
	stalled := func(one result.Trial) result.Trial {
		one.Clients[0].Stalled = &result.Stalled{Phase: result.PhaseMeasured, SinceNs: 1e9, DurationNs: 10e9}
		return one
	}
	unavailable := result.Outcome{Code: "UNAVAILABLE", Calls: 3, Example: "connection\nrefused"}
	for name, test := range map[string]struct {
		trials        []result.Trial
		verdict       string
		counted       int
		calls, errors int64
		codes         string
	}{
		"good": {[]result.Trial{bad(1, "ok"), bad(2, "ok")}, "OK", 2, 2000, 0, ""},
		"errors": {[]result.Trial{bad(1, "ok", unavailable),
			bad(2, "ok", result.Outcome{Code: "INTERNAL", Calls: 1}, unavailable)}, "ERRORS", 2, 2007, 7, "INTERNAL=1;UNAVAILABLE=6"},
		"censored": {[]result.Trial{bad(1, "ok", unavailable, result.Outcome{Code: "UNSENT", Calls: 2})},
			"CENSORED", 1, 1005, 5, "UNAVAILABLE=3;UNSENT=2"},
		"unfinished": {[]result.Trial{bad(1, "ok", result.Outcome{Code: "UNFINISHED", Calls: 1})},
			"CENSORED", 1, 1001, 1, "UNFINISHED=1"},
		"one of two failed": {[]result.Trial{bad(1, "failed", unavailable), bad(2, "ok")}, "OK", 1, 1000, 0, ""},
		"stalled": {[]result.Trial{stalled(bad(1, "ok", unavailable, result.Outcome{Code: "UNSENT", Calls: 2})), bad(2, "ok")},
			"STALLED", 2, 2005, 5, "UNAVAILABLE=3;UNSENT=2"},
		"stalled and failed": {[]result.Trial{stalled(bad(1, "failed")), bad(2, "ok")}, "OK", 1, 1000, 0, ""},
		"all failed": {[]result.Trial{bad(1, "failed", unavailable), bad(2, "failed", unavailable)},
			"FAILED", 0, 2006, 6, "UNAVAILABLE=6"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row := onlyRow(t, build(t, file("a", test.trials...)))
			if row.Verdict() != test.verdict || len(row.Trials) != test.counted || row.Calls != test.calls ||
				row.Errors() != test.errors || row.ErrorsByCode() != test.codes {
				t.Errorf("%s, %d trials, %d calls, %d errors, %q; want %+v", row.Verdict(), len(row.Trials), row.Calls,
					row.Errors(), row.ErrorsByCode(), test)
			}
			if _, ok := row.Summary(ResponseP50Ns); ok != (test.counted > 0) {
				t.Errorf("has a latency: %v", ok)
			}
		})
	}
}

func TestCallsThatAllFailedHaveALatency(t *testing.T) {
	t.Parallel()
	one := trial(t, spec("grpc-go"), 1, 0)
	one.Status, one.Failure = result.StatusFailed, "every call failed"
	one.Clients[0].Outcomes = []result.Outcome{{Code: "UNAVAILABLE", Calls: 4}}
	one.Clients[0].Histograms = map[string]string{result.HistError: histogram(t, 70, 80, 90)}
	expect(t, one, map[Metric]float64{ErrorP50Ns: 80}, CallsPerSec, ResponseP50Ns)
}

func TestARowStandsInTheTableOfEveryCase(t *testing.T) {
	t.Parallel()
	floor, one := trial(t, spec("tcp"), 1, 10, 100), trial(t, spec("grpc-go"), 1, 10, 100)
	one.Cases = []plan.Case{{Scenario: "quick", Title: "echo"}, {Scenario: "quick", Title: "sizes"},
		{Scenario: "latency", Title: "echo"}}
	a := file("a", one, floor)
	a.Header.Scenarios = append(a.Header.Scenarios, result.Scenario{Name: "latency"})
	report := build(t, a)
	var got []string
	for _, table := range report.Tables {
		line := table.Scenario + "/" + table.Title + ":"
		for _, row := range table.Rows {
			line += " " + row.Spec.Stack
		}
		got = append(got, line)
	}
	want := []string{"quick/echo: tcp grpc-go", "quick/sizes: grpc-go", "latency/echo: grpc-go"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
	if len(report.Rows) != 3 || len(report.Rows[1].Trials) != 1 {
		t.Errorf("%d rows, want 3 with one trial each", len(report.Rows))
	}
}

func TestOptionsAreSortedAndTellRowsApart(t *testing.T) {
	t.Parallel()
	plain, tuned := spec("grpc-go"), spec("grpc-go")
	tuned.Options = map[string]string{"write_buffer_bytes": "0", "read_buffer_bytes": "9"}
	report := build(t, file("a", trial(t, tuned, 1, 10, 100), trial(t, plain, 2, 10, 100)))
	if got := len(report.Rows); got != 2 {
		t.Fatalf("%d rows, want 2", got)
	}
	if got := fieldOf(report.Rows[1], "options"); got != "read_buffer_bytes=9;write_buffer_bytes=0" {
		t.Errorf("options %q", got)
	}
}

func fieldOf(row *Row, name string) any {
	i := slices.IndexFunc(row.Fields(), func(f Field) bool { return f.Name == name })
	return row.Fields()[i].Value
}

func TestAgreeingFilesJoinTheirTrials(t *testing.T) {
	t.Parallel()
	second := trial(t, spec("grpc-go"), 1, 10, 300)
	second.Started = second.Started.AddDate(0, 0, 1) // the same plan on another day
	a, b := file("a", trial(t, spec("grpc-go"), 1, 10, 100)), file("b", second)
	b.Warnings = []string{"b:3: cut off"}
	report := build(t, a, b)
	row := onlyRow(t, report)
	if summary, _ := row.Summary(ResponseP50Ns); summary.N != 2 || summary.Median != 200 {
		t.Errorf("p50 over both files: %+v", summary)
	}
	if diff := cmp.Diff([]string{"b:3: cut off"}, report.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestDifferingFilesAreKeptApart(t *testing.T) {
	t.Parallel()
	later := time.Duration(0)
	library := func(version string) *result.File {
		one := trial(t, spec("grpc-go"), 1, 10, 100)
		later += time.Minute
		one.Started = one.Started.Add(later)
		one.Clients[0].Library = "grpc " + version
		return file(version, one)
	}
	elsewhere := file("elsewhere", trial(t, spec("grpc-go"), 1, 10, 100))
	elsewhere.Header.Hosts[0].Processors = 64
	told := library("v1")
	told.Name, told.Header.Environment = "told", map[string]string{"GOGC": "5"}
	report := build(t, library("v1"), library("v2"), elsewhere, told)
	var scenarios []string
	for _, row := range report.Rows {
		scenarios = append(scenarios, row.Key.Scenario)
	}
	if diff := cmp.Diff([]string{"quick", "quick [v2]", "quick [elsewhere]", "quick [told]"}, scenarios); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	want := []string{
		"v2 is reported separately, because it differs from v1 in client grpc-go (grpc v1, grpc v2)",
		"elsewhere is reported separately, because it differs from v1 in processors (2, 64); and from v2 in " +
			"processors (2, 64)",
		"told is reported separately, because it differs from v1 in environment (none, GOGC=5); and from v2 in " +
			"environment (none, GOGC=5), client grpc-go (grpc v2, grpc v1); and from elsewhere in environment " +
			"(none, GOGC=5), processors (64, 2)",
	}
	if diff := cmp.Diff(want, report.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestTheSameFileTwiceCountsOnce(t *testing.T) {
	t.Parallel()
	one := trial(t, spec("grpc-go"), 1, 10, 100)
	report := build(t, file("a", one), file("copy", one))
	if n := len(onlyRow(t, report).Trials); n != 1 {
		t.Errorf("%d trials, want 1", n)
	}
	if want := []string{"copy: 1 trial also in a, counted once"}; !cmp.Equal(want, report.Warnings) {
		t.Errorf("warnings %q", report.Warnings)
	}
}

// A copy of before a file was resumed stands first.
func TestTrialsCountForTheWholeFile(t *testing.T) {
	t.Parallel()
	one, two := trial(t, spec("grpc-go"), 1, 10, 100), trial(t, spec("grpc-go"), 2, 10, 100)
	report := build(t, file("before", one), file("whole", one, two))
	for _, got := range onlyRow(t, report).Trials {
		if got.Source.Name != "whole" {
			t.Errorf("trial %d counts for %s", got.Repetition, got.Source.Name)
		}
	}
	if want := []string{"before: 1 trial also in whole, counted once"}; !cmp.Equal(want, report.Warnings) {
		t.Errorf("warnings %q", report.Warnings)
	}
}

func TestWhatCanNotBeUsedIsNamed(t *testing.T) {
	t.Parallel()
	corrupt, homeless := trial(t, spec("grpc-go"), 1, 10, 100), trial(t, spec("grpc-go"), 2, 10, 100)
	corrupt.Clients[0].Histograms[result.HistResponse] = "rubbish!"
	homeless.Cases = nil
	report := build(t, file("a", corrupt, homeless, trial(t, spec("grpc-go"), 3, 10, 100)))
	if n := len(onlyRow(t, report).Trials); n != 1 {
		t.Errorf("%d trials, want 1", n)
	}
	warnings := strings.Join(report.Warnings, "\n")
	for _, want := range []string{
		"a: trial grpc-go-1 skipped: histogram response: ", "a: trial grpc-go-2 skipped: it belongs to no case",
	} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no warning %q in:\n%s", want, warnings)
		}
	}
}

func TestAGarbledTrialDoesNotHideItsCopy(t *testing.T) {
	t.Parallel()
	corrupt, good := trial(t, spec("grpc-go"), 1, 10, 100), trial(t, spec("grpc-go"), 1, 10, 100)
	corrupt.Clients[0].Histograms[result.HistResponse] = "rubbish!"
	if n := len(onlyRow(t, build(t, file("a", corrupt), file("b", good))).Trials); n != 1 {
		t.Errorf("%d trials, want the good one", n)
	}
	_, err := Build([]*result.File{file("a", corrupt)})
	if err == nil || !strings.HasPrefix(err.Error(), "no trials in a; a: trial grpc-go-1 skipped: histogram "+
		"response: ") {
		t.Errorf("got %v", err)
	}
}

func TestNothingToReportIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := Build([]*result.File{file("a"), file("b")}); err == nil || err.Error() != "no trials in a, b" {
		t.Errorf("got %v", err)
	}
}

func TestTrialsOfDifferentLengthsAreTold(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*plan.Spec){
		"duration": func(s *plan.Spec) { s.DurationNs = 1e9 }, "calls": func(s *plan.Spec) { s.Calls = 5 },
		"warm-up": func(s *plan.Spec) { s.WarmupNs++ }, "longest warm-up": func(s *plan.Spec) { s.WarmupMostNs = 9e9 },
		"drain": func(s *plan.Spec) { s.DrainNs++ },
	} {
		other := spec("grpc-go")
		change(&other)
		row := onlyRow(t, build(t, file("a", trial(t, spec("grpc-go"), 1, 10, 100), trial(t, other, 2, 10, 100))))
		if !row.MixedLengths() {
			t.Errorf("trials of another %s count as equally long", name)
		}
	}
}

func TestMergedHistogramsConserveCounts(t *testing.T) {
	t.Parallel()
	row := onlyRow(t, build(t, file("a", trial(t, spec("grpc-go"), 1, 2, 100, 200), trial(t, spec("grpc-go"), 2, 1, 300))))
	merged, err := row.Merged(result.HistResponse)
	if err != nil {
		t.Fatal(err)
	}
	if merged.TotalCount() != 3 || merged.Min() != 100 || merged.Max() != 300 {
		t.Errorf("%d samples from %d to %d", merged.TotalCount(), merged.Min(), merged.Max())
	}
	if none, err := row.Merged(result.HistService); none != nil || err != nil {
		t.Errorf("a histogram that no trial has: %v, %v", none, err)
	}
}

func TestKeyColumnsTellPointsApart(t *testing.T) {
	t.Parallel()
	method := func(change func(*plan.Method)) func(*plan.Spec) {
		return func(s *plan.Spec) {
			s.Method = &plan.Method{Name: "m"}
			change(s.Method)
		}
	}
	base := spec("grpc-go")
	points := []plan.Spec{base}
	for _, change := range []func(*plan.Spec){
		func(s *plan.Spec) { s.Stack = "x" }, func(s *plan.Spec) { s.Server = "x" }, func(s *plan.Spec) { s.Target = "y" },
		func(s *plan.Spec) { s.Protocol = "x" }, func(s *plan.Spec) { s.Kind = "x" }, func(s *plan.Spec) { s.RequestBytes = 7 },
		func(s *plan.Spec) { s.ResponseBytes = 7 }, func(s *plan.Spec) { s.Messages = 7 },
		func(s *plan.Spec) { s.Connections = 7 }, func(s *plan.Spec) { s.InFlight = 7 }, func(s *plan.Spec) { s.Streams = 7 },
		func(s *plan.Spec) { s.Load = "x" }, func(s *plan.Spec) { s.OfferedPerSec = 0.5 },
		func(s *plan.Spec) { s.Security = "x" }, func(s *plan.Spec) { s.Unverified = true },
		func(s *plan.Spec) { s.Network = "x" }, func(s *plan.Spec) { s.Compression = "x" },
		func(s *plan.Spec) { s.Payload = "x" }, func(s *plan.Spec) { s.DeadlineNs = 7 },
		func(s *plan.Spec) { s.ClientCPUs = "0" }, func(s *plan.Spec) { s.ServerCPUs = "0" },
		func(s *plan.Spec) { s.Options = map[string]string{"x": "y"} }, func(s *plan.Spec) { s.Message = "x" },
		func(s *plan.Spec) { s.Codec = "x" }, func(s *plan.Spec) { s.JVMOptions = "x" }, func(s *plan.Spec) { s.Batch = 7 },
		func(s *plan.Spec) { s.Servers = 7 }, func(s *plan.Spec) { s.MessageRatePerSec = 1 },
		func(s *plan.Spec) { s.Schedule = &plan.Schedule{Name: "x"} }, func(s *plan.Spec) { s.Link = wan() },
		func(s *plan.Spec) { s.Background = &plan.Background{Kind: "unary"} },
		method(func(*plan.Method) {}), method(func(m *plan.Method) { m.Requests = "x" }),
		method(func(m *plan.Method) { m.RequestCount = 1 }),
		method(func(m *plan.Method) { m.RequestCount, m.RequestBytesMost = 1, 7 }),
		method(func(m *plan.Method) { m.RequestCount, m.RequestBytesLeast, m.RequestBytesMost = 1, 7, 7 }),
		method(func(m *plan.Method) { m.RequestCount, m.MessagesMost = 1, 7 }),
		method(func(m *plan.Method) { m.RequestCount, m.Sample = 2, true }), method(func(m *plan.Method) { m.RequestCount = 2 }),
		method(func(m *plan.Method) { m.Rows, m.RowCount = "x", 7 }), method(func(m *plan.Method) { m.Rows, m.RowCount = "x", 8 }),
		method(func(m *plan.Method) { m.Rows, m.RowCount, m.Sample = "x", 7, true }),
		method(func(m *plan.Method) { m.Rows, m.RowCount = "y", 7 }), method(func(m *plan.Method) { m.ExpectStatus = "404" }),
	} {
		changed := base
		change(&changed)
		points = append(points, changed)
	}
	for i, x := range points {
		for _, y := range points[:i] {
			if x.ID() == y.ID() {
				t.Errorf("the same columns: %+v and %+v", x, y)
			}
			if comparePoints(x, y) == 0 || comparePoints(x, y) != -comparePoints(y, x) {
				t.Errorf("no order: %+v and %+v", x, y)
			}
		}
	}
}

func TestTablesStandInTheOrderOfTheScenariosCases(t *testing.T) {
	t.Parallel()
	second, first := trial(t, spec("grpc-go"), 1, 10, 1000), trial(t, spec("grpc-go"), 2, 10, 1000)
	second.Cases = []plan.Case{{Scenario: "quick", Title: "a, but second"}}
	first.Cases = []plan.Case{{Scenario: "quick", Title: "b, but first"}}
	first.Spec.RequestBytes = 7
	f := file("x", second, first)
	f.Header.Scenarios[0].Cases = []string{"b, but first", "a, but second"}
	tables := build(t, f).Tables
	if len(tables) != 2 || tables[0].Title != "b, but first" {
		t.Errorf("tables %q and %q, want the scenario's order", tables[0].Title, tables[1].Title)
	}
}
