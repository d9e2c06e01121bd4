package calibrate

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/check/script"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/stack"
)

// A machine stands in for one whose trials vary by a part of themselves, and whose verdicts' rates are known so.
type machine struct {
	t         *testing.T
	random    *rand.Rand
	variation float64
	now       time.Time
	fails     int // the trial of so many that fails; 0 is none
	made      int
}

// wire is what a call takes beside the service.
const wire = 50 * time.Microsecond

func (m *machine) drive(_ context.Context, config driver.Config) (int, error) {
	for _, trial := range config.Trials {
		m.made++
		length := time.Duration(trial.Spec.DurationNs)
		m.now = m.now.Add(length)
		evidence := result.Trial{ID: trial.ID, Repetition: 1, Spec: trial.Spec, Cases: trial.Cases, Started: m.now,
			Status: result.StatusOK}
		if m.fails > 0 && m.made%m.fails == 0 {
			evidence.Fail(result.FailureFault, "the server died")
		} else {
			evidence.Clients = []result.Client{{Record: m.record(trial.Spec.Options[script.Option], length)}}
		}
		if err := config.Results.Append(evidence); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// record is what a client would see of a script.
func (m *machine) record(text string, length time.Duration) result.Record {
	words := strings.Fields(text)
	own := 1 + m.variation*m.random.NormFloat64()
	felt := func(text string) time.Duration {
		d, err := time.ParseDuration(text)
		if err != nil {
			m.t.Error(err)
		}
		return time.Duration(float64(d+wire) * own)
	}
	usual, later, slowOne := felt(words[1]), time.Duration(0), time.Duration(0)
	switch words[0] {
	case "step":
		later = felt(words[3])
	case "slow":
		usual, slowOne = felt(words[5]), felt(words[1])
	}
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	record := func(d time.Duration, n int64) {
		if err := h.RecordValues(int64(d), n); err != nil {
			m.t.Error(err)
		}
	}
	var r result.Record
	for at := time.Duration(0); at < length; at += 50 * time.Millisecond {
		took := usual
		if later > 0 && at >= length/2 {
			took = later
		}
		n := int64(float64(50*time.Millisecond) / float64(took) * (1 + 0.03*m.random.NormFloat64()))
		if r.Arrivals += n; slowOne > 0 {
			record(slowOne, n/80)
			record(took, n-n/80)
		} else {
			record(took, n)
		}
		r.Intervals = append(r.Intervals, result.Interval{StartNs: int64(at), EndNs: int64(at + 50*time.Millisecond), OK: n})
	}
	encoded, err := result.EncodeHistogram(h)
	if err != nil {
		m.t.Error(err)
	}
	r.ElapsedNs, r.Outcomes = int64(length), []result.Outcome{{Code: result.CodeOK, Calls: r.Arrivals}}
	r.Histograms = map[string]string{result.HistResponse: encoded}
	return r
}

func calibrated(t *testing.T, m *machine, effort Effort) (Report, error) {
	t.Helper()
	m.t, m.random = t, rand.New(rand.NewPCG(12, 19))
	return Run(t.Context(), Config{
		Stack: stack.Info{Name: "tcp", Calls: true, Serves: true, Protocol: "tcp"}, Effort: effort, Drive: m.drive,
		Now: func() time.Time { return m.now }, Seed: 1,
	})
}

// On a machine whose trials vary by 2%, the rates are those that simulations of the tests state.
func TestRatesAreThoseOfAKnownMachine(t *testing.T) {
	t.Parallel()
	effort := Usual()
	effort.Short, effort.Blocks = 100*time.Millisecond, 24
	report, err := calibrated(t, &machine{variation: 0.02}, effort)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(float64(report.Response)/150e3-1) > 0.04 || math.Abs(report.Variation-0.02) > 0.006 || report.Blocks != 24 {
		t.Errorf("response %v, variation %.3f, %d blocks", report.Response, report.Variation, report.Blocks)
	}
	rate := map[string]float64{}
	for _, l := range report.Lines {
		part := float64(l.Found) / float64(l.Draws)
		rate[l.Verb+" "+l.Change] = part
		if l.Held >= 0 && float64(l.Held) < 0.80*float64(l.Draws) {
			t.Errorf("%+v: the interval holds the truth in %d of %d", l, l.Held, l.Draws)
		}
		if (l.Held >= 0) != (l.Measured > 0) || l.Measured > 0 && math.Abs(l.Measured/l.Ratio-1) > 0.02 {
			t.Errorf("%+v: all blocks show %.3f", l, l.Measured)
		}
	}
	for what, want := range map[string][2]float64{
		"compare, one run none": {0, 0.15}, "compare, two files none": {0, 0.25}, "ab none": {0, 0.15},
		"compare, one run +10%": {0.95, 1}, "compare, two files +10%": {0.95, 1}, "ab +10%": {0.95, 1},
		"compare, one run +50 µs": {0.95, 1}, "compare, one run 1% slow mode": {0.95, 1}, "ab +5%": {0.90, 1},
		"compare, one run +1%": {0, 0.8}, "--require at the bound": {0, 0.25}, "--require 10% over it": {0.95, 1},
		"NOT_STATIONARY, trial steady": {0, 0.1}, "NOT_STATIONARY, trial step halfway": {0.9, 1},
		"NOT_STATIONARY, row steady": {0, 0.02}, "NOT_STATIONARY, row step halfway": {1, 1},
	} {
		if got, known := rate[what]; !known || got < want[0] || got > want[1] {
			t.Errorf("%s: %.2f, want %.2f to %.2f", what, got, want[0], want[1])
		}
	}
	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"NOT_STATIONARY", "+50 µs", "24 blocks of trials, 10 trials a side"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: no %q", out.String(), want)
		}
	}
}

func TestACalibrationEndsInTime(t *testing.T) {
	t.Parallel()
	effort := Quick()
	effort.Short, effort.Long, effort.Most = 100*time.Millisecond, 200*time.Millisecond, 26*time.Second
	m := &machine{variation: 0.01}
	report, err := calibrated(t, m, effort)
	if err != nil || report.Blocks >= effort.Blocks+1 {
		t.Errorf("%d blocks, %v", report.Blocks, err)
	}
	if over := m.now.Sub(time.Time{}); over > 30*time.Second {
		t.Errorf("it took %v", over)
	}
	effort.Most = time.Second
	_, err = calibrated(t, &machine{variation: 0.01}, effort)
	if err == nil || !strings.Contains(err.Error(), "1 block measured in 1s, and 12 are needed") {
		t.Errorf("%v", err)
	}
}

// A block of which a trial failed is left out; what Drive refuses ends all.
func TestWhatFailsIsNoBlock(t *testing.T) {
	t.Parallel()
	effort := Quick()
	effort.Short, effort.Long = 100*time.Millisecond, 200*time.Millisecond
	report, err := calibrated(t, &machine{variation: 0.01, fails: 100}, effort)
	if err != nil || report.Blocks >= effort.Blocks || report.Blocks < leastBlocks {
		t.Errorf("%d blocks of %d, %v", report.Blocks, effort.Blocks, err)
	}
	refused := errors.New("refused")
	_, err = Run(t.Context(), Config{Stack: stack.Info{Calls: true, Serves: true}, Effort: effort, Now: time.Now,
		Drive: func(context.Context, driver.Config) (int, error) { return 0, refused }})
	if !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	if _, err = Run(t.Context(), Config{Effort: effort, Now: time.Now}); err == nil {
		t.Error("a stack without a server is taken")
	}
}
