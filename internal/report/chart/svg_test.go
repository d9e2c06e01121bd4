package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

func charted(t *testing.T, r *analysis.Report) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "charts")
	names, err := Write(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	pictures := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		pictures[name] = string(text)
	}
	return pictures
}

func TestChartsAreSealed(t *testing.T) {
	t.Parallel()
	pictures := charted(t, reporttest.BatchRun(t))
	for _, name := range []string{"batch-batch-01.svg", "channels-callers-01.svg", "batch-percentiles-01.svg"} {
		reporttest.Golden(t, name, []byte(pictures[name]))
	}
}

// A label as long as results may have would leave no room for what the chart shows.
func TestALongLabelLeavesRoomForItsChart(t *testing.T) {
	t.Parallel()
	file := &result.File{Name: "long.jsonl"}
	long := strings.Repeat("stack-without-an-end-", 8)
	for _, name := range []string{"grpc-go", long} {
		model := reporttest.Models[1]
		model.Name = name
		file.Trials = append(file.Trials, reporttest.Invent(t, reporttest.Points()[1], model, 1))
	}
	for name, picture := range charted(t, reporttest.Built(t, file)) {
		if strings.Contains(picture, ">"+long+"<") || !strings.Contains(picture, ">"+long[:maxLabel]+"…<") {
			t.Errorf("%s has not the beginning of the label alone", name)
		}
	}
}

func TestAChartIsXMLWithItsQuestionLinesAndMachine(t *testing.T) {
	t.Parallel()
	for name, picture := range charted(t, reporttest.BatchRun(t)) {
		decoder := xml.NewDecoder(strings.NewReader(picture))
		var words []string
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if text, ok := token.(xml.CharData); ok {
				words = append(words, strings.TrimSpace(string(text)))
			}
		}
		all := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
		for _, want := range []string{" by ", "grpc-go", "connect-go", "tcp (floor)", "median of 3 trials", "batch.jsonl: bench"} {
			if !strings.Contains(all, want) {
				t.Errorf("%s has no %q", name, want)
			}
		}
		if strings.Contains(picture, "NaN") || strings.Contains(picture, "Inf") {
			t.Errorf("%s has a place that is none", name)
		}
	}
}

func TestEveryQuestionHasItsChart(t *testing.T) {
	t.Parallel()
	count := func(pictures map[string]string) map[string]int {
		found := map[string]int{}
		for name := range pictures {
			found[strings.Split(strings.TrimSuffix(name, ".svg"), "-")[1]]++
		}
		return found
	}
	got := count(charted(t, reporttest.BatchRun(t)))
	// Batches: of batch, of each pattern, and of distance's three links. Percentiles: of the two patterns one each, and of
	// the first and the last point of batch, channels and distance, which have more than eight rows.
	if got["batch"] != 6 || got["callers"] != 1 || got["load"] != 0 || got["stacks"] != 0 || got["percentiles"] != 2*1+3*2 {
		t.Errorf("got %v", got)
	}
}

