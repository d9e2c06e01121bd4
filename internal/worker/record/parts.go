package record

import "github.com/HdrHistogram/hdrhistogram-go"

// AddParts adds the times in from to those in to, each as so many equal parts of it: of calls that carry several messages, one
// for each message, as gRPC's benchmarks count them.
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
