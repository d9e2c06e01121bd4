package record

import "github.com/HdrHistogram/hdrhistogram-go"

// AddParts adds the times in from to to, each divided into equal parts: for calls that carry several messages, one part per
// message, as gRPC's benchmarks count them.
func AddParts(to, from *hdrhistogram.Histogram, parts int64) error {
	if parts == 1 {
		to.Merge(from)
		return nil
	}
	for _, bar := range from.Distribution() {
		if bar.Count == 0 {
			continue
		}
		if err := to.RecordValues(max(1, (bar.From+bar.To)/2/parts), bar.Count*parts); err != nil {
			return err
		}
	}
	return nil
}