// openRun invents open loads of three rates; the tail grows towards the capacity.
func openRun(t *testing.T) *analysis.Report {
	t.Helper()
	file := &result.File{Name: "open.jsonl", Header: reporttest.Quick(t).Sources[0].Header}
	file.Header.Scenarios = []result.Scenario{{Name: "openloop", Trials: 3}}
	base := reporttest.Points()[5]
	for _, model := range reporttest.Models {
		for _, perSec := range []float64{500, 2000, 5000} {
			for repetition := 1; repetition <= 3; repetition++ {
				p := base
				p.Spec.OfferedPerSec, p.PerSec, p.P50Ns = perSec, perSec, base.P50Ns/(1-perSec/8000)
				one := reporttest.Invent(t, p, model, repetition)
				one.ID += fmt.Sprint(perSec)
				one.Cases = []plan.Case{{Scenario: "openloop", Title: "1 kB echo, calls due at random"}}
				file.Trials = append(file.Trials, one)
			}
		}
	}
	r, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOpenLoadsAreDrawnOverTheirRate(t *testing.T) {
	t.Parallel()
	pictures := charted(t, openRun(t))
	reporttest.Golden(t, "openloop-load-01.svg", []byte(pictures["openloop-load-01.svg"]))
	if len(pictures) != 1+2 {
		t.Errorf("%d charts, want one of the load, and the percentiles of the first and the last rate", len(pictures))
	}
}

func TestATableOfFewRowsHasOneChartOfPercentilesWithALineForEach(t *testing.T) {
	t.Parallel()
	table := *reporttest.BatchRun(t).Tables[0]
	table.Rows = table.Rows[:maxLines]
	charts, err := percentileCharts(&table)
	if err != nil || len(charts) != 1 || len(charts[0].lines) != maxLines {
		t.Fatalf("%d charts, %v", len(charts), err)
	}
	if got := charts[0].lines[4].label; got != "connect-go, batch 10" {
		t.Errorf("the fifth line is %q", got)
	}
}

func TestRoundMarksHoldTheFigures(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ least, most, first, last float64 }{
		{9482, 1_939_291, 5000, 2e6}, {100, 1000, 100, 1000}, {3, 4, 2, 5}, {7, 7, 5, 10}, {10, 10, 10, 20},
	} {
		ticks, first, last := logTicks(test.least, test.most, countWords)
		if math.Abs(first/test.first-1) > 1e-9 || math.Abs(last/test.last-1) > 1e-9 {
			t.Errorf("%v–%v: from %v to %v, want %v to %v", test.least, test.most, first, last, test.first, test.last)
		}
		if len(ticks) < 2 || ticks[0].Value != first || ticks[len(ticks)-1].Value != last {
			t.Errorf("%v–%v: ticks %v", test.least, test.most, ticks)
		}
	}
	labels := func(most float64) (words []string) {
		for _, tick := range linearTicks(most, countWords) {
			words = append(words, tick.Label)
		}
		return words
	}
	for most, want := range map[float64]string{
		7: "0 2 4 6", 10_500: "0 2 k 4 k 6 k 8 k 10 k", 260_000: "0 50 k 100 k 150 k 200 k 250 k", 1: "0 0.2 0.4 0.6 0.8 1",
	} {
		if got := strings.Join(labels(most), " "); got != want {
			t.Errorf("up to %v: %s, want %s", most, got, want)
		}
	}
}

func TestPartsHaveTheirNines(t *testing.T) {
	t.Parallel()
	var words []string
	for _, mark := range partMarks[:7] {
		words = append(words, partWords(mark))
	}
	if want := []string{"0", "50%", "90%", "99%", "99.9%", "99.99%", "99.999%"}; !slices.Equal(words, want) {
		t.Errorf("got %v, want %v", words, want)
	}
}

func TestWithoutALatencyThereIsNoChart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "charts")
	if _, err := Write(dir, &analysis.Report{}); err == nil || !strings.Contains(err.Error(), "no chart can be drawn") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder was made for nothing")
	}
}

func TestWhatHasNoCurveHasBars(t *testing.T) {
	t.Parallel()
	quick := reporttest.Quick(t)
	pictures := charted(t, quick)
	bars := 0
	for name, picture := range pictures {
		if strings.HasPrefix(name, "quick-stacks-") {
			bars++
			if !strings.Contains(picture, "tcp (floor)") || !strings.Contains(picture, "grpc-go") {
				t.Errorf("%s does not name its stacks", name)
			}
		}
	}
	if bars != len(quick.Tables) {
		t.Errorf("%d of %d tables have bars", bars, len(quick.Tables))
	}
	reporttest.Golden(t, "quick-stacks-02.svg", []byte(pictures["quick-stacks-02.svg"]))
	if main := string(Main(quick.Tables[1])); main != pictures["quick-stacks-02.svg"] {
		t.Error("the main chart of a table is another one")
	}
}
