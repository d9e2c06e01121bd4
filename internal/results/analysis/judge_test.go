package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	one.Clients[0].Intervals = even(4e9, 4000)
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

// unsent has some of a trial's calls never be sent.
func unsent(r *result.Trial, calls int64) {
	c := &r.Clients[0]
	c.Outcomes[0].Calls -= calls
	c.Outcomes = append(c.Outcomes, result.Outcome{Code: result.CodeUnsent, Calls: calls})
}

func TestEachFindingHasItsCodeAndTheFigureThatDecided(t *testing.T) {
	t.Parallel()
	quiet := func(busy, steal, hiccup int64) []result.HostUse {
		return []result.HostUse{{ElapsedNs: 1e9, Hiccups: result.Hiccups{Count: 900, P99Ns: hiccup, MaxNs: hiccup},
			CPU: &result.HostCPU{BusyNs: busy, IdleNs: 2e9 - busy - steal, StealNs: steal}, WatchCPUNs: new(int64(10e6))}}
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
		"late instrument": {open(t), func(r *result.Trial) { late(t, r, 120_000) }, CodeSentLate,
			"12% of the p50 is the instrument's, which sent calls up to 120 µs late (bound 10%)"},
		"late instrument at no percentile that shows it": {open(t), func(r *result.Trial) { late(t, r, 90_000) }, "", ""},
		"late while calls were slow anyway": {open(t), func(r *result.Trial) {
			late(t, r, 120_000)
			r.Clients[0].Histograms[result.HistService] = histogram(t, 950_000)
		}, "", ""},
		"late instrument on a late host": {open(t), func(r *result.Trial) {
			late(t, r, 300_000)
			r.Hosts = quiet(0, 0, 240_000)
		}, CodeLateWakes, "30% of the p50 is the instrument's, which sent calls up to 300 µs late (bound 10%), " +
			"on a host that kept an idle thread waiting for up to 240 µs (p99)"},
		"late instrument beside other processes": {open(t), func(r *result.Trial) {
			late(t, r, 300_000)
			r.Hosts = quiet(620e6, 0, 0)
		}, CodeLateWakes, "30% of the p50 is the instrument's, which sent calls up to 300 µs late (bound 10%), on a noisy host$"},
		"late instrument on a host that was not": {open(t), func(r *result.Trial) {
			late(t, r, 300_000)
			r.Hosts = quiet(0, 0, 120_000)
		}, CodeSentLate, ""},
		"rate not met": {open(t), func(r *result.Trial) { slower(r, 97) }, CodeSlotsTaken,
			"calls that were due early enough to complete within 4.00 s did (97%), and"},
		"calls in flight taken": {open(t), func(r *result.Trial) { slower(r, 97) }, CodeSlotsTaken,
			"3,880 of the "},
		"calls in flight taken all the time": {open(t), func(r *result.Trial) { slower(r, 97) }, CodeSlotsTaken,
			"within 4.00 s did (97%), and the limit of 1 call in flight was reached 100% of the time"},
		"calls in flight not all taken": {open(t), func(r *result.Trial) {
			slower(r, 97)
			r.Clients[0].Histograms[result.HistService] = histogram(t, 890_000)
		}, CodeRateShort, "within 4.00 s did (97%)$"},
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
		"another rate than asked for": {open(t), func(r *result.Trial) {
			c := &r.Clients[0]
			c.Intervals, c.WindowNs, c.Arrivals = nil, r.Spec.DurationNs, 2*c.Arrivals
			c.Outcomes[0].Calls = c.Arrivals
		}, CodeOtherRate, "the client made 200% of the calls that it was asked for$"},
		"one call without an answer": {open(t), func(r *result.Trial) { unsent(r, 1) }, CodeCallsCensored,
			"1 call of 4,000 was never sent or answered$"},
		"calls without an answer": {open(t), func(r *result.Trial) { unsent(r, 2) }, CodeCallsCensored,
			"2 calls of 4,000 were never sent or answered$"},
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
		"a client that does not tell when": {closed(t), func(r *result.Trial) {
			c := &r.Clients[0]
			c.Intervals, c.WindowNs = nil, r.Spec.DurationNs
		}, CodeNotTold, "does not report how its calls were spread over the measured phase"},
		"too few to be judged": {closed(t), func(r *result.Trial) {
			r.Clients[0].Intervals = even(3e6, 5)
			r.Clients[0].ElapsedNs, r.Clients[0].Outcomes[0].Calls, r.Spec.Kind = 3e6, 6, "upload"
		}, CodeNotJudged, "6 calls in 3.00 ms are too few to show whether the speed was steady"},
		"too uneven to be judged": {closed(t), func(r *result.Trial) {
			for i := range r.Clients[0].Intervals {
				r.Clients[0].Intervals[i].OK = 40 + int64(i*i*7919%120)
			}
		}, CodeNotJudged, "calls per second varied so much that no step under"},
		"a step of an open load": {open(t), func(r *result.Trial) {
			for i := range r.Clients[0].Intervals[20:] {
				r.Clients[0].Intervals[20+i].ResponseMeanNs = 1250
			}
		}, CodeStep, "response changed by +22% of its median after 50%"},
		"a step told by seconds": {open(t), func(r *result.Trial) {
			for i := range r.Clients[0].Intervals {
				r.Clients[0].Intervals[i].ResponseMeanNs = 0
				r.Clients[0].Intervals[i].Response = &result.Quantiles{Calls: 100, P50Ns: 1000 + int64(i/20)*500}
			}
		}, CodeStep, "response changed by"},
		"a freeze": {closed(t), func(r *result.Trial) {
			for i := range 4 {
				r.Clients[0].Intervals[20+i].OK, r.Clients[0].Intervals[20+i].InFlight = 0, 1
			}
			r.Clients[0].Intervals[24].OK, r.Clients[0].Intervals[24].InFlight = 0, 1
		}, CodePause, "no call was completed for 500 ms of 4.00 s, though some were in flight"},
		"a freeze for most of the time": {closed(t), func(r *result.Trial) {
			for i := range 30 {
				r.Clients[0].Intervals[5+i].OK, r.Clients[0].Intervals[5+i].InFlight = 0, 1
			}
		}, CodePause, "no call was completed for 3.00 s of 4.00 s, though some were in flight"},
		"failed": {closed(t), func(r *result.Trial) {
			calls := &r.Clients[0].Record
			calls.Arrivals, calls.Outcomes = 7000, append(calls.Outcomes, result.Outcome{Code: "INTERNAL", Calls: 6005})
		}, CodeCallsFailed, "6,005 calls of 7,000 failed"},
		"enough":        {closed(t), func(r *result.Trial) { r.Clients[0].Outcomes[0].Calls = 368 }, "", ""},
		"few long ones": {closed(t), func(r *result.Trial) { r.Spec.Kind, r.Clients[0].Outcomes[0].Calls = "upload", 6 }, "", ""},
		"too few long ones": {closed(t), func(r *result.Trial) { r.Spec.Kind, r.Clients[0].Outcomes[0].Calls = "upload", 5 },
			CodeTooFewSamples, "5 calls, and p50 needs at least 6 calls"},
		"quiet": {closed(t), func(r *result.Trial) { r.Hosts = quiet(480e6, 10e6, 900_000) }, "", ""},
		"steal": {closed(t), func(r *result.Trial) { r.Hosts = quiet(0, 30e6, 0) }, CodeSteal,
			"1.5% of the processors' time"},
		"others": {closed(t), func(r *result.Trial) { r.Hosts = quiet(620e6, 0, 0) }, CodeOtherProcesses,
			"other processes used 30%"},
		"own work": {closed(t), func(r *result.Trial) {
			r.Hosts, r.Clients[0].Side = quiet(620e6, 0, 0), used(600e6)
		}, "", ""},
		"a target's server": {closed(t), func(r *result.Trial) {
			r.Hosts, r.Spec.Target, r.Servers = quiet(620e6, 0, 0), "127.0.0.1:8080", nil
		}, "", ""},
		"a target's server, whose use is known": {closed(t), func(r *result.Trial) {
			r.Hosts, r.Spec.Target, r.Servers = quiet(620e6, 0, 0), "127.0.0.1:8080", []result.Side{used(10e6)}
		}, CodeOtherProcesses, "other processes used 30% of the processors' time"},
		"hiccups": {closed(t), func(r *result.Trial) { r.Hosts = quiet(0, 0, 1_200_000) }, CodeLateWakes,
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

// late makes an instrument that sent all calls late, and servers that were the quicker for it.
func late(t *testing.T, r *result.Trial, ns int64) {
	t.Helper()
	r.Clients[0].Histograms[result.HistWake] = histogram(t, ns)
	r.Clients[0].Histograms[result.HistService] = histogram(t, 1_000_000-ns)
}

// slower completes so many calls in each interval instead of 100.
func slower(r *result.Trial, calls int64) { from(r, 0, calls) }

func from(r *result.Trial, first int, calls int64) {
	for i := range r.Clients[0].Intervals[first:40] {
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

// Each host's processes are its own: what the server uses on one is no disturbance there, and none on another.
func TestNoiseIsOfItsHost(t *testing.T) {
	t.Parallel()
	cpu := func(busy, steal int64) *result.HostCPU {
		return &result.HostCPU{BusyNs: busy, IdleNs: 2e9 - busy - steal, StealNs: steal}
	}
	on := func(host string, cpu int64) result.Side {
		return result.Side{Host: host, Begin: &result.Snapshot{}, End: &result.Snapshot{TimeNs: 1e9, CPUUserNs: cpu}}
	}
	for name, c := range map[string]struct {
		here, there *result.HostCPU
		processes   *int64 // here
		want        []string
	}{
		"quiet": {cpu(900e6, 0), cpu(1500e6, 0), nil, nil},
		"between ticks": {cpu(900e6, 0), cpu(1500e6, 0), new(int64(1010e6)), []string{
			"bench: other processes used 10% of the processors' time (bound 5%); p50 likely within ±7%, p99 up to +275%",
		}},
		"work for packets, in ticks alone": {cpu(1500e6, 0), cpu(1500e6, 0), new(int64(890e6)), nil},
		"elsewhere": {cpu(900e6, 0), cpu(1500e6, 40e6), nil, []string{
			"db1: the hypervisor gave 2.0% of the processors' time to other machines (bound 1%)" +
				"; the p50 hardly changed, the p99 is how long calls waited for a processor",
		}},
		"elsewhere, a lot": {cpu(900e6, 0), cpu(1400e6, 600e6), nil, []string{
			"db1: the hypervisor gave 30.0% of the processors' time to other machines (bound 1%); it is in all percentiles",
		}},
		"here": {cpu(1500e6, 0), cpu(1500e6, 0), nil, []string{
			"bench: other processes used 34% of the processors' time (bound 25%); p50 likely within ±22%, p99 hardly changed",
		}},
		"both": {cpu(1500e6, 0), cpu(1500e6, 40e6), nil, []string{
			"bench: other processes used 34% of the processors' time (bound 25%); p50 likely within ±22%, p99 hardly changed",
			"db1: the hypervisor gave 2.0% of the processors' time to other machines (bound 1%)" +
				"; the p50 hardly changed, the p99 is how long calls waited for a processor",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trial := closed(t)
			trial.Clients[0].Side, trial.Servers = on("", 800e6), []result.Side{on("db1", 1450e6)}
			own := new(int64(10e6))
			trial.Hosts = []result.HostUse{
				{CPU: c.here, ProcessesNs: c.processes, WatchCPUNs: own}, {Host: "db1", CPU: c.there, WatchCPUNs: own},
			}
			source := &Source{Header: result.Header{Hosts: []result.Host{{Name: "bench", Processors: 2}, {ID: "db1", Processors: 2}}}}
			m, err := figures(source, &trial)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range noisyHost(m, m.trial) {
				got = append(got, f.Why)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
