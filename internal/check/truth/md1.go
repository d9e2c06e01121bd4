package truth

import (
	"math"
	"time"
)

// MD1 is the response-time quantile of one server with a fixed service time, in order of arrival, under Poisson arrivals.
// The load perSec·service must be below 1.
//
// The waiting time is by the argument of Franx ("A simple solution for the M/D/c waiting time distribution", Operations
// Research Letters 29, 2001), whose terms are all positive, unlike Erlang's of 1909, which cancel one another. To wait no
// longer than kD−y, where 0 < y ≤ D, is to find no more than k−1 before oneself of those that queued y earlier and those
// that came since: P(W ≤ kD−y) = Σ_{j<k} e^{−λy}(λy)^j/j! · P(queue ≤ k−1−j).
func MD1(perSec float64, service time.Duration, q float64) time.Duration {
	load := perSec * service.Seconds()
	queue := newQueue(load)
	below := func(x float64) float64 { // P(W ≤ x·D)
		k := int(math.Floor(x)) + 1
		y := float64(k) - x
		sum, term := 0.0, math.Exp(-load*y)
		for j := range k {
			sum += term * queue.atMost(k-1-j)
			term *= load * y / float64(j+1)
		}
		return sum
	}
	if below(0) >= q {
		return service
	}
	return service + seconds(solve(below, q)*service.Seconds())
}

// A queue is the stationary number of calls in an M/D/1 system of unit service time.
type queue struct {
	load    float64
	present []float64 // P(calls present = n)
	sums    []float64 // P(calls present ≤ n)
}

func newQueue(load float64) *queue {
	return &queue{load: load, present: []float64{1 - load}, sums: []float64{1 - load}}
}

// atMost is P(waiting ≤ n), those in service not counted.
func (s *queue) atMost(n int) float64 {
	for len(s.sums) <= n+1 {
		s.grow()
	}
	return s.sums[n+1]
}

// grow adds the next state. As often as the number present climbs over a level it falls back below it: with A, the
// arrivals in a service time, p[j+1]·P(A=0) = p[0]·P(A>j) + Σ_{1≤i≤j} p[i]·P(A>j−i+1).
func (s *queue) grow() {
	j := len(s.present) - 1
	up := s.present[0] * s.arrivalsAbove(j)
	for i := 1; i <= j; i++ {
		up += s.present[i] * s.arrivalsAbove(j-i+1)
	}
	next := up / math.Exp(-s.load)
	s.present = append(s.present, next)
	s.sums = append(s.sums, s.sums[j]+next)
}

// arrivalsAbove is P(A > n). It sums the tail, which is far smaller than the rounding error of 1 − P(A ≤ n).
func (s *queue) arrivalsAbove(n int) float64 {
	log, _ := math.Lgamma(float64(n + 2))
	term := math.Exp(float64(n+1)*math.Log(s.load) - s.load - log)
	sum := 0.0
	for k := n + 2; term > sum*1e-17; k++ {
		sum += term
		term *= s.load / float64(k)
	}
	return sum
}
