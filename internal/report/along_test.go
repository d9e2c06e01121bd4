package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/note"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// ramped are trials of two steps of 2 s, 1 and 8 calls in flight, that took 100 and 400 µs, or so many times as long in the
// second trial.
func ramped(t *testing.T, trials int, change func(*result.Trial)) *analysis.Report {
	t.Helper()
	return reporttest.Echo(t, trials, func(trial *result.Trial) {
		times := float64(trial.Repetition)
		trial.Spec.DurationNs, trial.Spec.InFlight = 4e9, 8
		trial.Spec.Schedule = &plan.Schedule{Name: "step:1..8/7@2s", Stages: []plan.Stage{{From: 1, To: 1, LengthNs: 2e9},
			{From: 8, To: 8, LengthNs: 2e9}}}
		trial.Clients[0].Windows = []result.Window{{StartNs: 0, EndNs: 2e9, Response: reporttest.Bell(t, 100e3*times)},
			{StartNs: 2e9, EndNs: 4e9, Response: reporttest.Bell(t, 400e3*times)}}
		trial.Clients[0].Intervals = []result.Interval{
			{StartNs: 0, EndNs: 2e9, OK: 20_000}, {StartNs: 2e9, EndNs: 4e9, OK: 40_000, Errors: 3},
		}
		change(trial)
	})
}

func alongText(t *testing.T, r *analysis.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, FormatText, r, Options{}); err != nil {
		t.Fatal(err)
	}
	_, along, _ := strings.Cut(out.String(), "\nAlong ")
	along, _, _ = strings.Cut(along, "\n\n")
	return along
}

