package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
)

// A Row is one measured point of a scenario.
type Row struct {
	Key    Key
	Spec   plan.Spec // of its trials, as far as the key tells points apart; how long they were measured is that of one of them
	Source *Source   // the first of the joined files that it comes from
	Floor  *Row      // the row of the bare socket at the same point, the row itself if it is one; nil without
	// Protobuf is the row of protobuf that an encoding or decoding is set against, the row itself if it is one; nil
	// without.
	Protobuf *Row
	Single   *Row // the row with batches of 1 at the same point, the row itself if it is one; nil without
	// Alternate is the row of batches on one stream of each connection, one at a time, at the same point; nil without.
	Alternate *Row
	Near      *Row // the row without a link at the same point, the row itself if it is one; nil without
	Trials    []*Trial
	Failed    []*Trial
	Mixed     []*Row // of each call of a mix, in its order; none of a single call
	// Calls and Outcomes count over Trials; over Failed where no trial succeeded.
	Calls    int64
	Outcomes []result.Outcome // other than OK, by code

	summaries map[Metric]stat.Summary
	along     []Stretch
	course    course
}

// RowOf returns a row of at least one trial of a point, none of which failed. It belongs to no report and knows no other row.
func RowOf(trials []*Trial) *Row {
	r := &Row{Spec: trials[0].Spec, Source: trials[0].Source, Trials: slices.Clone(trials)}
	r.summarize()
	return r
}

// Elsewhere reports whether the server was not started by rpcbench, but ran already.
func (r *Row) Elsewhere() bool {
	return slices.ContainsFunc(slices.Concat(r.Trials, r.Failed), func(t *Trial) bool { return t.Spec.Target != "" })
}

// IsFloor reports whether the row is the floor of its point: the bare socket, planned as such. A bare socket that was requested
// where no floor was wanted is an ordinary stack.
func (r *Row) IsFloor() bool {
	return likeFloor(r.Spec) &&
		slices.ContainsFunc(slices.Concat(r.Trials, r.Failed), func(t *Trial) bool { return t.Floor })
}

func (r *Row) add(trial *Trial) {
	if trial.Status == result.StatusFailed {
		r.Failed = append(r.Failed, trial)
	} else {
		r.Trials = append(r.Trials, trial)
	}
	r.addMixed(trial)
}

// Judged is the number of trials that a Doubt of the row may be in.
func (r *Row) Judged() int { return len(r.counted()) }

// counted returns the trials that the row's counts are of: where none succeeded, the failed ones.
func (r *Row) counted() []*Trial {
	if len(r.Trials) == 0 {
		return r.Failed
	}
	return r.Trials
}

func (r *Row) summarize() {
	byStart := func(a, b *Trial) int {
		return cmp.Or(cmp.Compare(a.Repetition, b.Repetition), a.Started.Compare(b.Started))
	}
	slices.SortFunc(r.Trials, byStart)
	slices.SortFunc(r.Failed, byStart)
	r.countOutcomes()
	r.along = stretchesOf(r.Trials)
	r.course = courseOf(r.Trials)
	r.summaries = map[Metric]stat.Summary{}
	for _, d := range declarations {
		trials := r.Trials
		if d.Has(OfFailed) {
			trials = r.counted()
		}
		if sample := sample(trials, d.Metric); len(sample) > 0 {
			r.summaries[d.Metric] = d.Metric.Summarize(sample)
		}
	}
	for _, one := range r.Mixed {
		one.summarize()
		one.course = r.course // their verdicts are those of the trials
	}
}

func sample(trials []*Trial, m Metric) []float64 {
	var values []float64
	for _, trial := range trials {
		if value, ok := trial.Value(m); ok {
			values = append(values, value)
		}
	}
	return values
}

