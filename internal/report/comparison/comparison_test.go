package comparison

import (
	"bytes"
	"strings"
	"testing"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/stat"
)

// changes is a comparison with a line of each kind, and one of three sides.
func changes(t *testing.T) map[string]*compare.Comparison {
	t.Helper()
	around := func(middle float64, n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = middle * (1 + 0.01*(float64(i)/float64(n-1)-0.5))
		}
		return values
	}
	side := func(name string, p99, few, rate float64) compare.Set {
		return compare.Set{Name: name, Figures: []compare.Figure{
			{Point: "grpc-go unary 1000 B 1x1 closed", Metric: "response_p99", Unit: "ns", Values: around(p99, 10), Verdict: "OK"},
			{Point: "grpc-go unary 1000 B 1x50 closed", Metric: "response_p99", Unit: "ns", Values: around(4e5, 10),
				Verdict: "NOISY_HOST"},
			{Point: "grpc-go first_call 1x1 closed", Metric: "response_p99", Unit: "ns", Values: around(few, 3), Verdict: "OK"},
			{Point: "grpc-go unary 1000 B 1x50 closed", Metric: "calls_per_sec", Better: stat.Higher, Values: around(rate, 10)},
		}}
	}
	old, now := side("old.jsonl", 2e5, 1e6, 50_000), side("new.jsonl", 2.2e5, 2e6, 55_000)
	now.Figures[1].Values, now.Figures[1].Verdict = around(4.001e5, 10), "OK"
	now.Notes = []string{"new.jsonl is new."}
	two, err := compare.Of(0.05, old, now)
	if err != nil {
		t.Fatal(err)
	}
	three, err := compare.Of(0.05, old, now, side("third.jsonl", 1e5, 1e6, 40_000))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*compare.Comparison{"two": two, "three": three}
}

func TestComparisonsAreSealed(t *testing.T) {
	t.Parallel()
	all := changes(t)
	for name, file := range map[string]string{
		document.Text: "comparison.txt", document.Markdown: "comparison.md",
		document.CSV: "comparison.csv", document.JSON: "comparison.json",
	} {
		var out bytes.Buffer
		if err := Write(&out, name, all["two"], document.Checks{}, document.Style{}); err != nil {
			t.Fatal(err)
		}
		reporttest.Golden(t, file, out.Bytes())
	}
	var out bytes.Buffer
	if err := Write(&out, document.Text, all["three"], document.Checks{}, document.Style{}); err != nil {
		t.Fatal(err)
	}
	reporttest.Golden(t, "comparison-three.txt", out.Bytes())
}

