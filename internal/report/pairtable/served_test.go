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
	const line = "response_p99 ∞ ∞ – – 16 – can't tell"
	if words := strings.Join(strings.Fields(text.String()), " "); !strings.Contains(words, line) {
		t.Errorf("want %s in\n%s", line, text.String())
	}
}
