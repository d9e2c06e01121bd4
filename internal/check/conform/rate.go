package conform

import (
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/check/truth"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

const (
	constantPerSec = 100
	rateWindow     = time.Second
	poissonPerSec  = 400
	poissonWindow  = 500 * time.Millisecond
	poissonPhases  = 4 // each with a seed of its own
)

// constantRate checks that the number of due calls follows from the rate, whatever the number of slots.
func constantRate(s shape) func(r *rig) (string, error) {
	return func(r *rig) (string, error) { return r.keepsRate(s, constantPerSec, rateWindow) }
}

func (r *rig) keepsRate(s shape, perSec float64, window time.Duration) (string, error) {
	p, err := r.paced(s, openFor(control.LoadConstant, perSec, window))
	if err != nil {
		return "", err
	}
	want := int64(perSec * window.Seconds())
	if err := wantOutcome(p.done, "OK", want); err != nil {
		return "", err
	}
	if err := p.checkNotEarly(); err != nil {
		return "", err
	}
	least := window - time.Duration(float64(time.Second)/perSec)
	if time.Duration(p.done.GetElapsedNs()) < least {
		return "", fmt.Errorf("the last call, due at %v, was done at %v", least, time.Duration(p.done.GetElapsedNs()))
	}
	if time.Duration(p.done.GetWindowNs()) != window {
		return "", fmt.Errorf("done.window_ns is %d, and calls were due for %v", p.done.GetWindowNs(), window)
	}
	return p.String(), nil
}

// poissonRate checks that the number of random arrivals follows worker.v1's sequence of the seed. That depends on the schedule
// alone, so a busy machine can neither hide evenly spaced arrivals nor make random ones seem even.
func poissonRate(s shape) func(r *rig) (string, error) {
	return func(r *rig) (string, error) {
		client, _, err := r.tried(unary(s))
		if err != nil {
			return "", err
		}
		var counts []int
		for n := range uint64(poissonPhases) {
			begin := openFor(control.LoadPoisson, poissonPerSec, poissonWindow)
			begin.Load.Seed += n
			want := poissonDue(begin)
			done, err := r.phase(client, begin)
			if err != nil {
				return "", err
			}
			if err := wantOutcome(done, "OK", int64(want)); err != nil {
				return "", fmt.Errorf("with the seed %d: %w", begin.GetLoad().GetSeed(), err)
			}
			counts = append(counts, want)
		}
		return fmt.Sprintf("%v arrivals in windows of %v at %d/s", counts, poissonWindow, poissonPerSec), nil
	}
}

// poissonDue counts the random arrivals in the window of a Begin.
func poissonDue(begin *control.Begin) int {
	window := time.Duration(begin.GetDurationNs())
	perSec := begin.GetLoad().GetPerSec()
	due := truth.Arrivals(perSec, begin.GetLoad().GetSeed(), int(2*perSec*window.Seconds()))
	n, _ := slices.BinarySearch(due, window)
	return n
}

// maxSendLateness is far above what an idle machine needs: a call is sent about ten microseconds after it was due.
const maxSendLateness = time.Millisecond

// sendsLate measures how late nine of ten calls of an open load are sent.
func sendsLate(r *rig) (lateness, error) {
	client, _, err := r.warmed(unary(shape{1, 4}))
	if err != nil {
		return lateness{}, err
	}
	done, err := r.phase(client, openFor(control.LoadConstant, constantPerSec, rateWindow))
	if err != nil {
		return lateness{}, err
	}
	h, err := decodeAll(done)
	if err != nil {
		return lateness{}, err
	}
	return lateness{time.Duration(record.Quantile(h["wake"], 0.9)), "the p90 of sends"}, nil
}

// A paced phase is one with an open load, and its intervals.
type paced struct {
	begin     *control.Begin
	done      *control.Done
	intervals []*control.Interval
}

// paced runs a phase of a client that is not new to calling.
func (r *rig) paced(s shape, begin *control.Begin) (paced, error) {
	p := paced{begin: begin}
	client, _, err := r.tried(unary(s))
	if err != nil {
		return p, err
	}
	p.done, err = r.watched(client, begin, func(i *control.Interval) { p.intervals = append(p.intervals, i) })
	return p, err
}

// String says how well the rate was kept.
func (p paced) String() string {
	got := float64(p.done.GetArrivals()) / time.Duration(p.begin.GetDurationNs()).Seconds()
	return fmt.Sprintf("%.1f/s of %.0f/s", got, p.begin.GetLoad().GetPerSec())
}

// checkNotEarly checks that at no time more calls are done than were due, of which the first was due at once.
func (p paced) checkNotEarly() error {
	var done int64
	for _, i := range p.intervals {
		done += i.GetOk()
		due := p.begin.GetLoad().GetPerSec()*time.Duration(i.GetEndNs()).Seconds() + 1
		if float64(done) > due {
			return fmt.Errorf("%d calls were done %v after the begin, where %.0f were due",
				done, time.Duration(i.GetEndNs()).Round(time.Millisecond), due)
		}
	}
	return nil
}
