package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rpcbench/internal/results/jmh"
)

// FromJMH makes a side of a results file of JMH. A value is the mean of a fork, because iterations share a process; of a
// benchmark with one fork it is an iteration, which a note says. The sample mode keeps no iterations but histograms, whose
// means are taken.
func FromJMH(file *jmh.File) Set {
	set := Set{Name: file.Name}
	for _, b := range file.Benchmarks {
		values := forkMeans(b.Primary)
		if len(values) == 1 && len(b.Primary.RawData) == 1 {
			values = numbers(b.Primary.RawData[0])
			set.notef("In %s, benchmarks have one fork. Their values are iterations of one process, which differ "+
				"less than processes do.",
				file.Name)
		}
		if len(values) == 0 {
			set.notef("In %s, %s has no values.", file.Name, b.Name)
			continue
		}
		set.Figures = append(set.Figures, Figure{Point: pointOfJMH(b), Metric: b.Primary.Unit, Better: betterIn(b.Primary.Unit),
			Values: values})
	}
	return set
}

func (s *Set) notef(format string, args ...any) {
	s.noteOnce(fmt.Sprintf(format, args...), "")
}

// pointOfJMH is "Class.method k=v mode".
func pointOfJMH(b jmh.Benchmark) string {
	parts := strings.Split(b.Name, ".")
	words := []string{strings.Join(parts[max(len(parts)-2, 0):], ".")}
	for _, name := range slices.Sorted(maps.Keys(b.Params)) {
		words = append(words, name+"="+b.Params[name])
	}
	return strings.Join(append(words, b.Mode), " ")
}

// forkMeans are the means of forks that have one: JMH writes NaN where it knows nothing.
func forkMeans(m jmh.Metric) []float64 {
	var means []float64
	for _, fork := range m.RawData {
		means = append(means, mean(numbers(fork)))
	}
	for _, fork := range m.RawDataHistogram {
		var sum, n float64
		for _, iteration := range fork {
			for _, bar := range iteration {
				if jmh.IsOfSamples(bar) {
					sum, n = sum+float64(bar[0]*bar[1]), n+float64(bar[1])
				}
			}
		}
		means = append(means, sum/n)
	}
	return slices.DeleteFunc(means, func(mean float64) bool { return !jmh.Number(mean).Known() })
}

// numbers omits values that are not numbers.
func numbers(raw []jmh.Number) []float64 {
	var values []float64
	for _, n := range raw {
		if n.Known() {
			values = append(values, float64(n))
		}
	}
	return values
}

// mean is NaN of no values.
func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
