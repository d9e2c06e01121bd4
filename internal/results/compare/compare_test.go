package compare_test

import (
	"math"
	"strings"
	"testing"

	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/jmh"
	"rpcbench/internal/results/stat"
)

// around are n values that spread by 1% about the middle.
func around(middle float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = middle * (1 + 0.01*(float64(i)/float64(n-1)-0.5))
	}
	return values
}

func side(name string, figures ...compare.Figure) compare.Set {
	return compare.Set{Name: name, Figures: figures}
}

func figure(point, metric string, middle float64, n int) compare.Figure {
	return compare.Figure{Point: point, Metric: metric, Column: metric + "_ns", Unit: "ns", Values: around(middle, n)}
}

func TestEachDifferenceIsToldFromNoise(t *testing.T) {
	t.Parallel()
	old := side("old", figure("x", "p50", 100, 10), figure("y", "p50", 100, 10), figure("z", "p50", 100, 3))
	now := side("new", figure("x", "p50", 110, 10), figure("y", "p50", 100.01, 10), figure("z", "p50", 200, 3))
	c, err := compare.Of(0.05, old, now)
	if err != nil {
		t.Fatal(err)
	}
	want := []stat.Decision{stat.Greater, stat.Same, stat.Untold}
	for i, line := range c.Tables[0].Lines {
		if line.Decision != want[i] || line.TooFew != (i == 2) {
			t.Errorf("%s: %s (p %g, q %g), want %s", line.Point, line.Decision, line.P, line.Q, want[i])
		}
	}
	percent, lo, hi, ok := c.Tables[0].Lines[0].Percent()
	if !ok || math.Abs(percent-10) > 1e-6 || lo < 9 || hi > 11 {
		t.Errorf("%+.3f%% (%+.3f to %+.3f), want 10%%", percent, lo, hi)
	}
	if trials := c.Tables[0].Lines[2].Trials; trials < 4 || trials > 6 {
		t.Errorf("needs %d trials", trials)
	}
	mean := c.Tables[0].Means[0]
	if want := math.Cbrt(1.1 * 1.0001 * 2); mean.Lines != 3 || math.Abs(mean.Value-want) > 1e-6 {
		t.Errorf("mean %v of %d lines, want %v of 3", mean.Value, mean.Lines, want)
	}
}

func TestWhatOneSideLacksIsSaid(t *testing.T) {
	t.Parallel()
	old := side("old", figure("x", "p50", 100, 6), figure("gone", "p50", 1, 6), figure("gone too", "p50", 1, 6))
	now := side("new", figure("x", "p50", 100, 6), figure("fresh", "p50", 1, 6))
	old.Machine, now.Machine = "here", "there"
	c, err := compare.Of(0.05, old, now)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{
		"Only in old: gone and 1 more.", "Only in new: fresh.", "old and new were measured on different machines",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in %s", want, notes)
		}
	}
	if _, err := compare.Of(0.05, old, side("else", figure("e", "p50", 1, 6))); err == nil ||
		!strings.Contains(err.Error(), "nothing was measured in both old and else") {
		t.Errorf("%v", err)
	}
}

func TestWhatOneOfSeveralSidesLacksIsNamedByThatSide(t *testing.T) {
	t.Parallel()
	all := func(name string, points ...string) compare.Set {
		var figures []compare.Figure
		for _, point := range points {
			figures = append(figures, figure(point, "p50", 100, 6), figure(point, "p99", 100, 6))
		}
		return side(name, figures...)
	}
	for want, sets := range map[string][]compare.Set{
		"Only in slow: /y.\nNot in slow: /x.": {all("old", "/x"), all("new", "/x"), all("slow", "/y")},
		"Not in old: /y and 1 more.":          {all("old", "/x"), all("new", "/x", "/y", "/z"), all("slow", "/z", "/y", "/x")},
		"Only in new: /y.\nNot in slow: /x.":  {all("old", "/x"), all("new", "/x", "/y"), all("slow")},
		"Not in b: /z.\nNot in c: /y.\nNot in d: /y.": {
			all("a", "/x", "/y", "/z"), all("b", "/x", "/y"), all("c", "/x", "/z"), all("d", "/x", "/z"),
		},
		"": {all("old", "/x"), all("new", "/x"), all("slow", "/x")},
		"Only in old: /y.\nOnly in new: /z and 1 more.": {all("old", "/x", "/y"), all("new", "/z", "/x", "/u")},
	} {
		c, err := compare.Of(0.05, sets[0], sets[1:]...)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.Notes, "\n"); got != want {
			t.Errorf("notes %q, want %q", got, want)
		}
	}
}

