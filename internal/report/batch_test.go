package report

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/published"
)

// The fixture of batches is invented: a message and per operation cost so much, on loopback and over a link, and more
// callers wait for each other.

func TestBatchesAreSealed(t *testing.T) {
	t.Parallel()
	r := reporttest.BatchRun(t)
	published, err := published.Find("roguedb")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(printed(t, FormatText, r, Options{})), "\n") {
		if utf8.RuneCountInString(line) > document.WidthDefault {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	reporttest.Golden(t, "batch.txt", printed(t, FormatText, r, Options{MaxLatency: 500 * time.Microsecond}))
	reporttest.Golden(t, "batch-roguedb.txt", printed(t, FormatText, r, Options{Reference: published}))
	reporttest.Golden(t, "batch.md", printed(t, FormatMarkdown, r, Options{}))
	reporttest.Golden(t, "batch.csv", printed(t, FormatCSV, r, Options{}))
}

func TestATableOfBatchesSaysWhatItMeans(t *testing.T) {
	t.Parallel()
	limited := printed(t, FormatText, reporttest.BatchRun(t), Options{MaxLatency: 500 * time.Microsecond})
	text := strings.Join(strings.Fields(string(limited)), " ")
	half := float64(reporttest.MessageNs) / reporttest.OperationNs
	for _, want := range []string{
		"grpc-go: each message takes 103 µs (102–105),", "each operation adds 4",
		fmt.Sprintf("is reached at batch %.0f (", half),
		"With a p99 of at most 500 µs, batch 100 is the best, with",
		"grpc-go: speedup of batch 100: 71.9× (69.1–74.9) on loopback,",
		"LINK_BOUND in 3 of 3 trials: the link was full: 95% of its bandwidth to servers was used (bound 90%).",
		"the rate peaks at about 12 callers (95% interval 11–13) with 33,650 ops/s", "(universal scalability law with λ 9,652 ops/s,",
		"Links are emulated in user space: they delay bytes, not packets.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