func (r *Row) countOutcomes() {
	byCode := map[string]*result.Outcome{}
	for _, trial := range r.counted() {
		r.Calls += trial.Arrivals
		for _, outcome := range trial.Outcomes {
			if outcome.Code == result.CodeOK || outcome.Calls == 0 {
				continue
			}
			sum, ok := byCode[outcome.Code]
			if !ok {
				sum = &result.Outcome{Code: outcome.Code}
				byCode[outcome.Code] = sum
			}
			sum.Calls += outcome.Calls
			sum.Example = cmp.Or(sum.Example, outcome.Example)
		}
	}
	for _, outcome := range byCode {
		r.Outcomes = append(r.Outcomes, *outcome)
	}
	slices.SortFunc(r.Outcomes, func(a, b result.Outcome) int { return cmp.Compare(a.Code, b.Code) })
}

// Summary returns a figure over the row's trials; false says that it is absent.
func (r *Row) Summary(m Metric) (stat.Summary, bool) {
	summary, ok := r.summaries[m]
	return summary, ok
}

// Errors counts the calls that were not OK.
func (r *Row) Errors() int64 {
	var sum int64
	for _, outcome := range r.Outcomes {
		sum += outcome.Calls
	}
	return sum
}

// Censored counts the calls that were never sent or answered, which are in the histograms of responses as lower bounds. Errors
// has them too.
func (r *Row) Censored() int64 {
	var sum int64
	for _, outcome := range r.Outcomes {
		if isCensored(outcome.Code) {
			sum += outcome.Calls
		}
	}
	return sum
}

func isCensored(code string) bool { return code == result.CodeUnsent || code == result.CodeUnfinished }

// FailedRatio is the part of all calls that was not OK.
func (r *Row) FailedRatio() float64 { return float64(r.Errors()) / float64(max(r.Calls, 1)) }

// ErrorsByCode returns "CODE=calls;…" sorted by code.
func (r *Row) ErrorsByCode() string {
	pairs := make([]string, len(r.Outcomes))
	for i, outcome := range r.Outcomes {
		pairs[i] = fmt.Sprintf("%s=%d", outcome.Code, outcome.Calls)
	}
	return strings.Join(pairs, ";")
}

// Spread says what Lo and Hi of the row's headline are, which some of its trials may lack; "" for a row without any trial.
func (r *Row) Spread() string {
	if s, ok := r.Summary(r.Headline()); ok {
		return s.Spread
	}
	if len(r.Trials) == 0 {
		return ""
	}
	return stat.SpreadOf(len(r.Trials))
}

// WireCountedAt returns which side counted the bytes on the wire: client, server, both joined by ";" if trials differ, or "" if
// neither did.
func (r *Row) WireCountedAt() string {
	var sides []string
	for _, trial := range r.Trials {
		if trial.WireCountedAt != "" && !slices.Contains(sides, trial.WireCountedAt) {
			sides = append(sides, trial.WireCountedAt)
		}
	}
	slices.Sort(sides)
	return strings.Join(sides, ";")
}

// Merged returns a histogram over all calls of all trials, for a picture of the distribution. No figure comes from it:
// a trial with more calls weighs more in it. It is nil where no trial has the histogram.
func (r *Row) Merged(histogram string) (*hdrhistogram.Histogram, error) {
	var merged *hdrhistogram.Histogram
	for _, trial := range r.Trials {
		encoded, ok := trial.Histograms[histogram]
		if !ok {
			continue
		}
		h, err := result.DecodeHistogram(encoded)
		if err != nil {
			return nil, err
		}
		if merged == nil {
			merged = h
		} else if dropped := merged.Merge(h); dropped > 0 {
			return nil, fmt.Errorf("%d samples of trial %s are outside the histogram's range", dropped, trial.ID)
		}
	}
	return merged, nil
}

// MixedLengths reports whether trials of one key were carried out for other lengths of time or numbers of calls.
func (r *Row) MixedLengths() bool {
	for _, trial := range r.Trials {
		a, b := r.Trials[0].Spec, trial.Spec
		if a.DurationNs != b.DurationNs || a.Calls != b.Calls || a.WarmupNs != b.WarmupNs ||
			a.WarmupMostNs != b.WarmupMostNs || a.CompilersMostNs != b.CompilersMostNs || a.DrainNs != b.DrainNs {
			return true
		}
	}
	return false
}
