package formats

import (
	"io"
	"math"
	"strconv"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/note"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/stack"
)

// qpsColumn is the column of the values, counted from 1, as in grpc-java's clients, whose output scripts cut there.
const qpsColumn = 33

// writeQPS prints each row as grpc-java's qps_client prints its run or, for an open load, as openloop_client does: integers, with
// times in microseconds. If there are several rows, a line before each names it. Failures, which those clients don't count,
// follow. Encoding and decoding have no such lines.
func writeQPS(w io.Writer, r *analysis.Report) error {
	var rows []*analysis.Row
	for _, row := range r.Rows {
		if !row.Spec.Coding() {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return document.Misfit("--format qps needs calls to a server, and the results have none")
	}
	out := &printer{w: w}
	for i, row := range rows {
		if i > 0 {
			out.printf("\n")
		}
		if len(rows) > 1 {
			out.printf("%s\n", goName(row))
		}
		writeQPSRow(out, row)
	}
	return out.err
}

// qpsLatencies are the lines between the payload and the rate.
var qpsLatencies = []struct {
	name   string
	metric analysis.Metric
}{
	{"50%ile Latency (in micros):", analysis.ResponseP50Ns},
	{"90%ile Latency (in micros):", analysis.ResponseP90Ns},
	{"95%ile Latency (in micros):", analysis.ResponseP95Ns},
	{"99%ile Latency (in micros):", analysis.ResponseP99Ns},
	{"99.9%ile Latency (in micros):", analysis.ResponseP999Ns},
	{"Maximum Latency (in micros):", analysis.ResponseMaxNs},
}

func writeQPSRow(out *printer, row *analysis.Row) {
	line := func(name string, value any) { out.printf("%-*s%v\n", qpsColumn-1, name, value) }
	if row.Spec.Closed() {
		line("Channels:", row.Spec.Connections)
		line("Outstanding RPCs per Channel:", row.Spec.InFlight)
	}
	if server, client, ok := qpsPayloads(row); ok {
		line("Server Payload Size:", server)
		line("Client Payload Size:", client)
	}
	for _, latency := range qpsLatencies {
		if s, ok := row.Summary(latency.metric); ok {
			line(latency.name, whole64(s.Median/1e3))
		}
	}
	if s, ok := row.Summary(qpsRate(row.Spec)); ok {
		name := "QPS:"
		if !row.Spec.Closed() {
			name = "Actual QPS:"
		}
		line(name, whole64(s.Median))
	}
	if !row.Spec.Closed() {
		line("Target QPS:", strconv.FormatFloat(row.Spec.OfferedPerSec, 'f', -1, 64))
	}
	if len(row.Outcomes) > 0 {
		out.printf("%s: %s\n", row.Verdict(), note.Outcomes(row))
	}
	if len(row.Failed) > 0 {
		out.printf("%s: %s\n", analysis.VerdictFailed, note.Failures(row))
	}
	for _, note := range note.Evidence(row) {
		out.printf("%s\n", note)
	}
}

// qpsPayloads returns the sizes of a message in each direction. For a user's own method, which has no fixed sizes, they are the
// means of those sent and received, or unknown if nobody counted them.
func qpsPayloads(row *analysis.Row) (server, client int64, ok bool) {
	if row.Spec.Method == nil {
		return int64(row.Spec.ResponseBytes), int64(row.Spec.RequestBytes), true
	}
	var in, messagesIn, out, messagesOut int64
	for _, trial := range row.Trials {
		in, messagesIn = in+trial.PayloadIn, messagesIn+trial.MessagesIn
		out, messagesOut = out+trial.PayloadOut, messagesOut+trial.MessagesOut
	}
	if messagesIn == 0 || messagesOut == 0 {
		return 0, 0, false
	}
	return whole64(float64(in) / float64(messagesIn)), whole64(float64(out) / float64(messagesOut)), true
}

// qpsRate counts the units of the latency: messages of an open stream, otherwise calls.
func qpsRate(spec plan.Spec) analysis.Metric {
	if spec.Kind == stack.KindPingPong {
		return analysis.MessagesPerSec
	}
	return analysis.CallsPerSec
}

func whole64(value float64) int64 { return int64(math.Round(value)) }
