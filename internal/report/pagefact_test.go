package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// What a trial used is divided by its own time: in one the server died early, and in each the last calls ended after the window.
func TestWhatWasUsedInASecondIsOfEachTrial(t *testing.T) {
	t.Parallel()
	file := &result.File{Name: "died.jsonl"}
	for repetition := range 2 {
		trial := reporttest.Invent(t, reporttest.Points()[1], reporttest.Models[1], repetition+1)
		c := &trial.Clients[0]
		calls := c.Arrivals
		if repetition == 1 {
			calls /= 100
		}
		c.Outcomes = []result.Outcome{{Code: result.CodeOK, Calls: calls}, {Code: "UNAVAILABLE", Calls: c.Arrivals - calls}}
		c.ElapsedNs, c.WindowNs = 2e9, 1e9
		c.Begin = &result.Snapshot{BytesOut: new(int64(0)), BytesIn: new(int64(0))}
		c.End = &result.Snapshot{TimeNs: 2e9, CPUUserNs: 1e9, BytesOut: new(int64(4e6)), BytesIn: new(int64(0))}
		file.Trials = append(file.Trials, trial)
	}
	row := reporttest.Built(t, file).Rows[0]
	for metric, want := range map[analysis.Metric]float64{analysis.ClientCPUPerCall: 0.5e9, analysis.WireOutPerCall: 2e6} {
		if got := perSec(row, metric); got < want*0.999 || got > want*1.001 {
			t.Errorf("%s: %v in a second, want %v", metric, got, want)
		}
	}
}

func TestThePayloadHasAUnitOfItsSize(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]stat.Summary{
		"400 B/s of payload":               {N: 1, Median: 0.0004},
		"629 kB/s of payload":              {N: 1, Median: 0.629},
		"2.00 MB/s of payload (1.90–2.10)": {N: 3, Median: 2, Lo: 1.9, Hi: 2.1},
	} {
		if got := payloadWords(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Where no trial succeeded, what is known of calls that went well before is no praise.
func TestCallsOfFailedTrialsAreNotAllOK(t *testing.T) {
	t.Parallel()
	for want, fails := range map[string]bool{"1,000 in 500 ms, all OK": false, "1,000": true} {
		row := reporttest.Echo(t, 1, func(trial *result.Trial) {
			trial.Clients[0].WindowNs = 500e6
			trial.Clients[0].Arrivals = 1000
			trial.Clients[0].Outcomes = []result.Outcome{{Code: result.CodeOK, Calls: 1000}}
			if fails {
				trial.Fail(result.FailureClientLost, "client 1 of 2: the worker ended")
			}
		}).Rows[0]
		if diff := cmp.Diff([]string{want}, callLines(row)); diff != "" {
			t.Error(diff)
		}
	}
}

// OK and failed calls are side by side over the same time, also where there are too few of one kind for as many marks.
func TestCoursesOfOKAndFailedCallsLineUp(t *testing.T) {
	t.Parallel()
	row := reporttest.Echo(t, 1, func(trial *result.Trial) {
		intervals := trial.Clients[0].Intervals
		for i := range intervals {
			intervals[i].OK, intervals[i].Errors = 100, 4
		}
	}).Rows[0]
	var spans []time.Duration
	var tones []document.Tone
	for _, block := range timeBlocks(row) {
		marks, _ := block.(document.Marks)
		_, note, _ := strings.Cut(marks.Note, "each mark ")
		note, _, _ = strings.Cut(note, ";")
		each, err := time.ParseDuration(strings.ReplaceAll(note, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		spans, tones = append(spans, time.Duration(marks.Span*float64(each)).Round(time.Millisecond)), append(tones, marks.Tone)
	}
	if len(spans) != 2 || spans[0] != spans[1] || spans[0] == 0 || tones[0] != document.Even || tones[1] != document.Alarm {
		t.Errorf("got %v, %v", spans, tones)
	}
}

// The course is of the first trial that succeeded, by its own number.
func TestTheCourseNamesItsTrial(t *testing.T) {
	t.Parallel()
	for _, failed := range []int{0, 1} {
		row := reporttest.Echo(t, 3, func(trial *result.Trial) {
			if trial.Repetition == failed {
				reporttest.Fail(trial)
			}
		}).Rows[0]
		want := fmt.Sprintf("OK calls/s over time in trial %d", failed+1)
		marks, ok := timeBlocks(row)[0].(document.Marks)
		if !ok || marks.Caption != want {
			t.Errorf("got %q, want %q", marks.Caption, want)
		}
	}
}
