package analysis

import (
	"cmp"
	"math"
	"slices"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/worker/record"
)

// maxStretches limits the stretches of a row.
const maxStretches = plan.WindowsKept

// A Stretch is a part of a load that changes, so that a reader sees at which load latency went up: each step of a schedule
// where there are few enough, else neighbors together, or a part of a line. Calls belong to the stretch in which they
// ended. Its figures are of each trial by itself, and then summed up over trials.
type Stretch struct {
	FromNs        stat.Summary // since the measured phase began
	ToNs          stat.Summary
	Load          stat.Summary // the schedule's mean: calls a second of an open load, calls in flight of a closed one
	CallsPerSec   stat.Summary // OK ones
	ResponseP50Ns stat.Summary // this and the next two are of no trial (N is 0) where no call ended
	ResponseP99Ns stat.Summary
	ResponseMaxNs stat.Summary
	Calls         stat.Summary // those that the times are of
	Errors        int64        // calls that were not OK, in all trials
}

// Along returns the stretches of a row whose load changes; none for other rows, or if all was too short to be divided.
func (r *Row) Along() []Stretch { return r.along }

// A part is a stretch of one trial.
type part struct {
	from, to   time.Duration
	due        time.Duration // until when calls were due in it: to, but for calls that only ended
	step       int           // -1 where no step tells
	load       float64
	ok, errors int64
	responses  record.Quantiles
}

// partsOf takes a trial whose load changes apart by its windows.
func partsOf(t *Trial) ([]part, error) {
	if t.Spec.Schedule == nil {
		return nil, nil
	}
	windows, err := stretched(t)
	if err != nil || len(windows) == 0 {
		return nil, err
	}
	rest := lengthen(t, &windows[len(windows)-1])
	if len(windows)+len(rest) < 2 {
		return nil, nil
	}
	parts := make([]part, len(windows))
	for i, w := range windows {
		due := w
		if until := time.Duration(t.dueNs()); until > 0 {
			due.End = max(w.Start, min(w.End, until))
		}
		parts[i] = part{from: w.Start, to: w.End, due: due.End, step: stepOf(t.Spec, due), load: loadIn(t, w),
			responses: record.QuantilesOf(w.Response)}
		for _, interval := range t.Intervals {
			middle := time.Duration(interval.StartNs+interval.EndNs) / 2
			if w.Start <= middle && middle < w.End {
				parts[i].ok += interval.OK
				parts[i].errors += interval.Errors
			}
		}
	}
	return slices.Concat(parts, rest), nil
}

// lengthen has the last window last as long as its part of the schedule, and returns the parts behind it: an open load is over
// with its last call, though fewer calls were to come, or none.
func lengthen(t *Trial, last *record.Window) (rest []part) {
	due, s := time.Duration(t.dueNs()), t.Spec.Schedule
	step := stepOf(t.Spec, *last)
	if t.Spec.Closed() || step < 0 {
		last.End = max(last.End, due)
		return nil
	}
	for i := step; i < len(s.Stages); i++ {
		from, to := bounds(s, i)
		if to = min(to, due); i == len(s.Stages)-1 {
			to = due // its value goes on
		}
		if i == step {
			last.End = max(last.End, to)
		} else if from = max(from, last.End); from < to {
			rest = append(rest, part{from: from, to: to, due: to, step: i, load: s.Mean(from, to)})
		}
	}
	return rest
}

// loadIn returns the mean of the schedule in a window, as far as calls are made in it. A window that matches a step except for a
// moment, because it started late, has the step's value.
func loadIn(t *Trial, w record.Window) float64 {
	s := t.Spec
	start, end, duration := w.Start, w.End, time.Duration(t.dueNs())
	if start < duration {
		end = min(end, duration)
	}
	if step := stepOf(s, w); step >= 0 {
		from, to := bounds(s.Schedule, step)
		if to = min(to, duration); step == len(s.Schedule.Stages)-1 {
			to = duration // its value goes on
		}
		if moment := (to - from) / 10; (start-from).Abs() <= moment && (end-to).Abs() <= moment {
			start, end = from, to
		}
	}
	return s.Schedule.Mean(start, end)
}

// stretched returns a trial's windows: those of one step merged, and neighbors where there are too many.
func stretched(t *Trial) ([]record.Window, error) {
	all := parting{width: 1}
	for next, err := range Windows(t.Clients) {
		if err != nil {
			return nil, err
		}
		all.add(next, stepOf(t.Spec, next), drains(t, next))
	}
	if len(all.kept) == 0 {
		return alone(t)
	}
	return all.kept, nil
}

// alone returns the phase as its only window, of which a worker keeps none: that of an open load whose calls were over within the
// first of several stages.
func alone(t *Trial) ([]record.Window, error) {
	if t.Spec.Closed() || len(t.Spec.Schedule.Stages) < 2 {
		return nil, nil
	}
	_, first := bounds(t.Spec.Schedule, 0)
	end := int64(0)
	var whole []result.Window
	for _, c := range t.Clients {
		end = max(end, c.ElapsedNs)
		if response := c.Histograms[result.HistResponse]; response != "" {
			whole = append(whole, result.Window{Response: response})
		}
	}
	if len(whole) == 0 || time.Duration(end) > first {
		return nil, nil
	}
	sum, err := mergedOf(whole)
	return []record.Window{{End: time.Duration(end), Response: sum}}, err
}

