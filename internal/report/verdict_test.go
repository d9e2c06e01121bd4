package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// verdictText is the report of an open load of 2,000/s, changed, of one trial each.
func verdictText(t *testing.T, changes ...func(*result.Trial)) string {
	t.Helper()
	return strings.Join(strings.Fields(string(printed(t, FormatText, reporttest.OpenLoads(t, changes...), Options{}))), " ")
}

func TestAdviceNamesTheFlagsOfWhatWasRun(t *testing.T) {
	t.Parallel()
	late := func(r *result.Trial) { r.Clients[0].Histograms[result.HistWake] = reporttest.Bell(t, 1e6) }
	aimed := func(r *result.Trial) {
		late(r)
		r.Spec.Target, r.Spec.Server = "localhost:80", ""
	}
	for want, changes := range map[string][]func(*result.Trial){
		"its own processors (--set client_cpus=…), or offer less.":                          {late},
		"its own processors (--client-cpus), or offer less.":                                {aimed},
		"its own processors (--set client_cpus=…; for load, --client-cpus), or offer less.": {late, aimed},
	} {
		if text := verdictText(t, changes...); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Only a plan can be continued.
func TestAnInterruptedTrialIsResumedWhereThereIsAPlan(t *testing.T) {
	t.Parallel()
	const advice = "The same command with --resume measures such a trial again."
	for note, advised := range map[plan.NoteCode]bool{plan.NoteOnTheWay: false, plan.NoteLeftOut: true} {
		r := reporttest.OpenLoads(t, func(trial *result.Trial) { trial.Interrupted = true })
		r.Sources[0].Header.Notes = []plan.Note{{Code: note, Text: "So it is."}}
		text := strings.Join(strings.Fields(string(printed(t, FormatText, r, Options{}))), " ")
		if strings.Contains(text, advice) != advised || !strings.Contains(text, "INTERRUPTED: ") {
			t.Errorf("%s: advice is to be there: %v, in\n%s", note, advised, text)
		}
	}
}

// Ab takes no --trials.
func TestUnstableTrialsOfABNeedMorePairs(t *testing.T) {
	t.Parallel()
	meaning := func(abs ...*result.AB) string {
		var rows []*analysis.Row
		for _, ab := range abs {
			r := reporttest.OpenLoads(t, func(*result.Trial) {})
			r.Sources[0].Header.AB = ab
			rows = append(rows, r.Rows...)
		}
		return verdictMeaning(analysis.VerdictUnstable, rows)
	}
	const trials, pairs = "; measure more trials (--trials) on a quieter machine.", "; measure more pairs (--time) on a " +
		"quieter machine."
	for _, c := range []struct {
		of   []*result.AB
		want string
	}{{[]*result.AB{nil}, trials}, {[]*result.AB{{}}, pairs}, {[]*result.AB{{}, nil}, trials}} {
		if got := meaning(c.of...); !strings.HasSuffix(got, c.want) {
			t.Errorf("%d files: %q, want %q at the end", len(c.of), got, c.want)
		}
	}
}

func TestARateThatWantsCallsInFlightIsNotTheServersFault(t *testing.T) {
	t.Parallel()
	short := func(serviceNs float64) func(*result.Trial) {
		return func(r *result.Trial) {
			r.Spec.Target, r.Spec.InFlight, r.Clients[0].Outcomes[0].Calls = "localhost:80", 1, 100
			r.Clients[0].Histograms[result.HistService] = reporttest.Bell(t, serviceNs)
			r.Clients[0].Intervals = []result.Interval{{EndNs: 500e6, OK: 100}}
		}
	}
	const inFlight = "raise the limit (--in-flight) first."
	for serviceNs, taken := range map[float64]bool{4.8e6: true, 2e6: false} {
		text := verdictText(t, short(serviceNs))
		if strings.Contains(text, inFlight) != taken || !strings.Contains(text, "RATE_NOT_MET: ") {
			t.Errorf("of %.0f ns in\n%s", serviceNs, text)
		}
	}
}

// Measuring longer does not help a client that reports nothing.
func TestAClientThatDoesNotTellIsNotMeasuredLonger(t *testing.T) {
	t.Parallel()
	untold := func(r *result.Trial) {
		r.Clients[0].Intervals, r.Clients[0].WindowNs = nil, r.Spec.DurationNs
	}
	text := verdictText(t, untold)
	if !strings.Contains(text, "NOT_JUDGED: the client does not report") || strings.Contains(text, "Measure longer") {
		t.Errorf("got\n%s", text)
	}
}

// If one thing disturbed all rows, the report says what to do about it.
func TestADisturbanceHasItsOwnAdvice(t *testing.T) {
	t.Parallel()
	noisy := func(use result.HostUse) func(*result.Trial) {
		return func(r *result.Trial) {
			r.Hosts, r.Clients[0].Histograms[result.HistWake] = []result.HostUse{use}, reporttest.Bell(t, 100)
		}
	}
	quota := noisy(result.HostUse{ElapsedNs: 1e9, ThrottledNs: new(int64(1e9))})
	heat := noisy(result.HostUse{ElapsedNs: 1e9, HeatThrottles: new(int64(1))})
	for want, changes := range map[string][]func(*result.Trial){
		"NOISY_HOST: the CPU quota of a control group": {quota, quota},
		"NOISY_HOST: processors were slowed down":      {heat},
	} {
		if text := verdictText(t, changes...); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestANoteOnLostClientsCountsTheTrialsThatFailed(t *testing.T) {
	t.Parallel()
	row := reporttest.Echo(t, 3, func(trial *result.Trial) {
		trial.Fail(result.FailureClientLost, "client 1 of 2: the worker ended")
	}).Rows[0]
	want := []string{"grpc-go: LOST_CLIENT in 3 of 3 trials: client 1 of 2: the worker ended."}
	if diff := cmp.Diff(want, doubtNotes([]*analysis.Row{row}, nil)); diff != "" {
		t.Error(diff)
	}
}
