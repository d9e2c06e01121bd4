package conform

import (
	"fmt"
	"math"
	"time"

	"rpcbench/internal/control"
)

const (
	constantPerSec = 100
	rateWindow     = time.Second
	poissonPerSec  = 400
	poissonWindow  = 2 * time.Second
)

// constantRate checks that as many calls are due as the rate says, whatever the number of slots.
func constantRate(s shape) func(r *rig) (string, error) {
	return func(r *rig) (string, error) {
		p, err := r.paced(s, openFor("constant", constantPerSec, rateWindow))
		if err != nil {
			return "", err
		}
		want := int64(constantPerSec * rateWindow.Seconds())
		if err := wantOutcome(p.done, "OK", want); err != nil {
			return "", err
		}
		if err := p.checkNotEarly(); err != nil {
			return "", err
		}
		if least := rateWindow - time.Second/constantPerSec; time.Duration(p.done.GetElapsedNs()) < least {
			return "", fmt.Errorf("the last call, due at %v, was done at %v", least, time.Duration(p.done.GetElapsedNs()))
		}
		return p.String(), nil
	}
}

// sigmas is how far a count may lie from its mean: one run in two million lies farther.
const sigmas = 5

// unevenLeast is the least of the chi-squared statistic of ten counts that random arrivals have; one run in ten thousand
// has less. Even arrivals stay below: they differ from their mean, 80, by one, and by what a busy machine makes late.
const unevenLeast = 0.7

// unevenOver is how long arrivals are counted for one of those counts.
const unevenOver = 190 * time.Millisecond // two intervals, which may be a little short

// poissonRate checks the number of random arrivals, and that they are random.
func poissonRate(s shape) func(r *rig) (string, error) {
	return func(r *rig) (string, error) {
		p, err := r.paced(s, openFor("poisson", poissonPerSec, poissonWindow))
		if err != nil {
			return "", err
		}
		mean := poissonPerSec * poissonWindow.Seconds()
		if off := math.Abs(float64(p.done.GetArrivals()) - mean); off > sigmas*math.Sqrt(mean) {
			return "", fmt.Errorf("%d arrivals, want %.0f ± %.0f", p.done.GetArrivals(), mean, sigmas*math.Sqrt(mean))
		}
		if err := wantOutcome(p.done, "OK", p.done.GetArrivals()); err != nil {
			return "", err
		}
		if uneven := p.unevenness(); uneven < unevenLeast {
			return "", fmt.Errorf("the arrivals are even, not random: chi-squared of their counts is %.2f", uneven)
		}
		return p.String(), nil
	}
}

// A paced phase is one with an open load, and its intervals.
type paced struct {
	begin     *control.Begin
	done      *control.Done
	intervals []*control.Interval
}

// paced warms up and runs a phase.
func (r *rig) paced(s shape, begin *control.Begin) (paced, error) {
	p := paced{begin: begin}
	client, server, err := r.both(unary(s))
	if err != nil {
		return p, err
	}
	if err := r.warm(client, server); err != nil {
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

// unevenness is Pearson's chi-squared of the counts.
func (p paced) unevenness() float64 {
	var sum, ok float64
	var start int64
	for _, i := range p.intervals {
		ok += float64(i.GetOk())
		length := time.Duration(i.GetEndNs() - start)
		if length < unevenOver {
			continue
		}
		mean := p.begin.GetLoad().GetPerSec() * length.Seconds()
		sum += (ok - mean) * (ok - mean) / mean
		ok, start = 0, i.GetEndNs()
	}
	return sum
}
