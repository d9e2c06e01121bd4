package formats

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// goUnits are the metrics of a Go benchmark line after ns/op, with their names there: first those of go test, then our own.
var goUnits = []struct {
	metric analysis.Metric
	unit   string
}{
	{analysis.PayloadMBPerSec, knownRate}, // 10^6 bytes, both directions
	{analysis.ClientAllocatedPerCall, "B/op"},
	{analysis.ClientAllocsPerCall, "allocs/op"},
	{analysis.ResponseP50Ns, "p50-ns"},
	{analysis.ResponseP99Ns, "p99-ns"},
	{analysis.CallsPerSec, "calls/s"},
	{analysis.MessagesPerSec, "messages/s"},
	{analysis.OperationsPerSec, "ops/s"}, // of batches
	{analysis.ClientCPUPerCall, "client-cpu-ns/op"},
	{analysis.ServerCPUPerCall, "server-cpu-ns/op"},
	{analysis.WireOutPerCall, "wire-out-B/op"},
	{analysis.WireInPerCall, "wire-in-B/op"},
	{analysis.OperationMBPerSec, knownRate}, // 10^6 encoded bytes; these and the next of encode and decode
	{analysis.AllocatedPerOperation, "B/op"},
	{analysis.AllocsPerOperation, "allocs/op"},
	{analysis.EncodedBytes, "encoded-B"},
	{analysis.GzippedBytes, "gzipped-B"},
	{analysis.ClientCPUPerOperation, "client-cpu-ns/op"},
}

// knownRate is the metric that readers of the format know to be better when higher.
const knownRate = "MB/s"

// writeGoBench prints the Go benchmark data format (golang.org/design/14313-benchmark-format), one line per trial, so that
// benchstat has its samples. As in go test, ns/op is the window divided by the number of OK calls in it: with many calls in
// flight it is not a latency. A trial without OK calls is a FAIL line, and caveats of a row are lines with #; readers of the
// format skip both.
func writeGoBench(w io.Writer, r *analysis.Report) error {
	out := &printer{w: w}
	var source *analysis.Source
	for _, row := range r.Rows {
		if row.Source != source {
			source = row.Source
			writeGoConfig(out, source)
		}
		name := goName(row)
		for _, trial := range row.Trials {
			writeGoTrial(out, name, source.Header.Driver().Processors, trial)
		}
		for range row.Failed {
			out.printf("--- FAIL: %s\n", name)
		}
		for _, d := range row.Doubts() {
			out.printf("# %s: %s in %d of %d trials: %s\n", name, d.Verdict, d.Trials, row.Judged(), note.OneLine(d.Why))
		}
	}
	return out.err
}

func writeGoConfig(out *printer, source *analysis.Source) {
	host := source.Header.Driver()
	out.printf("goos: %s\ngoarch: %s\npkg: rpcbench\n", host.OS, host.Arch)
	if cpu := strings.Join(strings.Fields(host.CPU), " "); cpu != "" {
		out.printf("cpu: %s\n", cpu)
	}
	for _, u := range goUnits {
		if u.metric.Declare().Kind.Better() == stat.Higher && u.unit != knownRate {
			out.printf("Unit %s better=higher\n", u.unit)
		}
	}
}

func writeGoTrial(out *printer, name string, processors int, trial *analysis.Trial) {
	operations, metric := trial.InWindow(), analysis.ElapsedPerCall
	if n := trial.Operations(); n > 0 {
		operations, metric = n, analysis.NsPerOperation
	}
	nsPerOp, ok := trial.Value(metric)
	if !ok {
		out.printf("--- FAIL: %s\n", name)
		return
	}
	out.printf("%s-%d\t%d\t%.1f ns/op", name, max(processors, 1), operations, nsPerOp)
	for _, u := range goUnits {
		if value, ok := trial.Value(u.metric); ok {
			out.printf("\t%s %s", goNumber(u.metric, value), u.unit)
		}
	}
	out.printf("\n")
}

// goNumber prints whole nanoseconds, and enough digits of all else that small figures differ as large ones do.
func goNumber(m analysis.Metric, value float64) string {
	if whole, ok := cell.Exact(m, value).(int64); ok {
		return document.Value(whole)
	}
	return number.Short(value)
}

// goName is Vanadium's name of a case, or Benchmark followed by what distinguishes the row. A capital letter follows Benchmark,
// as in the names of Go benchmarks.
func goName(row *analysis.Row) string {
	if name := echoName(row); name != "" {
		return name
	}
	scenario := []byte("Benchmark" + naming.Safe(row.Key.Scenario) + "/")
	scenario[len("Benchmark")] = byte(unicode.ToUpper(rune(scenario[len("Benchmark")])))
	return string(scenario) + strings.Join(naming.Parts(row.Spec), "/")
}

// A printer prints Lines without invisible characters, and keeps the first error of many prints.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// Write makes a printer an io.Writer.
func (p *printer) Write(text []byte) (int, error) {
	if p.err == nil {
		_, p.err = plain.Writer{To: p.w}.Write(text)
	}
	return len(text), p.err
}
