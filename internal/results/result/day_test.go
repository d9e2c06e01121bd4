package result

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"rpcbench/internal/test/allocated"
	"rpcbench/internal/worker/record"
)

// course returns what one client leaves in a trial of the given length with --intervals full, in an open loop at 5,000 calls/s.
func course(tb testing.TB, seconds int) Record {
	tb.Helper()
	const kinds = 16 // of seconds, which come again
	random := rand.New(rand.NewPCG(1, 2))
	var encoded [kinds]string
	var quantiles [kinds]Quantiles
	for i := range encoded {
		h := record.NewHistogram()
		for range 5000 {
			if err := h.RecordValue(int64(300e3 * math.Exp(random.NormFloat64()/2))); err != nil {
				tb.Fatal(err)
			}
		}
		var err error
		if encoded[i], err = EncodeHistogram(h); err != nil {
			tb.Fatal(err)
		}
		q := record.QuantilesOf(h)
		quantiles[i] = Quantiles{Calls: q.Calls, P50Ns: q.P50, P90Ns: q.P90, P99Ns: q.P99, MaxNs: q.Max}
	}
	var r Record
	for i := range 10 * int64(seconds) {
		interval := Interval{StartNs: i * 100_000_001, EndNs: (i + 1) * 100_000_001, OK: 500, InFlight: 2, ResponseMeanNs: 300_123}
		if i%10 == 9 {
			kind := i / 10 % kinds
			interval.Response = &quantiles[kind]
			r.Windows = append(r.Windows, Window{StartNs: (i - 9) * 100_000_001, EndNs: interval.EndNs, Response: encoded[kind]})
		}
		r.Intervals = append(r.Intervals, interval)
	}
	return r
}

// BenchmarkADay writes and reads a trial of a day whose seconds are kept, and says how long its line is and by how much each
// needs the heap to grow.
func BenchmarkADay(b *testing.B) {
	trial := sampleTrial()
	trial.Clients[0].Record = course(b, 86_400)
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "day.jsonl")
		writer, err := Create(path, sampleHeader())
		if err != nil {
			b.Fatal(err)
		}
		wrote := allocated.Growth(func() { err = writer.Append(trial) })
		if err != nil {
			b.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			b.Fatal(err)
		}
		var file *File
		read := allocated.Growth(func() { file, err = ReadFile(path) })
		if err != nil || len(file.Trials) != 1 {
			b.Fatalf("%v: %v", err, file)
		}
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/1e6, "MB-file")
		b.ReportMetric(float64(wrote)/1e6, "MB-writing")
		b.ReportMetric(float64(read)/1e6, "MB-reading")
	}
}
