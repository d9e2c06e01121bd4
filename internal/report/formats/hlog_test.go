package formats

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/result"
)

// readHlog reads a log with the library's reader.
func readHlog(t *testing.T, text []byte) []*hdrhistogram.Histogram {
	t.Helper()
	reader := hdrhistogram.NewHistogramLogReader(bytes.NewReader(text))
	var read []*hdrhistogram.Histogram
	for {
		h, err := reader.NextIntervalHistogram()
		if err != nil {
			t.Fatal(err)
		}
		if h == nil {
			return read
		}
		read = append(read, h)
	}
}

func TestTheIntervalLogIsReadBack(t *testing.T) {
	t.Parallel()
	started := time.Date(2026, 9, 1, 12, 0, 0, 250e6, time.UTC)
	windowed := result.Trial{ID: "windowed", Repetition: 1, Status: result.StatusOK, Started: started.Add(time.Minute),
		Clients: []result.Client{{Record: result.Record{
			Windows: []result.Window{{StartNs: 0, EndNs: 1e9, Response: reporttest.Bell(t, 20e3)},
				{StartNs: 1e9, EndNs: 1_500e6, Response: reporttest.Bell(t, 40e3)}},
		}}},
	}
	windowed.Spec.WarmupNs = 2e9
	windowed.Clients[0].Warmup = &result.Warmup{ElapsedNs: 3_500e6}
	whole := result.Trial{ID: "whole", Repetition: 1, Status: result.StatusOK, Started: started,
		Clients: []result.Client{{Record: result.Record{ElapsedNs: 700e6,
			Histograms: map[string]string{result.HistResponse: reporttest.Bell(t, 10e3)},
		}}},
	}
	failed := result.Trial{ID: "failed", Repetition: 2, Status: result.StatusFailed, Started: started.Add(time.Hour)}
	var out bytes.Buffer
	if err := WriteHlog(&out, []result.Trial{windowed, failed, whole}); err != nil {
		t.Fatal(err)
	}
	reporttest.Golden(t, "trials.hlog", out.Bytes())
	want := []struct {
		tag                string
		startMs, endMs, ns int64
	}{
		{"whole", 0, 700, 10e3}, {"windowed", 63_500, 64_500, 20e3}, {"windowed", 64_500, 65_000, 40e3},
	}
	read := readHlog(t, out.Bytes())
	if len(read) != len(want) {
		t.Fatalf("%d intervals, want %d", len(read), len(want))
	}
	for i, w := range want {
		h := read[i]
		start, end := h.StartTimeMs()-started.UnixMilli(), h.EndTimeMs()-started.UnixMilli()
		// The reader's seconds are floating-point numbers, which it cuts off to milliseconds.
		if h.Tag() != w.tag || start < w.startMs-1 || start > w.startMs || end < w.endMs-1 || end > w.endMs ||
			h.TotalCount() != 1000 || !h.ValuesAreEquivalent(h.ValueAtQuantile(50), w.ns) {
			t.Errorf("%d: %s from %d to %d ms, %d samples around %d ns; want %+v", i, h.Tag(), start, end, h.TotalCount(),
				h.ValueAtQuantile(50), w)
		}
	}
}

func TestAReportsIntervalLogHasEachTrialOnce(t *testing.T) {
	t.Parallel()
	r := reporttest.Echo(t, 2, func(t *result.Trial) {
		t.ID = fmt.Sprint("a", t.Repetition)
		t.Cases = append(t.Cases, t.Cases[0])
		t.Cases[1].Scenario = "latency"
	})
	read := readHlog(t, printed(t, Hlog, r))
	if len(r.Rows) != 2 || len(read) != 2 || read[0].Tag() != r.Rows[0].Trials[0].ID || read[1].Tag() == read[0].Tag() {
		t.Errorf("%d rows of the same two trials, %d intervals", len(r.Rows), len(read))
	}
}

func TestACorruptWindowIsAnError(t *testing.T) {
	t.Parallel()
	err := WriteHlog(&bytes.Buffer{}, []result.Trial{{ID: "a1",
		Clients: []result.Client{{Record: result.Record{Windows: []result.Window{{EndNs: 1, Response: "rubbish"}}}}},
	}})
	if err == nil || !strings.HasPrefix(err.Error(), "trial a1: ") {
		t.Errorf("got %v", err)
	}
}

func TestOneFileHasTheResponsesOfAllTrials(t *testing.T) {
	t.Parallel()
	trial := func(ns float64) result.Trial {
		return result.Trial{ID: "a1",
			Clients: []result.Client{{Record: result.Record{Histograms: map[string]string{result.HistResponse: reporttest.Bell(t, ns)}}}},
		}
	}
	var one, two bytes.Buffer
	if err := WriteHgrm(&one, []result.Trial{trial(10e3)}); err != nil {
		t.Fatal(err)
	}
	if err := WriteHgrm(&two, []result.Trial{trial(10e3), {}, trial(20e3)}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		one.String(): {"Total count    =         1000]", "#[Values are in microseconds, of the OK calls of 1 trial]\n"},
		two.String(): {"Total count    =         2000]", "#[Values are in microseconds, of the OK calls of 2 trials together]\n"},
	} {
		for _, line := range want {
			if !strings.Contains(text, line) {
				t.Errorf("no %q in\n%s", line, text)
			}
		}
	}
	cut := trial(10e3)
	cut.Clients[0].Histograms[result.HistBound] = oneBound(t)
	var bounded bytes.Buffer
	if err := WriteHgrm(&bounded, []result.Trial{cut, cut}); err != nil || !strings.HasSuffix(bounded.String(),
		"of the OK calls of 2 trials together, with 2 lower bounds of calls that were not answered]\n") {
		t.Errorf("%v\n%s", err, bounded.String())
	}
	if err := WriteHgrm(&one, []result.Trial{{}}); err == nil || err.Error() != "no call was OK, so there is no latency histogram" {
		t.Errorf("got %v", err)
	}
}
