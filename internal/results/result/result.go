// Package result is the results file: the only bridge between running and reporting.
//
// A file is JSON lines. The first is a Header, every further one a Trial, appended in one write and flushed when the
// trial has ended, so that a crash costs one trial at most. A file that was cut off is read as far as it is whole, and
// says so; a file of another version, or with a field that this version doesn't know, is refused. The package holds
// evidence and has no opinion: it computes nothing from what it stores.
package result

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/worker/record"
)

// Format is Header.Format of every results file.
const Format = "rpcbench-results"

// EncodeHistogram returns h as Trial.Histograms hold it: HdrHistogram V2 compressed, base64.
func EncodeHistogram(h *hdrhistogram.Histogram) (string, error) {
	encoded, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return "", fmt.Errorf("encode a histogram: %w", err)
	}
	return string(encoded), nil
}

// DecodeHistogram is the inverse of EncodeHistogram.
func DecodeHistogram(encoded string) (*hdrhistogram.Histogram, error) {
	return record.DecodeText(encoded)
}
