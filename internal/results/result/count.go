package result

import (
	"errors"
	"fmt"
)

// codesMax is more than all codes that calls can end with.
const codesMax = 1000

// CheckCounts returns an error if a count or a time is negative, or if the outcomes do not add up to the arrivals. The worker's
// counts are then unreliable.
func (r *Record) CheckCounts() error {
	if len(r.Outcomes) > codesMax {
		return fmt.Errorf("it has calls of %d codes, more than %d", len(r.Outcomes), codesMax)
	}
	var sum int64
	for _, o := range r.Outcomes {
		sum += o.Calls
		if o.Calls < 0 || sum < 0 {
			return errors.New("its outcomes are not counts of calls")
		}
	}
	if sum != r.Arrivals {
		return fmt.Errorf("%d arrivals, but %d outcomes", r.Arrivals, sum)
	}
	counts := []int64{
		r.ElapsedNs, r.WindowNs, r.StoppedNs, r.MessagesOut, r.MessagesIn, r.PayloadOut, r.PayloadIn, r.Clamped, r.UnpairedReplies,
	}
	if t := r.Tail; t != nil {
		counts = append(counts, t.OK, t.MessagesOut, t.MessagesIn, t.PayloadOut, t.PayloadIn)
	}
	if b := r.Background; b != nil {
		counts = append(counts, b.OK, b.Errors)
	}
	for _, n := range counts {
		if n < 0 {
			return fmt.Errorf("%d is not a count of what its calls took", n)
		}
	}
	if err := r.checkMixed(); err != nil {
		return err
	}
	for _, i := range r.Intervals {
		if min(i.StartNs, i.EndNs, i.OK, i.Errors, i.InFlight) < 0 {
			return errors.New("an interval of it has a negative count")
		}
	}
	return nil
}

// checkMixed returns an error if the calls of a mix do not add up to the whole.
func (r *Record) checkMixed() error {
	if len(r.Mixed) == 0 {
		return nil
	}
	var sum Record
	for i := range r.Mixed {
		one := &r.Mixed[i]
		if len(one.Mixed) > 0 {
			return errors.New("a call of its mix is a mix")
		}
		if err := one.CheckCounts(); err != nil {
			return fmt.Errorf("call %d of its mix: %w", i+1, err)
		}
		sum.Arrivals += one.Arrivals
		sum.MessagesOut += one.MessagesOut
		sum.MessagesIn += one.MessagesIn
		sum.PayloadOut += one.PayloadOut
		sum.PayloadIn += one.PayloadIn
	}
	if sum.Arrivals != r.Arrivals || sum.MessagesOut != r.MessagesOut || sum.MessagesIn != r.MessagesIn ||
		sum.PayloadOut != r.PayloadOut || sum.PayloadIn != r.PayloadIn {
		return errors.New("the calls of its mix do not add up to all of its calls")
	}
	return nil
}

// frequencyMost and joulesMost are beyond what any machine has: a THz, and a day of ten megawatts.
const (
	frequencyMost = 1e6
	joulesMost    = 1e12
)

// checkHosts returns an error if a figure of a host can be none: medians and products of any would overflow.
func checkHosts(uses []HostUse) error {
	for _, u := range uses {
		for _, f := range []struct {
			name  string
			value *float64
			most  float64
		}{{"frequency_mhz", u.FrequencyMHz, frequencyMost}, {"energy_joules", u.EnergyJoules, joulesMost}} {
			if f.value != nil && !(*f.value >= 0 && *f.value <= f.most) { // nor NaN
				return fmt.Errorf("%s: %v is not between 0 and %v", f.name, *f.value, f.most)
			}
		}
	}
	return nil
}
