package selftest

import (
	"errors"
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/check/kernelclock"
	"rpcbench/internal/check/truth"
	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/record"
)

// evidence is the report of a trial's client.
type evidence struct {
	result.Record

	histograms map[string]*hdrhistogram.Histogram
	kernel     []kernelclock.Time // of the measured calls, where the check has them
}

// readEvidence decodes a trial's histograms. A trial that failed because all calls did has evidence as others have.
func readEvidence(trial result.Trial) (*evidence, error) {
	if len(trial.Clients) == 0 || trial.Clients[0].Arrivals == 0 {
		if trial.Failure != "" {
			return nil, errors.New(trial.Failure)
		}
		return nil, errors.New("no call was made")
	}
	e := &evidence{trial.Clients[0].Record, map[string]*hdrhistogram.Histogram{}, nil}
	for name, encoded := range e.Histograms {
		h, err := result.DecodeHistogram(encoded)
		if err != nil {
			return nil, fmt.Errorf("histogram %s: %w", name, err)
		}
		e.histograms[name] = h
	}
	return e, nil
}

// histogram returns an empty one where the trial has none: nothing was recorded then.
func (e *evidence) histogram(name string) *hdrhistogram.Histogram {
	if h := e.histograms[name]; h != nil {
		return h
	}
	return record.NewHistogram()
}

// calls returns how many ended with a code.
func (e *evidence) calls(code string) float64 {
	var n int64
	for _, o := range e.Outcomes {
		if o.Code == code {
			n += o.Calls
		}
	}
	return float64(n)
}

// quantile is a figure of a histogram with one truth.
func quantile(histogram string, q float64, tolerance float64, want time.Duration) figure {
	return figure{
		name: fmt.Sprintf("%s p%g", histogram, 100*q), unit: Nanoseconds, tolerance: tolerance,
		travels: histogram == result.HistResponse,
		truth:   func(*evidence) truth.Range { return truth.Exactly(float64(want)) },
		read:    func(e *evidence) float64 { return float64(record.Quantile(e.histogram(histogram), q)) },
	}
}

// medianAndTail are the two figures of a queue.
func medianAndTail(calls int64, want func(q float64) time.Duration) []figure {
	return []figure{
		quantile(result.HistResponse, .5, medianTolerance, want(.5)),
		quantile(result.HistResponse, tail(calls), tailTolerance, want(tail(calls))),
	}
}

// callsOver is the number of calls that take longer than a time.
func callsOver(felt time.Duration, tolerance float64, want func(e *evidence) truth.Range) figure {
	return figure{
		name: fmt.Sprintf("calls over %v", felt), unit: Calls, tolerance: tolerance, truth: want,
		read: func(e *evidence) float64 { return float64(record.CountAbove(e.histogram(result.HistResponse), felt)) },
	}
}

// outcome is the number of calls, out of each group of every, that end with a code.
func outcome(code string, every int64) figure {
	return figure{
		name: code, unit: Calls,
		truth: func(e *evidence) truth.Range { return truth.Exactly(float64(e.Arrivals / every)) },
		read:  func(e *evidence) float64 { return e.calls(code) },
	}
}
