package report

import (
	"strings"
	"testing"

	"rpcbench/internal/report/reporttest"
)

// A ratio of what was not served is no number: neither one of two such sides, nor its ends where one of them is.
func TestTheChangeOfWhatWasNotServedIsNoNumber(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		failedOfA, failedOfB int
		want                 string // decision, change, lo, hi
	}{
		"all":           {0, 0, "worse 29.4938 29.1827 29.8031"},
		"of neither":    {16, 15, "inconclusive   "},
		"not of B":      {0, 16, "worse   "},
		"not of A":      {16, 0, "better   "},
		"not all, of B": {0, 4, "worse 29.7857 29.4164 "},
	} {
		records := readCSV(t, reporttest.Pairs(t, 16, test.failedOfA, test.failedOfB))
		var fields []string
		for _, column := range []string{"ab_decision", "ab_change_percent", "ab_change_percent_lo", "ab_change_percent_hi"} {
			for i, head := range records[0] {
				if head == column {
					fields = append(fields, records[2][i])
				}
			}
		}
		if got := strings.Join(fields, " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
