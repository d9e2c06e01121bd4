package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// A Trial is the evidence of one trial and the figures computed from it.
type Trial struct {
	*result.Trial
	result.Record // of all clients together

	Client, Server result.Side // of all of their processes together

	Apart []*Trial // each client by itself, of several
	Whole *Trial   // that this is one client of, or one call of a mix; nil is itself
	// ByCall has each call of a mix by itself.
	ByCall []*Trial

	Source   *Source
	OK       int64 // calls
	values   map[Metric]float64
	samples  map[string]int64 // by histogram
	findings []Finding        // the gravest first
	parts    []part           // of a load that changes
}

// Value returns a figure of this trial; false says that it is absent.
func (t *Trial) Value(m Metric) (float64, bool) {
	value, ok := t.values[m]
	return value, ok
}

// Samples returns the number of samples of a percentile of this trial; 0 for other metrics.
func (t *Trial) Samples(m Metric) int64 { return t.samples[m.Declare().histogram] }

// whole is the trial itself, or that which it is a client of.
func (t *Trial) whole() *Trial {
	if t.Whole != nil {
		return t.Whole
	}
	return t
}

// Operations counts those of a codec in the OK calls, 0 for other kinds.
func (t *Trial) Operations() int64 {
	if t.Codec == nil {
		return 0
	}
	return t.OK * t.Codec.Repeat
}

// OnJVM reports whether one of the sides ran on a Java virtual machine.
func (t *Trial) OnJVM() bool {
	return strings.HasPrefix(t.Client.Runtime, "java ") || strings.HasPrefix(t.Server.Runtime, "java ")
}

// A measurement is the input of figures. It is dropped afterwards: a decoded histogram takes some 200 kB.
type measurement struct {
	trial      *Trial
	spec       plan.Spec
	ok         int64
	histograms map[string]*hdrhistogram.Histogram
	clients    []*measurement // of each client by itself; of one client it is this
	whole      *measurement   // that this is one client's part of; nil otherwise
}

// measure computes all figures of a trial, and judges them. A failed trial has those that were known by then.
func measure(source *Source, trial *result.Trial) (*Trial, error) {
	m, err := measureAll(source, trial)
	if err != nil {
		return nil, err
	}
	m.trial.findings = judged(m)
	if err := byCall(source, m); err != nil {
		return nil, err
	}
	for _, one := range m.clients {
		if one != m {
			one.trial.findings = judged(one)
			if err := byCall(source, one); err != nil {
				return nil, err
			}
			if one.trial.parts, err = partsOf(one.trial); err != nil {
				return nil, err
			}
		}
	}
	m.trial.parts, err = partsOf(m.trial)
	return m.trial, err
}

// measureAll computes the figures of all clients together, and of each by itself.
func measureAll(source *Source, trial *result.Trial) (*measurement, error) {
	m, err := figures(source, trial)
	if err != nil || len(trial.Clients) <= 1 {
		m.clients = []*measurement{m}
		return m, err
	}
	for i := range trial.Clients {
		own := *trial
		own.Clients, own.Spec = trial.Clients[i:i+1], trial.Spec.OfClient(i)
		own.Servers, own.Proxy, own.Relay = nil, nil, nil // which all clients share
		own.Hosts = slices.DeleteFunc(slices.Clone(trial.Hosts), func(use result.HostUse) bool {
			return use.Host != own.Clients[0].Host
		})
		one, err := figuresWithin(source, &own, m.trial)
		if err != nil {
			return nil, err
		}
		one.whole = m
		m.clients, m.trial.Apart = append(m.clients, one), append(m.trial.Apart, one.trial)
	}
	return m, nil
}

// figures computes those of a trial's clients together.
func figures(source *Source, trial *result.Trial) (*measurement, error) {
	return figuresWithin(source, trial, nil)
}

// figuresWithin computes those of a trial, or of one client within a whole one.
func figuresWithin(source *Source, trial *result.Trial, whole *Trial) (*measurement, error) {
	t := &Trial{Trial: trial, Source: source, Whole: whole, Server: sides(trial.Servers), values: map[Metric]float64{},
		samples: map[string]int64{}}
	m := &measurement{trial: t, spec: trial.Spec, histograms: map[string]*hdrhistogram.Histogram{}}
	var clients []result.Side
	for _, c := range trial.Clients {
		clients = append(clients, c.Side)
	}
	t.Client = sides(clients)
	var err error
	if t.Record, err = Together(trial.Clients); err != nil {
		return m, err
	}
	for name, encoded := range t.Histograms {
		h, err := result.DecodeHistogram(encoded)
		if err != nil {
			return m, fmt.Errorf("histogram %s: %w", name, err)
		}
		m.histograms[name], t.samples[name] = h, h.TotalCount()
	}
	t.samples[result.HistResponse] -= t.samples[result.HistBound] // calls without an answer are no samples
	for _, outcome := range t.Outcomes {
		if outcome.Code == result.CodeOK {
			m.ok += outcome.Calls
		}
	}
	t.OK = m.ok
	for _, d := range declarations {
		if m.spec.Coding() && !d.Has(OfCodecs) || m.spec.Closed() && d.Has(OpenLoads) {
			continue
		}
		if value, ok := d.of(m); ok {
			t.values[d.Metric] = value
		}
	}
	return m, nil
}
