package analysis

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// open is a good trial of an open load of 1,000/s for 4 s, whose calls take 1 ms.
func open(t *testing.T) result.Trial {
	t.Helper()
	s := spec("grpc-go")
	s.Load, s.OfferedPerSec = plan.LoadConstant, 1000
	one := trial(t, s, 1, 4000, 1_000_000)
	one.Spec.DurationNs, one.Clients[0].ElapsedNs = 4e9, 4e9
	one.Clients[0].Histograms[result.HistService] = histogram(t, 1_000_000)
	one.Clients[0].Histograms[result.HistWake] = histogram(t, 50_000)
	for i := range int64(40) {
		calls := &one.Clients[0].Record
		calls.Intervals = append(calls.Intervals, result.Interval{StartNs: i * 100e6, EndNs: (i + 1) * 100e6, OK: 100})
	}
	return one
}

func closed(t *testing.T) result.Trial {
	t.Helper()
	one := open(t)
	one.Spec = spec("grpc-go")
	return one
}

func used(cpuNs int64) result.Side {
	return result.Side{Begin: &result.Snapshot{TimeNs: 5}, End: &result.Snapshot{TimeNs: 5 + 1e9, CPUUserNs: cpuNs}}
}

// interruptAt has a trial's load end early.
func interruptAt(r *result.Trial, ns int64) {
	calls := &r.Clients[0].Record
	r.Interrupted, calls.StoppedNs, calls.WindowNs = true, ns, ns
}

func TestEachFindingHasItsCodeAndTheFigureThatDecided(t *testing.T) {
	t.Parallel()
	quiet := func(busy, steal, hiccup int64) *result.HostUse {
		return &result.HostUse{ElapsedNs: 1e9, Hiccups: result.Hiccups{Count: 900, P99Ns: hiccup, MaxNs: hiccup},
			CPU: &result.HostCPU{BusyNs: busy, IdleNs: 2e9 - busy - steal, StealNs: steal}, DriverCPUNs: new(int64(10e6))}
	}
	for name, test := range map[string]struct {
		trial  result.Trial
		change func(*result.Trial)
		code   Code
		why    string
	}{
		"good": {open(t), func(*result.Trial) {}, "", ""},
		"client busy": {closed(t), func(r *result.Trial) { r.Clients[0].Side = used(1.85e9) }, CodeClientBusy,
			"1.85 of 2 processors"},
		"client not busy": {closed(t), func(r *result.Trial) { r.Clients[0].Side = used(1.75e9) }, "", ""},
		"client busy on its own": {closed(t), func(r *result.Trial) {
			r.Spec.ClientCPUs, r.Clients[0].Side = "0", used(0.95e9)
		}, CodeClientBusy, "0.95 of 1 processor"},
		"late instrument": {open(t), func(r *result.Trial) {
			r.Clients[0].Histograms[result.HistWake] = histogram(t, 120_000)
		}, CodeSentLate, "120 µs late (p99), 12%"},
		"rate not met": {open(t), func(r *result.Trial) { slower(r, 97) }, CodeSlotsTaken, "97% of the calls"},
		"calls in flight taken": {open(t), func(r *result.Trial) { slower(r, 97) }, CodeSlotsTaken,
			"within 4.00 s, and the limit of 1 call in flight was reached 100% of the time"},
		"calls in flight not all taken": {open(t), func(r *result.Trial) {
			slower(r, 97)
			r.Clients[0].Histograms[result.HistService] = histogram(t, 890_000)
		}, CodeRateShort, "within 4.00 s$"},
		"many calls in flight": {open(t), func(r *result.Trial) {
			slower(r, 97)
			r.Spec.Connections, r.Spec.InFlight = 2, 4
			r.Clients[0].Histograms[result.HistService] = histogram(t, 7_600_000)
		}, CodeSlotsTaken, "the limit of 8 calls in flight was reached 95% of the time"},
		"rate met": {open(t), func(r *result.Trial) { slower(r, 99) }, "", ""},
		"Poisson's own shortfall": {open(t), func(r *result.Trial) {
			r.Spec.Load = plan.LoadPoisson
			slower(r, 97)
		}, "", ""},
		"far away": {open(t), func(r *result.Trial) {
			r.Clients[0].Intervals[0].OK = 0
			r.Clients[0].Histograms[result.HistService] = histogram(t, 100e6)
		}, "", ""},
		"a step": {closed(t), func(r *result.Trial) { from(r, 15, 150) }, CodeStep,
			"changed by +33% of its median after 38%"},
		"a step of a ramp": {closed(t), func(r *result.Trial) {
			from(r, 15, 150)
			r.Spec.Schedule = steps(1, 2)
		}, "", ""},
		"too few": {closed(t), func(r *result.Trial) { r.Clients[0].Outcomes[0].Calls = 367 }, CodeTooFewSamples,
			"367 calls, and p99 needs at least 368 calls"},
		"interrupted": {open(t), func(r *result.Trial) { r.Spec.DurationNs = 60e9; interruptAt(r, 4e9) }, CodeInterrupted,
			"it ended after 4.00 s of 60.0 s"},
		"interrupted before all calls were made": {closed(t), func(r *result.Trial) {
			r.Spec.DurationNs, r.Spec.Calls = 0, 10_000
			interruptAt(r, 4e9)
		}, CodeInterrupted, "it ended after 4.00 s and 4,000 calls of 10,000"},
		"failed": {closed(t), func(r *result.Trial) {
			calls := &r.Clients[0].Record
			calls.Arrivals, calls.Outcomes = 7000, append(calls.Outcomes, result.Outcome{Code: "INTERNAL", Calls: 6005})
		}, CodeCallsFailed, "6,005 calls of 7,000 failed"},
		"enough":        {closed(t), func(r *result.Trial) { r.Clients[0].Outcomes[0].Calls = 368 }, "", ""},
		"few long ones": {closed(t), func(r *result.Trial) { r.Spec.Kind, r.Clients[0].Outcomes[0].Calls = "upload", 6 }, "", ""},
		"too few long ones": {closed(t), func(r *result.Trial) { r.Spec.Kind, r.Clients[0].Outcomes[0].Calls = "upload", 5 },
			CodeTooFewSamples, "5 calls, and p50 needs at least 6 calls"},
		"quiet": {closed(t), func(r *result.Trial) { r.Host = quiet(480e6, 10e6, 900_000) }, "", ""},
		"steal": {closed(t), func(r *result.Trial) { r.Host = quiet(0, 30e6, 0) }, CodeSteal,
			"1.5% of the processors' time"},
		"others": {closed(t), func(r *result.Trial) { r.Host = quiet(620e6, 0, 0) }, CodeOtherProcesses,
			"other processes used 30%"},
		"own work": {closed(t), func(r *result.Trial) {
			r.Host, r.Clients[0].Side = quiet(620e6, 0, 0), used(600e6)
		}, "", ""},
		"a target's server": {closed(t), func(r *result.Trial) {
			r.Host, r.Spec.Target = quiet(620e6, 0, 0), "127.0.0.1:8080"
		}, "", ""},
		"hiccups": {closed(t), func(r *result.Trial) { r.Host = quiet(0, 0, 1_200_000) }, CodeLateWakes,
			"1.20 ms late (p99; bound 1.00 ms)"},
	} {
		test.change(&test.trial)
		row := onlyRow(t, build(t, file("a", test.trial)))
		doubts := append(row.Doubts(), Doubt{Verdict: VerdictOK})
		if doubts[0].Code != test.code || row.Verdict() != doubts[0].Verdict || test.code != "" && !row.Finds(test.code) {
			t.Errorf("%s: %s %v, want %s", name, row.Verdict(), row.Doubts(), test.code)
		} else if test.why != "" && !strings.Contains(row.Doubts()[0].Why+"$", test.why) {
			t.Errorf("%s: %q, want %q in it", name, row.Doubts()[0].Why, test.why)
		}
	}
}

