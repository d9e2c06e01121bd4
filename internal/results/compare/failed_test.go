package compare_test

import (
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
)

// withFailed is a report of ten trials of one row, of which so many failed. The others are alike.
func withFailed(t *testing.T, name string, failed int) compare.Set {
	t.Helper()
	r := reportOf(t, 0)
	row := r.Rows[0]
	one := row.Trials[0]
	row.Trials, row.Failed = slices.Repeat(row.Trials[:1], 10-failed), nil
	for range failed {
		bad := *one
		bad.Status, bad.Failure = result.StatusFailed, "the server ended"
		row.Failed = append(row.Failed, &bad)
	}
	return compare.FromReport(name, r, compare.Selection{Metrics: []analysis.Metric{analysis.ResponseP50Ns}})
}

// A crash keeps no limit: trials that failed are not compared, and those that are compared say nothing of them.
func TestFailedTrialsKeepNoLimit(t *testing.T) {
	t.Parallel()
	limit, err := compare.ParseLimit("response_p50>+5%")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before, after int
		want          []compare.Outcome
	}{
		{0, 0, nil},
		{2, 2, nil},
		{4, 2, nil},
		{0, 2, []compare.Outcome{compare.Open}},
		{2, 4, []compare.Outcome{compare.Open}},
	} {
		found, err := limit.Check(compared(t, withFailed(t, "old", c.before), withFailed(t, "new", c.after)))
		var got []compare.Outcome
		for _, f := range found {
			got = append(got, f.Outcome)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%d failed before, %d after: %v, %v; want %v", c.before, c.after, got, err, c.want)
		}
	}
}

func TestFailedTrialsAreNoted(t *testing.T) {
	t.Parallel()
	const begin, end = "In new, 4 of 10 trials of tcp unary ", " failed; only the others are compared."
	notes := compared(t, withFailed(t, "old", 0), withFailed(t, "new", 4)).Notes
	if len(notes) != 1 || !strings.HasPrefix(notes[0], begin) || !strings.HasSuffix(notes[0], end) {
		t.Errorf("%q, want one %s…%s", notes, begin, end)
	}
}

// A point that always fails now is over every limit, beside others that are measured, and of several files if of all.
func TestAPointWhoseTrialsAllFailBreaksLimits(t *testing.T) {
	t.Parallel()
	limit, err := compare.ParseLimit("p50>+5%")
	if err != nil {
		t.Fatal(err)
	}
	lost := compare.Figure{Point: "y", Metric: "p50", Column: "p50_ns", Unit: "ns", Failed: 3}
	old := side("old", figure("x", "p50", 100, 10), figure("y", "p50", 100, 10))
	c := compared(t, old, side("new", figure("x", "p50", 100, 10), lost))
	found, err := limit.Check(c)
	if err != nil || len(found) != 1 || found[0].Outcome != compare.Broken || found[0].Line.Point != "y" ||
		found[0].Line.Failed[1] != 3 {
		t.Errorf("%+v, %v; want y, over it", found, err)
	}
	together := compare.Together("new", []compare.Set{side("1", lost), side("2", lost)})
	if n := together.Figures[0].Failed; n != 6 {
		t.Errorf("%d failed in both files, want 6", n)
	}
	alone := compared(t, side("old", figure("y", "p50", 100, 10)), side("new", lost))
	if found, err = limit.Check(alone); err != nil || len(found) != 1 || found[0].Outcome != compare.Broken {
		t.Errorf("without another point: %+v, %v; want y, over it", found, err)
	}
}

func compared(t *testing.T, base, other compare.Set) *compare.Comparison {
	t.Helper()
	c, err := compare.Of(compare.SameUsually, base, other)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
