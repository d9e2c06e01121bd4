package record

import (
	"encoding/base64"
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A Summary is everything that was recorded.
type Summary struct {
	Outcomes   []Outcome // by code; what did not occur is left out
	Unsent     int64
	Unfinished int64
	Waited     string                             // the first message of an unfinished call, which says what it waited for
	Clamped    int64                              // samples beyond 1 h, recorded as 1 h
	Histograms map[string]*hdrhistogram.Histogram // by name: response, service, wake, queue, bound, error
	Windows    []Window
}

// An Outcome counts the calls of one code.
type Outcome struct {
	Code    int
	Calls   int64
	Example string // the first error message
}

// Summary sums up the windows that have ended: call it after the last EndWindow, when nothing is recorded any more.
func (r *Recorder) Summary() Summary {
	return Summary{
		Outcomes: r.outcomes(), Unsent: r.unsent, Unfinished: r.cutOff, Waited: r.cutExample, Clamped: r.total.clamped,
		Histograms: r.total.named(), Windows: r.series.kept,
	}
}

func (r *Recorder) outcomes() []Outcome {
	var outcomes []Outcome
	for code := range r.config.Codes {
		o := Outcome{Code: code, Example: r.examples[code]}
		for i := range r.shards {
			o.Calls += r.shards[i].calls(code)
		}
		if o.Calls > 0 {
			outcomes = append(outcomes, o)
		}
	}
	return outcomes
}

// named returns the histograms that there are by their names in results.
func (s *set) named() map[string]*hdrhistogram.Histogram {
	named := map[string]*hdrhistogram.Histogram{"response": s.response}
	if s.service != nil {
		named["service"], named["wake"], named["queue"] = s.service, s.wake, s.queue
	}
	if s.bounds != nil {
		named["bound"] = s.bounds
	}
	if s.errors != nil {
		named["error"] = s.errors
	}
	return named
}

// Encode writes a histogram in HdrHistogram's V2 compressed format, which its libraries in all languages read.
func Encode(h *hdrhistogram.Histogram) ([]byte, error) {
	text, err := h.EncodeV2()
	if err != nil {
		return nil, fmt.Errorf("encode a histogram: %w", err)
	}
	return base64.StdEncoding.DecodeString(string(text))
}