// slower completes so many calls in each interval instead of 100.
func slower(r *result.Trial, calls int64) { from(r, 0, calls) }

func from(r *result.Trial, first int, calls int64) {
	for i := range r.Clients[0].Intervals[first:] {
		r.Clients[0].Intervals[first+i].OK = calls
	}
}

func TestARowHasACircumstanceOfHalfOfItsTrialsAndAnErrorOfOne(t *testing.T) {
	t.Parallel()
	few := func(repetition int) result.Trial {
		one := trial(t, spec("grpc-go"), repetition, 100, 1000)
		return one
	}
	good := func(repetition int) result.Trial { return trial(t, spec("grpc-go"), repetition, 1000, 1000) }
	wrong := good(3)
	wrong.Clients[0].Outcomes = append(wrong.Clients[0].Outcomes, result.Outcome{Code: "INTERNAL", Calls: 1})
	for want, trials := range map[string][]result.Trial{
		VerdictOK:            {few(1), good(2), good(3)},
		VerdictTooFewSamples: {few(1), few(2), good(3), good(4)},
		VerdictErrors:        {few(1), few(2), wrong},
	} {
		row := onlyRow(t, build(t, file("a", trials...)))
		if row.Verdict() != want {
			t.Errorf("%s, want %s", row.Verdict(), want)
		}
	}
	row := onlyRow(t, build(t, file("a", few(1), few(2), wrong)))
	if doubts := row.Doubts(); len(doubts) != 2 || doubts[1].Verdict != VerdictTooFewSamples || doubts[1].Trials != 2 {
		t.Errorf("%+v", doubts)
	}
}

func TestEachCodeStandsForOneVerdictAndEachVerdictHasACode(t *testing.T) {
	t.Parallel()
	stands := map[string]bool{VerdictOK: true}
	for code, verdict := range verdictOf {
		if !slices.Contains(Verdicts(), verdict) {
			t.Errorf("%s stands for %q", code, verdict)
		}
		stands[verdict] = true
	}
	if len(stands) != len(Verdicts()) {
		t.Errorf("codes stand for %v only", stands)
	}
}