const goBench = `goos: linux
pkg: example.com/echo
Unit calls/s better=higher
BenchmarkEcho-2   1000   120.5 ns/op   16 B/op   8298755 calls/s
BenchmarkEcho-2   1000   121.5 ns/op   16 B/op   8230453 calls/s
PASS
`

func TestGoBenchLinesAreTrials(t *testing.T) {
	t.Parallel()
	set, err := compare.FromGoBench("a.txt", strings.NewReader(goBench))
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Figures) != 3 {
		t.Fatalf("%d figures, want 3", len(set.Figures))
	}
	f := set.Figures[0]
	if f.Point != "example.com/echo.Echo-2" || f.Metric != "ns/op" || f.Better != stat.Lower ||
		len(f.Values) != 2 || f.Values[0] != 120.5 || f.Values[1] != 121.5 {
		t.Errorf("%+v", f)
	}
	if rate := set.Figures[2]; rate.Metric != "calls/s" || rate.Better != stat.Higher {
		t.Errorf("%+v", rate)
	}
	if len(set.Notes) != 1 || !strings.Contains(set.Notes[0], "Those of one go test share a process") {
		t.Errorf("%q", set.Notes)
	}
	ours, err := compare.FromGoBench("r.txt", strings.NewReader("pkg: rpcbench\nBenchmarkEcho 10 120.5 ns/op\n"))
	if err != nil || len(ours.Notes) > 0 {
		t.Errorf("of trials in processes of their own: %q, %v", ours.Notes, err)
	}
	hostile := "BenchmarkX 1 120 ns/op\nBenchmarkX 1 NaN ns/op\nBenchmarkX 1 +Inf ns/op\n"
	odd, err := compare.FromGoBench("o.txt", strings.NewReader(hostile))
	if err != nil || len(odd.Figures) != 1 || len(odd.Figures[0].Values) != 1 || len(odd.Notes) != 3 ||
		odd.Notes[0] != "In o.txt, a value of X is NaN ns/op; it is left out." {
		t.Errorf("of values that are no numbers: %+v, %v", odd, err)
	}
	_, err = compare.FromGoBench("n.txt", strings.NewReader("BenchmarkX 1 NaN ns/op\n"))
	if err == nil || err.Error() != "In n.txt, a value of X is NaN ns/op; it is left out." {
		t.Errorf("a file of nothing else: %v", err)
	}
	long := "\ufeffBenchmarkX 1 120 ns/op\n    log.go:1: " + strings.Repeat("x", 100_000) + "\nBenchmarkX 1 121 ns/op"
	logged, err := compare.FromGoBench("l.txt", strings.NewReader(long))
	if err != nil || len(logged.Figures) != 1 || len(logged.Figures[0].Values) != 2 || len(logged.Notes) != 1 {
		t.Errorf("behind a byte order mark and a long line: %+v, %v", logged, err)
	}
	_, err = compare.FromGoBench("o.txt", strings.NewReader("BenchmarkX 1 1e999 ns/op\n"))
	if err == nil || err.Error() != "o.txt:1: parsing measurement: value out of range" {
		t.Errorf("a file of a line that can't be read: %v", err)
	}
	if _, err := compare.FromGoBench("b.txt", strings.NewReader("goos: linux\n")); err == nil {
		t.Error("a file without a benchmark is taken")
	}
}

func TestOneValueForEachForkOfJMH(t *testing.T) {
	t.Parallel()
	file := &jmh.File{Name: "j.json", Benchmarks: []jmh.Benchmark{
		{Name: "a.b.C.m", Mode: "thrpt", Params: map[string]string{"n": "4"},
			Primary: jmh.Metric{Unit: "ops/s", RawData: [][]jmh.Number{{1, 3}, {5, 7}}}},
		{Name: "a.b.C.one", Mode: "avgt", Primary: jmh.Metric{Unit: "ns/op", RawData: [][]jmh.Number{{1, 3}}}},
		{Name: "a.b.C.s", Mode: "sample", Primary: jmh.Metric{Unit: "ns/op",
			RawDataHistogram: [][][][2]jmh.Number{{{{10, 3}, {30, 1}}}, {{{40, 2}}}}}},
	}}
	set := compare.FromJMH(file)
	want := []compare.Figure{
		{Point: "C.m n=4 thrpt", Metric: "ops/s", Better: stat.Higher, Values: []float64{2, 6}},
		{Point: "C.one avgt", Metric: "ns/op", Values: []float64{1, 3}},
		{Point: "C.s sample", Metric: "ns/op", Values: []float64{15, 40}},
	}
	for i, f := range set.Figures {
		if f.Point != want[i].Point || f.Metric != want[i].Metric || f.Better != want[i].Better ||
			len(f.Values) != len(want[i].Values) || f.Values[0] != want[i].Values[0] || f.Values[1] != want[i].Values[1] {
			t.Errorf("%+v, want %+v", f, want[i])
		}
	}
	if len(set.Notes) != 1 || !strings.Contains(set.Notes[0], "iterations of one process") {
		t.Errorf("%v", set.Notes)
	}
}

