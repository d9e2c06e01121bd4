// Package result defines the results file: the only bridge between running and reporting.
//
// A file consists of JSON lines. The first is a Header, every further one a Trial, appended in one write and synced when the
// trial has ended, so a crash costs at most one trial. The complete lines of a truncated file are read, with a warning. A
// file of another version, or with a field that this version does not know, is refused. The package stores evidence and no
// opinion: it computes nothing from it.
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
