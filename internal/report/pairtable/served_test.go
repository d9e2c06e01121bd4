package pairtable_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/pairtable"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/pairs"
)

// failing are so many pairs, in so many of which, the last ones, a tenth of the calls of A or B fail.
func failing(t *testing.T, of, failedOfA, failedOfB int) *pairs.Experiment {
	t.Helper()
	return pairs.Of(reporttest.Pairs(t, of, failedOfA, failedOfB))[0]
}

func TestAPercentileThatIsUnboundedIsNoTime(t *testing.T) {
	t.Parallel()
	const unbounded = "response_p99 of B is unbounded in %d of 16 trials: more of their calls failed than the percentile leaves " +
		"out. B is slower than A."
	for failed, want := range map[int]string{
		0: "B is 29.5% slower than A in response_p99 (29.2–29.8%, 16 pairs).",
		4: "B is 29.8% slower than A in response_p99 (29.4% or more, 16 pairs).",
		8: fmt.Sprintf(unbounded, 8), 16: fmt.Sprintf(unbounded, 16),
	} {
		if got := pairtable.Sentences(failing(t, 16, 0, failed))[0]; got != want {
			t.Errorf("%d trials fail: %s\nwant %s", failed, got, want)
		}
	}
}

// Sides of which neither was served are not the same, however alike their figures are.
func TestTwoSidesThatWereNotServedAreNotTheSame(t *testing.T) {
	t.Parallel()
	x := failing(t, 16, 16, 16)
	const part = " is unbounded in %d of 16 trials: more of their calls failed than the percentile leaves out. "
	want := fmt.Sprintf("response_p99 of A"+part+"response_p99 of B"+part+"Can't tell A and B apart. ", 16, 16) +
		"It ended before that was clear: the time was up, or it was interrupted."
	if got := pairtable.Sentences(x)[0]; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	var text bytes.Buffer
	if err := document.WriteText(&text, pairtable.Document(x), document.Style{}); err != nil {
		t.Fatal(err)
	}
	const line = "response_p99 ∞ ∞ – – can't tell 16 –"
	if words := strings.Join(strings.Fields(text.String()), " "); !strings.Contains(words, line) {
		t.Errorf("want %s in\n%s", line, text.String())
	}
}

// What differs by less than counts as the same is said to, and a cost has one interval in the sentence and in the table.
func TestADifferenceIsSaidToCountAsTheSame(t *testing.T) {
	t.Parallel()
	for same, want := range map[float64][]string{
		0.05: {
			"Costs differ: B has 29.5% more than A in client_cpu_per_call (29.1–29.9%).",
			"client_cpu_per_call 40.2 µs 52.1 µs +29.5% +29.1% to +29.9% worse 16 0.4%",
		},
		0.4: {
			"B is 29.5% slower than A in response_p99 (29.2–29.8%, 16 pairs), which is within the 40% that count as the same.",
			"Costs differ: B has 29.5% more than A in client_cpu_per_call (29.1–29.9%), which is within the 40% that count as the same.",
			"client_cpu_per_call 40.2 µs 52.1 µs +29.5% +29.1% to +29.9% worse, within ±40% 16 0.4%",
			"to A 95% interval result pairs finds",
			"The intervals of client_cpu_per_call and server_cpu_per_call are wider than those of one metric: costs share their 5%",
		},
	} {
		r := reporttest.Pairs(t, 16, 0, 0)
		r.Sources[0].Header.AB.SameRatio = same
		var text bytes.Buffer
		if err := document.WriteText(&text, pairtable.Document(pairs.Of(r)[0]), document.Style{Width: 300}); err != nil {
			t.Fatal(err)
		}
		words := strings.Join(strings.Fields(text.String()), " ")
		for _, w := range want {
			if !strings.Contains(words, w) {
				t.Errorf("same within %v: no %q in\n%s", same, w, text.String())
			}
		}
	}
}

// Where the table is too wide, the answer is beside the figures.
func TestTheResultIsInTheFirstPartOfANarrowTable(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	if err := document.WriteText(&text, pairtable.Document(failing(t, 16, 0, 0)), document.Style{Width: 72}); err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(text.String()), " ")
	for _, w := range []string{"to A result response_p99 184 µs 238 µs +29.5% worse", "metric 95% interval pairs finds"} {
		if !strings.Contains(words, w) {
			t.Errorf("no %q in\n%s", w, text.String())
		}
	}
}