// A parting merges windows as they come: decoded, an hour of seconds takes a gigabyte.
type parting struct {
	kept  []record.Window
	step  int // of the last window
	width int // windows that are merged into a kept one, where no step tells
	last  int // of them, in the last one
}

func (p *parting) add(w record.Window, step int, drains bool) {
	full := step < 0 && p.last == p.width || step >= 0 && step != p.step
	if len(p.kept) > 0 && (drains || !full) {
		join(&p.kept[len(p.kept)-1], w)
	} else {
		p.kept = append(p.kept, w)
		p.last = 0
	}
	if !drains {
		p.last++
	}
	p.step = step
	if len(p.kept) > maxStretches {
		p.kept = paired(p.kept)
		p.width *= 2
	}
}

// stepOf is the number of the stage in which a window lies, or -1 where stages are too many, or one.
func stepOf(s plan.Spec, w record.Window) int {
	stages := len(s.Schedule.Stages)
	if stages < 2 || stages > maxStretches {
		return -1
	}
	for i := range stages {
		if _, end := bounds(s.Schedule, i); (w.Start+w.End)/2 < end {
			return i
		}
	}
	return stages - 1
}

// bounds returns when a stage begins and ends.
func bounds(s *plan.Schedule, stage int) (start, end time.Duration) {
	for i := range stage + 1 {
		start, end = end, end+time.Duration(s.Stages[i].LengthNs)
	}
	return start, end
}

// drains reports whether a window contains only calls that ended after the last call was made.
func drains(t *Trial, w record.Window) bool { return int64(w.Start) >= t.dueNs()-intervalSlackNs }

// paired merges each window with its neighbor.
func paired(windows []record.Window) []record.Window {
	var pairs []record.Window
	for i, w := range windows {
		if i%2 == 0 {
			pairs = append(pairs, w)
		} else {
			join(&pairs[len(pairs)-1], w)
		}
	}
	return pairs
}

func join(w *record.Window, next record.Window) {
	w.End = next.End
	w.Response.Merge(next.Response)
}

// stretchesOf sums up the parts of trials that are alike, each over those trials that have it. Where trials were divided in
// different ways, as one that was stopped has shorter parts, those are kept that most trials have, and what overlaps them is left
// out.
func stretchesOf(trials []*Trial) []Stretch {
	var groups, kept [][]part
	for _, t := range trials {
		for _, p := range t.parts {
			i := slices.IndexFunc(groups, func(g []part) bool { return g[0].isLike(p) })
			if i < 0 {
				i, groups = len(groups), append(groups, nil)
			}
			groups[i] = append(groups[i], p)
		}
	}
	slices.SortStableFunc(groups, func(a, b []part) int { return len(b) - len(a) })
	for _, g := range groups {
		if !slices.ContainsFunc(kept, func(k []part) bool { return k[0].overlaps(g[0]) }) {
			kept = append(kept, g)
		}
	}
	slices.SortFunc(kept, func(a, b []part) int { return cmp.Compare(a[0].from, b[0].from) })
	var stretches []Stretch
	for _, parts := range kept {
		stretches = append(stretches, stretchOf(parts))
	}
	return stretches
}

// isLike reports whether parts of two trials are of one load: both begin at about the same time, and end then too or are of one
// step, in which one was stopped.
func (p part) isLike(other part) bool {
	const moment = 4 // of the longer one
	apart := max(p.due-p.from, other.due-other.from) / moment
	oneStep := p.step >= 0 && p.step == other.step && math.Abs(p.load-other.load) <= p.load/100
	return (p.from-other.from).Abs() <= apart && (oneStep || (p.due-other.due).Abs() <= apart)
}

// overlaps reports whether the middle of one part lies in the other: parts end a moment late.
func (p part) overlaps(other part) bool {
	has := func(p, other part) bool {
		middle := (other.from + other.due) / 2
		return p.from <= middle && middle < p.due
	}
	return has(p, other) || has(other, p)
}

func stretchOf(parts []part) Stretch {
	s := Stretch{
		FromNs: over(parts, func(p part) float64 { return float64(p.from) }),
		ToNs:   over(parts, func(p part) float64 { return float64(p.to) }),
		Load:   over(parts, func(p part) float64 { return p.load }),
		CallsPerSec: over(parts, func(p part) float64 {
			return float64(p.ok) / max(p.to-p.from, 1).Seconds()
		}),
	}
	for _, p := range parts {
		s.Errors += p.errors
	}
	if some := answered(parts); len(some) > 0 {
		s.ResponseP50Ns = over(some, func(p part) float64 { return float64(p.responses.P50) })
		s.ResponseP99Ns = over(some, func(p part) float64 { return float64(p.responses.P99) })
		s.ResponseMaxNs = over(some, func(p part) float64 { return float64(p.responses.Max) })
		s.Calls = over(some, func(p part) float64 { return float64(p.responses.Calls) })
	}
	return s
}

func over(parts []part, of func(part) float64) stat.Summary {
	values := make([]float64, len(parts))
	for i, p := range parts {
		values[i] = of(p)
	}
	return stat.Summarize(values)
}

// answered are the parts in which a call ended that has a response.
func answered(parts []part) []part {
	var some []part
	for _, p := range parts {
		if p.responses.Calls > 0 {
			some = append(some, p)
		}
	}
	return some
}
