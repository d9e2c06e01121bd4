// Package jmh reads the JSON results of JMH, the Java microbenchmark harness, as `-rf json` writes them.
//
// A file is an array of benchmarks, each with its mode, parameters, score and JMH's own error. They are no trials of
// ours: JMH's iterations share a process, and its error is a normal one, so they are reported apart and never brought
// together with a results file. Fields that JMH has and nobody here asks for are passed over: the format is not ours.
package jmh

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/call/jsonbound"
)

// A File is one results file.
type File struct {
	Name       string // as given by the user
	Benchmarks []Benchmark
}

// A Benchmark is one method under one set of parameters.
type Benchmark struct {
	Version       string            `json:"jmhVersion"`
	Name          string            `json:"benchmark"` // package.Class.method
	Mode          string            `json:"mode"`      // thrpt, avgt, sample, ss
	Threads       int               `json:"threads"`
	Forks         int               `json:"forks"`
	JDK           string            `json:"jdkVersion"`
	VM            string            `json:"vmName"`
	JVMArgs       []string          `json:"jvmArgs"`
	Warmups       int               `json:"warmupIterations"`
	WarmupTime    string            `json:"warmupTime"`
	Iterations    int               `json:"measurementIterations"`
	IterationTime string            `json:"measurementTime"`
	Params        map[string]string `json:"params"`
	Primary       Metric            `json:"primaryMetric"`
	Secondary     map[string]Metric `json:"secondaryMetrics"` // gc.alloc.rate.norm with -prof gc, and auxiliary counters
}

// A Metric is a score with its error, both in Unit.
type Metric struct {
	Score       Number            `json:"score"`
	Error       Number            `json:"scoreError"` // half of the 99.9% interval; NaN below two samples
	Percentiles map[string]Number `json:"scorePercentiles"`
	Unit        string            `json:"scoreUnit"`
	// RawData holds the scores of the iterations of each fork. In the sample mode it is empty, and RawDataHistogram holds
	// the value and the number of each sample instead.
	RawData          [][]Number      `json:"rawData"`
	RawDataHistogram [][][][2]Number `json:"rawDataHistogram"`
}

// A Number is as JMH writes it: NaN and infinities are strings.
type Number float64

// UnmarshalJSON reads a number or its string.
func (n *Number) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseFloat(string(bytes.Trim(text, `"`)), 64)
	if err != nil {
		return fmt.Errorf("%s is not a number", text)
	}
	*n = Number(value)
	return nil
}

// Known reports whether the number is finite.
func (n Number) Known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// Count returns the number of samples or iterations behind the score.
func (m Metric) Count() int64 {
	var sum float64
	for _, fork := range m.RawData {
		sum += float64(len(fork))
	}
	for _, fork := range m.RawDataHistogram {
		for _, iteration := range fork {
			for _, bar := range iteration {
				if IsOfSamples(bar) {
					sum += float64(bar[1])
				}
			}
		}
	}
	return int64(min(sum, 1<<62)) // more would not fit
}

// IsOfSamples reports whether a bar of a histogram has a value, and how many samples have it.
func IsOfSamples(bar [2]Number) bool { return bar[0].Known() && bar[1].Known() && bar[1] > 0 }

// Percentile returns the value that the part q (0–1) of the samples does not exceed; false says that JMH did not write
// it.
func (m Metric) Percentile(q float64) (float64, bool) {
	for name, value := range m.Percentiles {
		percent, err := strconv.ParseFloat(name, 64)
		if err == nil && math.Abs(percent-100*q) < 1e-9 && value.Known() {
			return float64(value), true
		}
	}
	return 0, false
}

// Is reports whether a file with this beginning can be one of JMH's: an array, whereas a results file of rpcbench has objects.
func Is(beginning []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(beginning, " \t\r\n"), []byte("["))
}

// ReadFile reads the file at path.
func ReadFile(path string) (*File, error) {
	file, err := infile.OpenAgain(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file, path)
}

// fileBytesMax and limits bound a file before it is decoded.
const fileBytesMax = 256 << 20

var limits = jsonbound.Limits{Depth: 32, Members: 200_000, Values: 1 << 22}

// Read reads a file; name stands for it in errors. A file without a benchmark and a truncated file are errors.
func Read(r io.Reader, name string) (*File, error) {
	file := &File{Name: name}
	text, err := infile.ReadFrom(r, name, fileBytesMax)
	if err != nil {
		return nil, err
	}
	if err := limits.Check(text); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&file.Benchmarks); err != nil {
		return nil, fmt.Errorf("%s: not a JMH results file: %w", name, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: not a JMH results file: there is data after the array", name)
	}
	if len(file.Benchmarks) == 0 {
		return nil, fmt.Errorf("%s: the file has no benchmark", name)
	}
	for i, b := range file.Benchmarks {
		if b.Name == "" || b.Mode == "" || b.Primary.Unit == "" {
			return nil, fmt.Errorf("%s: not a JMH results file: benchmark %d has no name, mode or unit", name, i+1)
		}
	}
	return file, nil
}
