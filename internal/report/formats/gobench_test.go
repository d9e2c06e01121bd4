package formats

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/result"
)

// TestGoBenchFollowsTheFormat checks the lines by golang.org/design/14313-benchmark-format: configuration, a unit's
// metadata, or a name, a count and pairs of value and unit; other lines are passed over by readers.
func TestGoBenchFollowsTheFormat(t *testing.T) {
	t.Parallel()
	config := regexp.MustCompile(`^[a-z][^\sA-Z]*: \S.*$`)
	unit := regexp.MustCompile(`^Unit \S+ better=higher$`)
	name := regexp.MustCompile(`^Benchmark[A-Z][^\s/]*(/[a-z_]+=[^\s/]+)+-2$`)
	lines := map[string]int{}
	for line := range strings.Lines(string(printed(t, GoBench, reporttest.Quick(t)))) {
		line = strings.TrimSuffix(line, "\n")
		fields := strings.Fields(line)
		switch {
		case config.MatchString(line), unit.MatchString(line), strings.HasPrefix(line, "--- FAIL: Benchmark"),
			strings.HasPrefix(line, "# Benchmark"):
			continue
		case !name.MatchString(fields[0]) || len(fields) < 4 || len(fields)%2 != 0:
			t.Errorf("no benchmark line: %s", line)
			continue
		}
		lines[fields[0]]++
		if n, err := strconv.Atoi(fields[1]); err != nil || n <= 0 {
			t.Errorf("%q iterations", fields[1])
		}
		units := map[string]bool{}
		for i := 2; i < len(fields); i += 2 {
			if _, err := strconv.ParseFloat(fields[i], 64); err != nil || units[fields[i+1]] {
				t.Errorf("the pair %q %q is bad or there twice in %s", fields[i], fields[i+1], line)
			}
			units[fields[i+1]] = true
		}
		if !units["ns/op"] || !units["p50-ns"] || !units["client-cpu-ns/op"] || !units["wire-out-B/op"] {
			t.Errorf("a unit is missing in %s", line)
		}
	}
	trials := 0
	for _, n := range lines {
		trials += n
	}
	// 22 rows of 3 trials; one row failed altogether and another one once.
	if len(lines) != 21 || trials != 62 {
		t.Errorf("%d names and %d lines, want 21 and 62", len(lines), trials)
	}
}

func TestGoBenchReckonsElapsedTimeByCall(t *testing.T) {
	t.Parallel()
	text := string(printed(t, GoBench, reporttest.Quick(t)))
	// 100 first calls in 500 ms; the floor's median of 151 µs is 3% less in the first repetition.
	want := "BenchmarkQuick/stack=tcp/kind=first_call/request_bytes=0/response_bytes=0/connections=1/in_flight=1-2" +
		"\t100\t5000000.0 ns/op\t59.17 allocs/op\t146559 p50-ns"
	if !strings.Contains(text, want) {
		t.Errorf("no line begins with %s", want)
	}
}

// A doubt is in so many of the trials that it was looked for in: those that succeeded or, where none did, those that failed.
func TestGoBenchCountsTheTrialsThatWereJudged(t *testing.T) {
	t.Parallel()
	comments := func(change func(*result.Trial)) (comments []string) {
		for line := range strings.Lines(string(printed(t, GoBench, reporttest.Echo(t, 3, change)))) {
			if _, doubt, ok := strings.Cut(line, "in_flight=1: "); ok {
				comments = append(comments, strings.TrimSuffix(doubt, "\n"))
			}
		}
		return comments
	}
	some := comments(func(trial *result.Trial) {
		if trial.Repetition == 1 {
			reporttest.Fail(trial)
			return
		}
		trial.Clients[0].Outcomes = append(trial.Clients[0].Outcomes, result.Outcome{Code: "UNAVAILABLE", Calls: 1})
		trial.Clients[0].Arrivals++
	})
	if len(some) == 0 || !strings.HasPrefix(some[0], "ERRORS in 2 of 2 trials: ") {
		t.Errorf("one of three failed: %q", some)
	}
	all := comments(func(trial *result.Trial) {
		reporttest.Fail(trial)
		trial.Failure = "client 1 of 2:\nthe worker ended"
		trial.FailureCode = result.FailureClientLost
	})
	if diff := cmp.Diff([]string{"LOST_CLIENT in 3 of 3 trials: client 1 of 2: the worker ended"}, all); diff != "" {
		t.Error(diff)
	}
}