// JMH writes NaN and infinities as strings, and a file can have any number of samples of any size.
func TestWhatIsNoNumberInAFileOfJMHIsNoValue(t *testing.T) {
	t.Parallel()
	nan, inf := jmh.Number(math.NaN()), jmh.Number(math.Inf(1))
	histogram := func(bars ...[2]jmh.Number) jmh.Metric {
		return jmh.Metric{Unit: "ns/op", RawDataHistogram: [][][][2]jmh.Number{{bars}}}
	}
	for name, metric := range map[string]jmh.Metric{
		"a value is NaN":        histogram([2]jmh.Number{nan, 1}),
		"a value is infinite":   histogram([2]jmh.Number{inf, 1}),
		"a count is NaN":        histogram([2]jmh.Number{10, nan}),
		"a count is infinite":   histogram([2]jmh.Number{10, inf}),
		"a count is below 0":    histogram([2]jmh.Number{10, -1}),
		"the sum is too large":  histogram([2]jmh.Number{1e308, 10}),
		"iterations are beyond": {Unit: "ns/op", RawData: [][]jmh.Number{{1e308, 1e308}, {1e308, 1e308}}},
	} {
		file := &jmh.File{Name: "j.json", Benchmarks: []jmh.Benchmark{{Name: "a.b.C.m", Mode: "sample", Primary: metric}}}
		set := compare.FromJMH(file)
		if len(set.Figures) != 0 || len(set.Notes) != 1 || set.Notes[0] != "In j.json, a.b.C.m has no values." {
			t.Errorf("%s: %+v, notes %q", name, set.Figures, set.Notes)
		}
	}
	some := &jmh.File{Name: "j.json", Benchmarks: []jmh.Benchmark{{Name: "a.b.C.m", Mode: "sample",
		Primary: histogram([2]jmh.Number{nan, 1}, [2]jmh.Number{10, 3}, [2]jmh.Number{30, 1}, [2]jmh.Number{50, -2})}}}
	if set := compare.FromJMH(some); len(set.Figures) != 1 || set.Figures[0].Values[0] != 15 {
		t.Errorf("%+v, want the mean of the values that are known", set.Figures)
	}
}