func TestALoadThatChangesIsShownAlongItsSchedule(t *testing.T) {
	t.Parallel()
	asIs := func(*result.Trial) {}
	for name, c := range map[string]struct {
		report *analysis.Report
		want   string
	}{
		"a ramp": {ramped(t, 1, asIs), `step:1..8/7@2s: grpc-go · 1 trial, no spread
calls are shown when they ended
seconds   in flight   calls/s   response µs       errors
                                p50  p99    max
0.0–2.0           1    10,000   100  190  1,000        0
2.0–4.0           8    20,000   400  760  4,002        3`},
		"several trials": {ramped(t, 2, asIs), `step:1..8/7@2s: grpc-go · median of 2 trials, min–max
calls are shown when they ended
seconds   in flight   calls/s   response µs                 errors
                                p50            p99    max
0.0–2.0           1    10,000   150 100–200    285  1,501        0
2.0–4.0           8    20,000   600 400–800  1,140  6,003        6`},
		"a rate, whose calls take ever longer": {ramped(t, 1, func(trial *result.Trial) {
			trial.Spec.Load, trial.Spec.OfferedPerSec = plan.LoadConstant, 4.5
			trial.Clients[0].Windows[1].Response = reporttest.Bell(t, 3e9)
		}), `step:1..8/7@2s: grpc-go · 1 trial, no spread
response is measured from when a call was due; calls are shown when they ended
seconds   offered/s   calls/s   response                  errors
                                   p50     p99      max
0.0–2.0           1    10,000   100 µs  190 µs  1.00 ms        0
2.0–4.0           8    20,000   3.00 s  5.70 s   30.0 s        3`},
		"a stall": {ramped(t, 1, func(trial *result.Trial) {
			empty, err := result.EncodeHistogram(record.NewHistogram())
			if err != nil {
				t.Fatal(err)
			}
			trial.Clients[0].Windows[1].Response, trial.Clients[0].Intervals[1].OK, trial.Clients[0].Intervals[1].Errors = empty, 0, 0
		}), `step:1..8/7@2s: grpc-go · 1 trial, no spread
calls are shown when they ended
seconds   in flight   calls/s   response µs       errors
                                p50  p99    max
0.0–2.0           1    10,000   100  190  1,000        0
2.0–4.0           8         0     –    –      –        0`},
	} {
		if got := alongText(t, c.report); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// A part of a second is long enough; that the client was paused is another reason. The schedule is spelt as it was given, also
// where a sentence begins.
func TestALoadThatIsNotShownOverTimeIsNoted(t *testing.T) {
	t.Parallel()
	unshown := func(name string, durationNs int64, stages ...plan.Stage) *analysis.Report {
		return ramped(t, 1, func(trial *result.Trial) {
			trial.Spec.DurationNs, trial.Clients[0].Windows = durationNs, nil
			trial.Spec.Schedule = &plan.Schedule{Name: name, Stages: stages}
		})
	}
	const short = " is too short to show over time: each part lasts at least a second"
	for _, c := range []struct {
		report *analysis.Report
		want   string // "" is no such note
	}{
		{unshown("line:1..8@1s", 1e9, plan.Stage{From: 1, To: 8, LengthNs: 1e9}), "the load line:1..8@1s" + short},
		{unshown("step:1..8/7@500ms", 2e9, plan.Stage{From: 1, To: 1, LengthNs: 5e8}, plan.Stage{From: 8, To: 8, LengthNs: 5e8}),
			"the load step:1..8/7@500ms" + short},
		{unshown("step:1..8/7@1s", 2e9, plan.Stage{From: 1, To: 1, LengthNs: 1e9}, plan.Stage{From: 8, To: 8, LengthNs: 1e9}),
			"the load step:1..8/7@1s is not shown over time: fewer than two parts of it were measured, as when the client is paused " +
				"or calls end early"},
		{ramped(t, 1, func(*result.Trial) {}), ""},
	} {
		text := strings.Join(strings.Fields(string(printed(t, FormatText, c.report, Options{}))), " ")
		if strings.Contains(text, "over time") != (c.want != "") || !strings.Contains(text, ": "+c.want) {
			t.Errorf("want %q in\n%s", c.want, text)
		}
		if got := sentences(note.Circumstances(c.report.Rows[0])); c.want != "" && !slices.Contains(got, "T"+c.want[1:]+".") {
			t.Errorf("on a page it is %q, want %q as a sentence", got, c.want)
		}
	}
}

func TestNumbersThatAreWholeButForRoundingAreShownSo(t *testing.T) {
	t.Parallel()
	load := func(s analysis.Stretch) stat.Summary { return s.Load }
	for value, want := range map[float64]int{3.0000000000000004: 0, 3.5: 2} {
		if got := asCounts([]analysis.Stretch{{Load: stat.Summarize([]float64{value})}}, load).Decimals; got != want {
			t.Errorf("%v is shown with %d decimals, want %d", value, got, want)
		}
	}
}

func TestStretchesAreInJSON(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := Write(&out, FormatJSON, ramped(t, 2, func(*result.Trial) {}), Options{}); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Rows []struct {
			Along []struct {
				ToNs        int64   `json:"to_ns"`
				InFlight    float64 `json:"in_flight"`
				Offered     any     `json:"offered_per_sec"`
				CallsPerSec struct {
					N      int
					Median float64
				} `json:"calls_per_sec"`
				Errors int64
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	along := read.Rows[0].Along
	if len(along) != 2 || along[1].ToNs != 4e9 || along[1].InFlight != 8 || along[1].Offered != nil || along[1].CallsPerSec.N != 2 ||
		along[1].CallsPerSec.Median != 20_000 || along[1].Errors != 6 {
		t.Errorf("stretches %+v, want the second with 8 in flight at 20,000 calls/s over 2 trials, and 6 errors", along)
	}
}

// The sentence about a load that changes is how the response changed with it, and its table comes before those of all calls.
func TestTheAnswerOfALoadThatChangesIsHowTheResponseChanged(t *testing.T) {
	t.Parallel()
	asIs := func(*result.Trial) {}
	longest := func(trial *result.Trial) {
		trial.Spec.Schedule = &plan.Schedule{Name: "3", Stages: []plan.Stage{{From: 1, To: 1, LengthNs: 2e9},
			{From: 8, To: 8, LengthNs: 2e9}, {From: 2, To: 2, LengthNs: 2e9}}}
		trial.Spec.DurationNs = 6e9
		c := &trial.Clients[0]
		c.Windows = append(c.Windows, result.Window{StartNs: 4e9, EndNs: 6e9, Response: reporttest.Bell(t, 200e3)})
		c.Intervals = append(c.Intervals, result.Interval{StartNs: 4e9, EndNs: 6e9, OK: 20_000})
	}
	lost := func(trial *result.Trial) {
		c := &trial.Clients[0]
		c.Outcomes = append(c.Outcomes, result.Outcome{Code: result.CodeUnsent, Calls: c.Arrivals})
		c.Arrivals *= 2
	}
	silent := func(trial *result.Trial) { trial.Clients[0].Windows[0].Response = timesOf(t, 0) }
	for name, c := range map[string]struct {
		trials int
		change func(*result.Trial)
		want   string
	}{
		"two steps": {1, asIs, "Half of the calls were answered within 100 µs at 1 in flight (0.0–2.0 s), and 400 µs at 8 in flight " +
			"(2.0–4.0 s)."},
		"two trials": {2, asIs, "Half of the calls were answered within 150 µs (100–200) at 1 in flight (0.0–2.0 s), and 600 µs " +
			"(400–800) at 8 in flight (2.0–4.0 s)."},
		"longest between": {1, longest, "Half of the calls were answered within 100 µs at 1 in flight (0.0–2.0 s), and 200 µs at 2 " +
			"in flight (4.0–6.0 s); longest was 400 µs at 8 in flight (2.0–4.0 s)."},
		"not answered": {1, lost, "50.00% of the calls were never sent or answered. Half of the calls took at least 100 µs at 1 in " +
			"flight (0.0–2.0 s), and 400 µs at 8 in flight (2.0–4.0 s)."},
		"one part": {1, silent, "Calls were answered at a rate of "},
	} {
		r := ramped(t, c.trials, c.change)
		if got := leads(r.Rows)[0]; !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	r := ramped(t, 1, func(trial *result.Trial) { trial.Spec.Target = "there:80" })
	text := string(printed(t, FormatText, r, Options{}))
	if along, latency := strings.Index(text, "\nAlong "), strings.Index(text, "\nLatency"); along < 0 || along > latency {
		t.Errorf("along at %d, latency at %d in\n%s", along, latency, text)
	}
}
