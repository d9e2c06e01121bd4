package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// Three trials of 1,000 calls each take 1, 9 and 2 ms: the second is the worst, and 3,000 calls are too few for a p99.9.
func TestEachTrialIsShownWhereItIsAskedFor(t *testing.T) {
	t.Parallel()
	took := []int64{1e6, 9e6, 2e6}
	built := reporttest.Echo(t, 3, func(trial *result.Trial) {
		h := hdrhistogram.New(1, int64(time.Hour), 3)
		if err := h.RecordValues(took[trial.Repetition-1], 1000); err != nil {
			t.Fatal(err)
		}
		encoded, err := result.EncodeHistogram(h)
		if err != nil {
			t.Fatal(err)
		}
		trial.Clients[0].Histograms = map[string]string{result.HistResponse: encoded}
		trial.Clients[0].Intervals = nil
	})
	built.Rows = built.Rows[:1]
	for trials, want := range map[bool]int{true: 1, false: 0} {
		var out bytes.Buffer
		if err := Write(&out, FormatText, built, Options{Trials: trials}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		if got := strings.Count(text, "▁█▂ 9.00 ms 2 2.00 ms 9.00 ms –"); got != want {
			t.Errorf("with trials %v: %d lines of trials, want %d, in\n%s", trials, got, want, out.String())
		}
	}
}

// Percentiles over all calls are in JSON too, null where there are too few calls.
func TestJSONHasPooledPercentiles(t *testing.T) {
	t.Parallel()
	built := reporttest.Echo(t, 3, func(trial *result.Trial) {
		h := hdrhistogram.New(1, int64(time.Hour), 3)
		if err := h.RecordValues([]int64{1000, 3000, 2000}[trial.Repetition-1], 1000); err != nil {
			t.Fatal(err)
		}
		encoded, err := result.EncodeHistogram(h)
		if err != nil {
			t.Fatal(err)
		}
		trial.Clients[0].Histograms = map[string]string{result.HistResponse: encoded}
	})
	var out bytes.Buffer
	if err := Write(&out, FormatJSON, built, Options{}); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Rows []struct {
			Pooled map[string]*int64 `json:"pooled"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	got := read.Rows[0].Pooled
	if len(got) != 3 || got["response_p50_ns"] == nil || *got["response_p50_ns"]/10 != 200 || got["response_p99_ns"] == nil ||
		*got["response_p99_ns"]/10 != 300 || got["response_p999_ns"] != nil {
		t.Errorf("pooled %s", out.String()[:200])
	}
}

func TestTheWorstTrialOfARateIsTheLowest(t *testing.T) {
	t.Parallel()
	built := reporttest.Echo(t, 3, func(trial *result.Trial) {
		trial.Spec.InFlight = 8
		trial.Clients[0].ElapsedNs = []int64{1e9, 2e9, 4e9}[trial.Repetition-1]
		trial.Clients[0].WindowNs = trial.Clients[0].ElapsedNs
	})
	row := built.Rows[0]
	if worst, _, found := worstOf(row); row.Headline() != analysis.CallsPerSec || !found || worst.Repetition != 3 {
		t.Errorf("of %s trial %d is the worst", row.Headline(), worst.Repetition)
	}
	if worst, _, found := worstOf(&analysis.Row{}); found {
		t.Errorf("of no trials %v is the worst", worst)
	}
}

func TestTrialsHaveAPlaceInTextAlone(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]bool{FormatText: true, FormatMarkdown: true, "csv": false, "json": false, "hgrm": false} {
		if err := CheckTrials(format); (err == nil) != want {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// The strips of a table's rows are one note, after what is said of them.
func TestStripsComeAfterReasonsAndShareANote(t *testing.T) {
	t.Parallel()
	file := &result.File{Name: "f.jsonl"}
	for _, model := range reporttest.Models[1:3] {
		for repetition := 1; repetition <= 3; repetition++ {
			apart := model
			apart.Factor *= float64(repetition)
			file.Trials = append(file.Trials, reporttest.Invent(t, reporttest.Points()[1], apart, repetition))
		}
	}
	rows := reporttest.Built(t, file).Rows
	varying, _ := naming.Axes(rows)
	got := rowNotes(rows, varying)
	const strips = "response_p50 of each trial, in order: connect-go ▁▄█; grpc-go ▁▄█."
	if len(got) != 2 || !strings.Contains(got[0], "UNSTABLE in 3 of 3 trials") || got[1] != strips {
		t.Errorf("got %q, want %q at last", got, strips)
	}
	if got := note.StripOf(rows[0]); !slices.Equal(got, []string{"response_p50 of each trial, in order: ▁▄█"}) {
		t.Errorf("of one row: %q", got)
	}
}
