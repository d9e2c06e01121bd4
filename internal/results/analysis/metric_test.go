package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// unitWords are how columns spell units.
var unitWords = map[number.Unit]string{number.Nanoseconds: "ns", number.Bytes: "bytes", number.Joules: "joules"}

func TestAColumnHasTheUnitThatItsMetricDeclares(t *testing.T) {
	t.Parallel()
	for _, d := range analysis.Declarations() {
		words := strings.Split(string(d.Metric), "_")
		for unit, word := range unitWords {
			if slices.Contains(words, word) != (d.Kind.Unit() == unit) {
				t.Errorf("%s is declared in %q", d.Metric, d.Kind.Unit())
			}
		}
		bare := slices.DeleteFunc(words, func(word string) bool { return word == unitWords[d.Kind.Unit()] })
		if want := strings.Join(bare, "_"); d.Name != want && d.Metric != analysis.NsPerOperation {
			t.Errorf("%s is called %s, want %s", d.Metric, d.Name, want)
		}
	}
}

func TestAMetricIsFoundByItsNameWithAndWithoutItsUnit(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, d := range analysis.Declarations() {
		if seen[d.Name] || seen[string(d.Metric)] {
			t.Errorf("two metrics are called %s or %s", d.Name, d.Metric)
		}
		seen[d.Name], seen[string(d.Metric)] = true, true
		for _, name := range []string{d.Name, string(d.Metric)} {
			if found, ok := analysis.Find(name); !ok || found != d.Metric {
				t.Errorf("%s is found as %q", name, found)
			}
		}
		if d.Metric.Declare().Name != d.Name {
			t.Errorf("%s declares what %s is", d.Metric, d.Metric.Declare().Name)
		}
	}
	if found, ok := analysis.Find("response"); ok {
		t.Errorf("response is found as %s", found)
	}
}

func TestMoreIsBetterOfThroughputAndFrequencyOnly(t *testing.T) {
	t.Parallel()
	var more []analysis.Metric
	for _, d := range analysis.Declarations() {
		if d.Kind.Better() == stat.Higher {
			more = append(more, d.Metric)
		}
	}
	slices.Sort(more)
	want := []analysis.Metric{analysis.CallsPerSec, analysis.HostFrequencyMHz, analysis.MessagesPerSec, analysis.OperationMBPerSec,
		analysis.OperationPlainMBPerSec,
		analysis.OperationsPerSec, analysis.PayloadMBPerSec}
	if !slices.Equal(more, want) {
		t.Errorf("higher is better of %v, want %v", more, want)
	}
}

func TestWhatAManualSaysIsDeclared(t *testing.T) {
	t.Parallel()
	for _, d := range analysis.Declarations() {
		if inCSV := d.Has(analysis.InCSV); inCSV != (d.Absent != "") || d.Has(analysis.Spread) && !inCSV {
			t.Errorf("%s: a column says where it is empty, and nothing else does; only columns have a spread", d.Metric)
		}
	}
}