func TestALimitIsBrokenByAllOfAnIntervalOnly(t *testing.T) {
	t.Parallel()
	old := side("old", figure("up", "p99", 100, 10), figure("noise", "p99", 100, 10), figure("few", "p99", 100, 3))
	now := side("new", figure("up", "p99", 107, 10), figure("noise", "p99", 100.2, 10), figure("few", "p99", 200, 3))
	c, err := compare.Of(0.05, old, now)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][2]int{ // broken, open
		"p99>+5%": {1, 1}, "p99 > 8%": {0, 1}, "p99>+7%": {0, 2}, "p99_ns>+5%": {1, 1}, "p99<-5%": {0, 1},
	} {
		limit, err := compare.ParseLimit(text)
		if err != nil {
			t.Fatal(err)
		}
		findings, err := limit.Check(c)
		var got [2]int
		for _, f := range findings {
			if f.Outcome == compare.Broken {
				got[0]++
			} else {
				got[1]++
			}
		}
		if err != nil || got != want {
			t.Errorf("%s: %v broken and open (%v), want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"p99":      "is not a limit for a change",
		"p99>5":    `"5" is not a change in percent`,
		"p99>-5%":  "use > for an increase",
		"p99<5%":   "< for a decrease",
		"p99>NaN%": `"NaN%" is not a change in percent`, // of which no change would ever be beyond
		"p99>Inf%": `"Inf%" is not a change in percent`,
		"calls>5%": "",
	} {
		limit, err := compare.ParseLimit(text)
		if want == "" {
			_, err = limit.Check(c)
			want = `"calls" was not compared; known: p99`
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestALimitIsNotKeptByASideThatWasNotCompared(t *testing.T) {
	t.Parallel()
	both := []compare.Figure{figure("x", "p50", 100, 10), figure("x", "p99", 100, 10)}
	for name, c := range map[string]struct {
		side compare.Set
		want string
	}{
		"like the others":     {side("slow", both...), ""},
		"without the metric":  {side("slow", both[0]), `"p99>+5%": "p99" was not compared between old and slow`},
		"without any row":     {side("slow", figure("y", "p99", 1, 10)), `"p99>+5%": nothing was measured in both old and slow`},
		"without any figures": {side("slow"), `"p99>+5%": nothing was measured in both old and slow`},
	} {
		compared, err := compare.Of(0.05, side("old", both...), side("new", both...), c.side)
		if err != nil {
			t.Fatal(err)
		}
		limit, err := compare.ParseLimit("p99>+5%")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, err = limit.Check(compared); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("a side %s: %q, want %q", name, got, c.want)
		}
	}
}

// NOT_STATIONARY starts where a change can move a figure by more than what is called the same.
func TestANotableChangeIsTwiceTheSame(t *testing.T) {
	t.Parallel()
	if stat.NotableChange != 2*compare.SameUsually {
		t.Errorf("a change of %v is notable, and %v is the same", stat.NotableChange, compare.SameUsually)
	}
}

func TestSidesOfOneServerEachAreComparedWhateverItsAddress(t *testing.T) {
	t.Parallel()
	figure := func(target string) compare.Figure {
		return compare.Figure{Point: "unary against " + target, Target: target, Any: "unary", Metric: "p50", Unit: "ns",
			Better: stat.Lower, Values: []float64{1, 2, 3}, Keys: []compare.Key{{Name: "server", Value: target}}}
	}
	side := func(name string, targets ...string) compare.Set {
		s := compare.Set{Name: name}
		for _, target := range targets {
			s.Figures = append(s.Figures, figure(target))
		}
		return s
	}
	old, same := side("old", "localhost:1"), side("same", "localhost:1")
	for _, test := range []struct {
		with          compare.Set
		point, before string
	}{
		{side("new", "127.0.0.1:2"), "unary",
			"Measured against different addresses: old against localhost:1, new against 127.0.0.1:2."},
		{same, "unary against localhost:1", ""},
		{side("both", "localhost:1", "localhost:2"), "unary against localhost:1", ""},
	} {
		c, err := compare.Of(0.05, old, test.with)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Tables[0].Lines[0].Point; got != test.point || strings.Join(c.Before, "") != test.before {
			t.Errorf("%s: point %q, before %q; want %q, %q", test.with.Name, got, c.Before, test.point, test.before)
		}
	}
	if old.Figures[0].Point != "unary against localhost:1" {
		t.Errorf("the side that was given has changed: %q", old.Figures[0].Point)
	}
	_, err := compare.Of(0.05, old, side("both", "localhost:2", "localhost:3"))
	const want = "nothing was measured in both old and both: the points most alike are unary against localhost:1 and unary " +
		"against localhost:2, which differ in server (localhost:1, localhost:2); --by server compares its values"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestFilesOfASideOfOneServerEachAreOneSideWhateverItsAddress(t *testing.T) {
	t.Parallel()
	file := func(value float64, targets ...string) compare.Set {
		s := compare.Set{Name: "file", Times: 1}
		for _, target := range targets {
			s.Figures = append(s.Figures, compare.Figure{Point: "unary against " + target, Target: target, Any: "unary", Metric: "p50",
				Unit: "ns", Better: stat.Lower, Values: []float64{value}, Keys: []compare.Key{{Name: "server", Value: target}}})
		}
		return s
	}
	old := compare.Together("old", []compare.Set{file(100, "a:1"), file(101, "a:2"), file(102, "a:3"), file(103, "a:4")})
	for _, test := range []struct {
		with                compare.Set
		point, before       string
		lines, inOld, inNew int
	}{
		{compare.Together("new", []compare.Set{file(200, "a:5"), file(201, "a:5"), file(202, "a:6")}), "unary",
			"Measured against different addresses: old against a:1, a:2, a:3 and 1 more, new against a:5 and a:6.", 1, 4, 3},
		{file(200, "a:1"), "unary",
			"Measured against different addresses: old against a:1, a:2, a:3 and 1 more, file against a:1.", 1, 4, 1},
		{file(200, "a:1", "a:2"), "unary against a:1", "", 2, 1, 1}, // of several servers: by address
	} {
		c, err := compare.Of(0.05, old, test.with)
		if err != nil {
			t.Fatal(err)
		}
		lines := c.Tables[0].Lines
		if len(lines) != test.lines || lines[0].Point != test.point || lines[0].A.N != test.inOld || lines[0].B.N != test.inNew ||
			strings.Join(c.Before, "") != test.before {
			t.Errorf("%d lines of %q, %d and %d values, before %q; want %+v", len(lines), lines[0].Point, lines[0].A.N, lines[0].B.N,
				c.Before, test)
		}
	}
	if old.Figures[0].Point != "unary against a:1" || len(old.Figures) != 4 {
		t.Errorf("the side that was given has changed: %+v", old.Figures)
	}
}
