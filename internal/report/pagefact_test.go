package report

import (
	"testing"

	"rpcbench/internal/results/stat"
)

func TestThePayloadHasAUnitOfItsSize(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]stat.Summary{
		"400 B/s of payload":               {N: 1, Median: 0.0004},
		"629 kB/s of payload":              {N: 1, Median: 0.629},
		"2.00 MB/s of payload (1.90–2.10)": {N: 3, Median: 2, Lo: 1.9, Hi: 2.1},
	} {
		if got := payloadWords(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
