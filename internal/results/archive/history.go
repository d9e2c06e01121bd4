package archive

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// A Series is one metric of one point on one machine and branch, commit by commit.
type Series struct {
	Machine string   `json:"machine"`
	Branch  string   `json:"branch"`
	Point   string   `json:"point"`  // with its scenario: "echo: grpc-go unary …"
	Metric  string   `json:"metric"` // as CSV calls it
	Steps   []Step   `json:"steps"`  // the oldest first
	Changes []Change `json:"changes"`
}

// A Step is one commit.
type Step struct {
	Commit string    `json:"commit"`
	At     time.Time `json:"at"`
	Trials []float64 `json:"trials"`
	// Median, Lo and Hi summarize the trials; see analysis.Metric.Summarize. A value of analysis.NotServed is no time.
	Median float64  `json:"median"`
	Lo     float64  `json:"lo"`
	Hi     float64  `json:"hi"`
	Names  []string `json:"names"` // of the results files
}

// A Change is a change point of a series; see stat.ChangePoints.
type Change struct {
	At     int     `json:"at"` // the first step after it
	Commit string  `json:"commit"`
	Before float64 `json:"before"` // median of the medians since the change before
	After  float64 `json:"after"`  // up to the next one
	P      float64 `json:"p"`
	Worse  bool    `json:"worse"`
}

// A figure is a number, null in JSON where it is not finite, which JSON has no word for. It is read as NaN.
type figure float64

// MarshalJSON implements json.Marshaler.
func (f figure) MarshalJSON() ([]byte, error) {
	if v := float64(f); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *figure) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*f = figure(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(f))
}

// A stepJSON is a Step, and a changeJSON a Change, in JSON.
type (
	stepJSON struct {
		Commit string    `json:"commit"`
		At     time.Time `json:"at"`
		Trials []figure  `json:"trials"`
		Median figure    `json:"median"`
		Lo     figure    `json:"lo"`
		Hi     figure    `json:"hi"`
		Names  []string  `json:"names"`
	}
	changeJSON struct {
		At     int    `json:"at"`
		Commit string `json:"commit"`
		Before figure `json:"before"`
		After  figure `json:"after"`
		P      figure `json:"p"`
		Worse  bool   `json:"worse"`
	}
)

// MarshalJSON implements json.Marshaler.
func (s Step) MarshalJSON() ([]byte, error) {
	written := stepJSON{s.Commit, s.At, nil, figure(s.Median), figure(s.Lo), figure(s.Hi), s.Names}
	for _, trial := range s.Trials {
		written.Trials = append(written.Trials, figure(trial))
	}
	return json.Marshal(written)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Step) UnmarshalJSON(text []byte) error {
	var read stepJSON
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*s = Step{read.Commit, read.At, nil, float64(read.Median), float64(read.Lo), float64(read.Hi), read.Names}
	for _, trial := range read.Trials {
		s.Trials = append(s.Trials, float64(trial))
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (c Change) MarshalJSON() ([]byte, error) {
	return json.Marshal(changeJSON{c.At, c.Commit, figure(c.Before), figure(c.After), figure(c.P), c.Worse})
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Change) UnmarshalJSON(text []byte) error {
	var read changeJSON
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*c = Change{read.At, read.Commit, float64(read.Before), float64(read.After), float64(read.P), read.Worse}
	return nil
}

// HistoryMost is the maximum number of commits of a branch in a history: the newest ones.
const HistoryMost = 200

// History returns the series of a metric in the entries that a query selects, by point.
func (d *Dir) History(ctx context.Context, q Query, metric analysis.Metric) ([]Series, error) {
	done, err := d.refresh(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	entries, err := d.entries(q)
	if err != nil {
		return nil, err
	}
	figures, err := d.index.figures(q, string(metric))
	if err != nil {
		return nil, err
	}
	return seriesOf(entries, figures, metric), nil
}

// Metrics returns the metrics that an entry with a commit has, in the order of their declarations.
func (d *Dir) Metrics(ctx context.Context) ([]analysis.Metric, error) {
	done, err := d.refresh(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	names, err := d.index.metrics()
	return slices.DeleteFunc(analysis.Metrics(), func(m analysis.Metric) bool { return !slices.Contains(names, string(m)) }), err
}

// seriesOf puts figures together by machine, branch and point, and looks for changes. Entries are in order.
func seriesOf(entries []Entry, figures []keptFigure, metric analysis.Metric) []Series {
	type place struct{ machine, branch, point string }
	entries = withoutCopies(entries)
	byName := map[string]int{}
	for i, e := range entries {
		byName[e.Name] = i
	}
	slices.SortStableFunc(figures, func(a, b keptFigure) int { return byName[a.name] - byName[b.name] })
	found := map[place]*Series{}
	var all []*Series
	for _, f := range figures {
		at, ok := byName[f.name]
		if !ok {
			continue // it came after the entries were listed, or another one has its trials
		}
		e := entries[at]
		key := place{e.Machine, e.Branch, f.point}
		s := found[key]
		if s == nil {
			s = &Series{Machine: e.Machine, Branch: e.Branch, Point: f.point, Metric: string(metric), Changes: []Change{}}
			found[key], all = s, append(all, s)
		}
		s.add(e, f.trials)
	}
	slices.SortFunc(all, func(a, b *Series) int {
		return cmp.Or(cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.Branch, b.Branch), cmp.Compare(a.Point, b.Point))
	})
	series := make([]Series, len(all))
	for i, s := range all {
		s.finish(metric)
		series[i] = *s
	}
	return series
}

// add adds trials to the step of their commit. A commit that was measured several times is one step, where it was measured first.
func (s *Series) add(e Entry, trials []float64) {
	i := slices.IndexFunc(s.Steps, func(step Step) bool { return step.Commit == e.Commit })
	if i < 0 {
		i = len(s.Steps)
		s.Steps = append(s.Steps, Step{Commit: e.Commit, At: e.At()})
	}
	s.Steps[i].Trials = append(s.Steps[i].Trials, trials...)
	s.Steps[i].Names = append(s.Steps[i].Names, e.Name)
}

func (s *Series) finish(metric analysis.Metric) {
	s.Steps = s.Steps[max(len(s.Steps)-HistoryMost, 0):]
	medians := make([]float64, len(s.Steps))
	for i := range s.Steps {
		sum := metric.Judged().Summarize(s.Steps[i].Trials)
		s.Steps[i].Median, s.Steps[i].Lo, s.Steps[i].Hi = sum.Median, sum.Lo, sum.Hi
		medians[i] = sum.Median
	}
	middle := func(of []float64) float64 { return metric.Judged().Summarize(of).Median }
	points := stat.ChangePoints(medians)
	for i, p := range points {
		from, to := 0, len(medians)
		if i > 0 {
			from = points[i-1].At
		}
		if i+1 < len(points) {
			to = points[i+1].At
		}
		c := Change{At: p.At, Commit: s.Steps[p.At].Commit, P: p.P,
			Before: middle(medians[from:p.At]), After: middle(medians[p.At:to])}
		c.Worse = c.After != c.Before && c.After > c.Before == (metric.Declare().Kind.Better() == stat.Lower)
		s.Changes = append(s.Changes, c)
	}
}
