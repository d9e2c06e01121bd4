// Package formats prints reports as other tools do, for programs that read theirs: go test's benchmarks, HdrHistogram's
// percentile text and interval log, and the layouts of Vanadium's and grpc-java's benchmarks. One file per format.
package formats

import (
	"fmt"
	"io"

	"rpcbench/internal/results/analysis"
)

// Formats of others.
const (
	GoBench = "go-bench"
	Hgrm    = "hgrm" // a directory of files, see WriteHgrmFolder

	Histogram = "histogram" // this and the next two as Vanadium's benchmarks print
	Vanadium  = "vanadium"
	Simple    = "simple" // of the scenario simple only
	QPS       = "qps"    // as grpc-java's qps_client and openloop_client print
	Hlog      = "hlog"   // HdrHistogram's interval log

	ScenarioResult = "scenario-result" // as gRPC's qps_json_driver writes it
)

// streams are the formats that are one stream.
var streams = map[string]func(io.Writer, *analysis.Report) error{
	GoBench:   writeGoBench,
	Histogram: writeHistograms,
	Vanadium:  writeVanadium,
	Simple:    writeSimple,
	QPS:       writeQPS,
	Hlog:      writeHlogOf,

	ScenarioResult: writeScenarioResults,
}

// IsStream reports whether Write prints the format.
func IsStream(format string) bool { return streams[format] != nil }

// Write prints a report in a format that is one stream.
func Write(w io.Writer, format string, r *analysis.Report) error {
	write, ok := streams[format]
	if !ok {
		return fmt.Errorf("the format %q is not one stream of another tool", format)
	}
	return write(w, r)
}