func TestAComparisonSaysWhichSideIsBetter(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := Write(&out, document.Text, changes(t)["three"], document.Checks{}, document.Style{Width: 160}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"+10.0% +9.6 to +10.4", "worse ", "-50.0% ", "better ", "-20.0% ", "≥ 5", "can't tell ", "same ±5% ",
		"NOISY_HOST / OK: unary 1000 B 1x50 of new.jsonl.", "All rows: grpc-go closed.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// A trial that was not served makes no spread of one hour beside a median that was.
func TestASpreadEndsNowhereWhereATrialWasNotServed(t *testing.T) {
	t.Parallel()
	side := func(name string, last float64) compare.Set {
		return compare.Set{Name: name, Figures: []compare.Figure{{Point: "grpc-go unary", Metric: "response_p99",
			Column: string(analysis.ResponseP99Ns), Unit: "ns", Values: []float64{4.9e6, 5.12e6, last}}}}
	}
	changed, err := compare.Of(0.005, side("before.jsonl", 5.3e6), side("after.jsonl", analysis.NotServed))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, document.Text, changed, document.Checks{}, document.Style{Width: 160}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{"4.90–5.30", "4.90–∞", "same ±0.5%"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// A base whose calls were not served leaves the unit to the other side.
func TestABaseThatWasNotServedHasNoScale(t *testing.T) {
	t.Parallel()
	side := func(name string, p99 float64) compare.Set {
		return compare.Set{Name: name, Figures: []compare.Figure{{Point: "grpc-go unary", Metric: "response_p99_of_all",
			Column: string(analysis.ResponseP99OfAll), Unit: "ns", Values: []float64{p99, p99, p99}}}}
	}
	for name, c := range map[string]struct {
		before, after float64
		want          string
	}{
		"the base":    {analysis.NotServed, 2e6, ", ms (lower is better)"},
		"neither":     {analysis.NotServed, analysis.NotServed, ", ns (lower is better)"},
		"the changed": {3e3, analysis.NotServed, ", µs (lower is better)"},
	} {
		changed, err := compare.Of(0.05, side("before.jsonl", c.before), side("after.jsonl", c.after))
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{document.Text, document.Markdown, document.HTML} {
			var out bytes.Buffer
			if err := Write(&out, format, changed, document.Checks{}, document.Style{}); err != nil {
				t.Fatal(err)
			}
			if text := out.String(); !strings.Contains(text, c.want) || !strings.Contains(text, number.Unbounded) {
				t.Errorf("%s not served, in %s: no %q or no %s in\n%.2000s", name, format, c.want, number.Unbounded, text)
			}
		}
	}
}

// Between 1 trial and 1 other there is no interval, and no column finds: neither is printed or explained, and a sentence says how
// to get them.
func TestOneTrialEachHasNoInterval(t *testing.T) {
	t.Parallel()
	side := func(name string, p50, trials int) compare.Set {
		values := make([]float64, trials)
		for i := range values {
			values[i] = float64(p50 + i)
		}
		return compare.Set{Name: name, Figures: []compare.Figure{{Point: "grpc-go unary", Metric: "response_p50",
			Column: string(analysis.ResponseP50Ns), Unit: "ns", Values: values}}}
	}
	const advice = "Measure both sides with more trials (--trials 10)."
	for trials, c := range map[int]struct{ has, lacks []string }{
		1: {[]string{"-94.6%", "1 trial each, no interval", advice, "needs: trials (", "that would find a change of 5%"},
			[]string{"-94.6 to", "finds"}},
		10: {[]string{"-94.6 to", "finds: the smallest", "needs: trials ("}, []string{advice, "no interval"}},
	} {
		changed, err := compare.Of(0.05, side("before.jsonl", 100_000, trials), side("after.jsonl", 5_400, trials))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Write(&out, document.Text, changed, document.Checks{}, document.Style{Width: 400}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%d trials: %q is missing in\n%s", trials, want, out.String())
			}
		}
		for _, not := range c.lacks {
			if strings.Contains(text, not) {
				t.Errorf("%d trials: %q is in\n%s", trials, not, out.String())
			}
		}
	}
}

// Of several files on a side, figures and the geometric mean are of files, and say so; a mean whose files do not all have all
// rows has no interval, in text and in json.
func TestSeveralFilesAreTheUnit(t *testing.T) {
	t.Parallel()
	file := func(middle float64, points ...string) compare.Set {
		set := compare.Set{Name: "f"}
		for i, point := range points {
			level := middle * float64(1+i)
			set.Figures = append(set.Figures, compare.Figure{Point: point, Metric: "response_p50", Unit: "ns",
				Column: string(analysis.ResponseP50Ns), Values: []float64{level, level + 1, level + 2, level + 3, level + 4, level + 5}})
		}
		return set
	}
	old := compare.Together("old", []compare.Set{file(1000, "x", "y"), file(1020, "x", "y"), file(1010, "x", "y")})
	for name, c := range map[string]struct {
		last       compare.Set
		text, json []string
	}{
		"all files have all rows": {file(1090, "x", "y"), []string{
			"median of 18 trials, min–max of files; changes tested over occasions", "1.01 1.00–1.02",
			"Geometric mean of 2 rows, new: +9.9% (+6.3 to +13.5; 95% confidence interval, t test over occasions).",
		}, []string{`"change_spread": "ci95" }`}},
		"a file lacks a row": {file(1090, "x"), []string{
			"median of 12–18 trials, min–max of files; changes tested over occasions",
			"Geometric mean of 2 rows, new: +10.4% (no interval: not all files have all rows).",
		}, []string{`"change_percent_lo": null, "change_percent_hi": null, "change_spread": null }`}},
	} {
		now := compare.Together("new", []compare.Set{file(1110, "x", "y"), file(1130, "x", "y"), c.last})
		changed, err := compare.Of(0.05, old, now)
		if err != nil {
			t.Fatal(err)
		}
		for format, wants := range map[string][]string{document.Text: c.text, document.JSON: c.json} {
			var out bytes.Buffer
			if err := Write(&out, format, changed, document.Checks{}, document.Style{Width: 200}); err != nil {
				t.Fatal(err)
			}
			text := strings.Join(strings.Fields(out.String()), " ")
			for _, want := range wants {
				if !strings.Contains(text, want) {
					t.Errorf("%s, %s: %q is missing in\n%s", name, format, want, out.String())
				}
			}
		}
	}
}
