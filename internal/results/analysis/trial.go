package analysis

import (
	"fmt"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// A Trial is the evidence of one trial and the figures computed from it.
type Trial struct {
	*result.Trial
	Source   *Source
	OK       int64 // calls
	values   map[Metric]float64
	findings []Finding // the gravest first
	parts    []part    // of a load that changes
}

// Value returns a figure of this trial; false says that it is absent.
func (t *Trial) Value(m Metric) (float64, bool) {
	value, ok := t.values[m]
	return value, ok
}

// Operations counts those of a codec in the OK calls, 0 for other kinds.
func (t *Trial) Operations() int64 {
	if t.Codec == nil {
		return 0
	}
	return t.OK * t.Codec.Repeat
}

// OnJVM tells whether one of the sides ran on a Java virtual machine.
func (t *Trial) OnJVM() bool {
	return strings.HasPrefix(t.Client.Runtime, "java ") || strings.HasPrefix(t.Server.Runtime, "java ")
}

// A measurement is what figures are computed from. It is dropped afterwards: a decoded histogram takes some 200 kB.
type measurement struct {
	trial      *result.Trial
	spec       plan.Spec
	ok         int64
	histograms map[string]*hdrhistogram.Histogram
}

// measure computes all figures of a trial. Those of a failed one are what was known by then.
func measure(source *Source, trial *result.Trial) (*Trial, error) {
	m := &measurement{trial: trial, spec: trial.Spec, histograms: map[string]*hdrhistogram.Histogram{}}
	for name, encoded := range trial.Histograms {
		h, err := result.DecodeHistogram(encoded)
		if err != nil {
			return nil, fmt.Errorf("histogram %s: %w", name, err)
		}
		m.histograms[name] = h
	}
	for _, outcome := range trial.Outcomes {
		if outcome.Code == result.CodeOK {
			m.ok += outcome.Calls
		}
	}
	t := &Trial{Trial: trial, Source: source, OK: m.ok, values: map[Metric]float64{}}
	for _, d := range declarations {
		if m.spec.Coding() && !d.Has(OfCodecs) || m.spec.Closed() && d.Has(OpenLoads) {
			continue
		}
		if value, ok := d.of(m); ok {
			t.values[d.Metric] = value
		}
	}
	t.findings = judge(m, t)
	var err error
	if t.parts, err = partsOf(trial); err != nil {
		return nil, err
	}
	return t, nil
}
