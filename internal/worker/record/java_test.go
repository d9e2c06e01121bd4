package record_test

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/worker/record"
)

// The fixtures tie Go's and Java's HdrHistogram together. Both files hold the same shapes from 1 ns to 1 h with
// 3 digits, and every figure in them is Java's: org.hdrhistogram:HdrHistogram 2.2.2 on Java 17.
//
// java.json was written by Java: a Histogram(1, 3600000000000, 3) per shape, encodeIntoCompressedByteBuffer. go.json was
// written by Encode, and its figures are what Java printed after decodeFromCompressedByteBuffer. A figure is
// getMinValue, getMaxValue, Math.round(getMean) or getValueAtPercentile of 50, 90, 99 and 99.9.
//
// The shapes: nothing; 123456789; 1 twice and an hour; 0 nine hundred times and 1000, 2000 … 100000; 1000000, 2000000 …
// 16000000 (the rank of its p90 is 14.4, and only rounding up is right); 1000, 2000 … 10000000; 100,000 values of
// round(100000·exp(0.8·g)), g being java.util.Random(42).nextGaussian or NormFloat64 of rand.NewPCG(42, 0).
type fixture struct {
	Name string `json:"name"`
	V2   []byte `json:"v2_compressed"`
	figures
}

type figures struct {
	Calls int64 `json:"calls"`
	Min   int64 `json:"min_ns"`
	Max   int64 `json:"max_ns"`
	Mean  int64 `json:"mean_ns"`
	P50   int64 `json:"p50_ns"`
	P90   int64 `json:"p90_ns"`
	P99   int64 `json:"p99_ns"`
	P999  int64 `json:"p999_ns"`
}

func figuresOf(h *hdrhistogram.Histogram) figures {
	return figures{
		Calls: h.TotalCount(), Min: h.Min(), Max: h.Max(), Mean: int64(math.Round(h.Mean())),
		P50: record.Quantile(h, .5), P90: record.Quantile(h, .9), P99: record.Quantile(h, .99),
		P999: record.Quantile(h, .999),
	}
}

func fixtures(t *testing.T, file string) []fixture {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var all []fixture
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != 7 {
		t.Fatalf("%d histograms in %s, want 7", len(all), file)
	}
	return all
}

func TestGoAndJavaReadTheSameFigures(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"java.json", "go.json"} {
		for _, f := range fixtures(t, file) {
			t.Run(file+"/"+f.Name, func(t *testing.T) {
				t.Parallel()
				h, err := record.Decode(f.V2)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(f.figures, figuresOf(h)); diff != "" {
					t.Error("Java (-) and Go (+) differ:", diff)
				}
			})
		}
	}
}

// What Java read equals what Encode writes now, and what Java itself writes of the same samples, byte for byte except for the
// compression, which may change between versions of Go.
func TestGoAndJavaWriteTheSameBytes(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"java.json", "go.json"} {
		for _, f := range fixtures(t, file) {
			t.Run(file+"/"+f.Name, func(t *testing.T) {
				t.Parallel()
				written, err := record.Encode(recordAgain(t, f.V2))
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(inflate(t, f.V2), inflate(t, written)) {
					t.Errorf("wrote %x, want %x", inflate(t, written), inflate(t, f.V2))
				}
			})
		}
	}
}

// recordAgain puts the samples of an encoded histogram into a new one.
func recordAgain(t *testing.T, data []byte) *hdrhistogram.Histogram {
	t.Helper()
	old, err := record.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	h := record.NewHistogram()
	for _, bar := range old.Distribution() {
		if err := h.RecordValues(bar.From, bar.Count); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// inflate returns the payload behind the cookie and the length, 4 bytes each.
func inflate(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := zlib.NewReader(bytes.NewReader(data[8:]))
	if err != nil {
		t.Fatal(err)
	}
	payload, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}
