package truth

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Arrivals returns the due times of the first calls of worker.v1's Poisson load with a seed. TestArrivalsAreThoseOfTheLoadRoom
// compares them with the package load.
func Arrivals(perSec float64, seed uint64, calls int) []time.Duration {
	due := make([]time.Duration, calls)
	at := 0.0
	for i := range due {
		seed += 0x9E3779B97F4A7C15
		z := seed
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		z ^= z >> 31
		at += -math.Log(1-float64(z>>11)*0x1p-53) * float64(time.Second) / perSec
		due[i] = time.Duration(at)
	}
	return due
}

// Exponential returns service times with the given mean that are distributed as exponentially as their number allows: the
// quantiles (i+½)/calls of the distribution, in an order drawn from the seed.
func Exponential(mean time.Duration, seed uint64, calls int) []time.Duration {
	times := make([]time.Duration, calls)
	for i := range times {
		times[i] = time.Duration(-math.Log1p(-(float64(i)+0.5)/float64(calls)) * float64(mean))
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(calls, func(i, j int) { times[i], times[j] = times[j], times[i] })
	return times
}

// Responses returns the response times of calls to one server that takes them in order of arrival, by Lindley's
// recursion ("The theory of queues with a single server", 1952): a call begins when it comes or when the one before is
// done. Service times are taken from service again and again, beginning with that of index first.
func Responses(arrivals, service []time.Duration, first int) []time.Duration {
	responses := make([]time.Duration, len(arrivals))
	var free time.Duration
	for i, at := range arrivals {
		free = max(at, free) + service[(first+i)%len(service)]
		responses[i] = free - at
	}
	return responses
}

// ClosedResponses returns the response times of slots that call one server again as soon as they are answered: each is
// the sum of as many service times in a row as there are slots.
func ClosedResponses(slots int, service []time.Duration) []time.Duration {
	responses := make([]time.Duration, len(service))
	for i := range responses {
		for k := range slots {
			responses[i] += service[(i+k)%len(service)]
		}
	}
	return responses
}

// Quantile returns the value that the part q of values does not exceed. It sorts them.
func Quantile(values []time.Duration, q float64) time.Duration {
	slices.Sort(values)
	return values[max(int(math.Ceil(q*float64(len(values)))), 1)-1]
}
