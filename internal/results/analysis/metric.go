package analysis

import (
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/record"
)

// A Metric names a figure that every trial has by itself. Its text is the column's name in CSV and JSON, unit last.
type Metric string

// The metrics. A figure that is not applicable to a trial, or unknown, is absent; it is never 0 or NaN.
const (
	CallsPerSec      Metric = "calls_per_sec"      // OK calls by the elapsed time
	MessagesPerSec   Metric = "messages_per_sec"   // received by the client, of an upload sent; not of unary calls
	PayloadMBPerSec  Metric = "payload_mb_per_sec" // 10^6 payload bytes, both directions together
	ResponseP50Ns    Metric = "response_p50_ns"
	ResponseP90Ns    Metric = "response_p90_ns"
	ResponseP95Ns    Metric = "response_p95_ns"
	ResponseP99Ns    Metric = "response_p99_ns"
	ResponseP999Ns   Metric = "response_p999_ns"
	ResponseMaxNs    Metric = "response_max_ns"
	ServiceP50Ns     Metric = "service_p50_ns" // this and the next three: open loads only
	ServiceP99Ns     Metric = "service_p99_ns"
	WakeP99Ns        Metric = "wake_p99_ns"
	QueueP99Ns       Metric = "queue_p99_ns"
	ErrorP50Ns       Metric = "error_p50_ns"           // of the calls that failed
	ClientCPUPerCall Metric = "client_cpu_ns_per_call" // user and system, of the whole process, by OK calls
	ServerCPUPerCall Metric = "server_cpu_ns_per_call"
	WireOutPerCall   Metric = "wire_bytes_out_per_call" // above TCP, as the client sees it, by OK calls
	WireInPerCall    Metric = "wire_bytes_in_per_call"
	// Sockets counts those that the client opened: for its pool, or, where each call opens one, for the measured calls.
	Sockets Metric = "sockets"

	ClientCPUPerMessage    Metric = "client_cpu_ns_per_message" // messages as in MessagesPerSec
	ServerCPUPerMessage    Metric = "server_cpu_ns_per_message"
	ClientPacerPerCall     Metric = "client_pacer_cpu_ns_per_call" // part of ClientCPUPerCall: the instrument's own
	ClientPeakMemory       Metric = "client_peak_memory_bytes"
	ServerPeakMemory       Metric = "server_peak_memory_bytes"
	ClientAllocsPerCall    Metric = "client_allocations_per_call"
	ServerAllocsPerCall    Metric = "server_allocations_per_call"
	ClientAllocatedPerCall Metric = "client_allocated_bytes_per_call"
	ServerAllocatedPerCall Metric = "server_allocated_bytes_per_call"
	WirePerCall            Metric = "wire_bytes_per_call" // out and in together
	ClientGCCycles         Metric = "client_gc_cycles"    // this and the next in all of the measured phase
	ClientGCPauseNs        Metric = "client_gc_pause_ns"
	ClientGCPausePerSec    Metric = "client_gc_pause_ns_per_sec"
	ClientHeapBytes        Metric = "client_heap_bytes" // in use at its end, garbage included
	ServerGCCycles         Metric = "server_gc_cycles"
	ServerGCPauseNs        Metric = "server_gc_pause_ns"
	ServerGCPausePerSec    Metric = "server_gc_pause_ns_per_sec"
	ServerHeapBytes        Metric = "server_heap_bytes"

	// ElapsedPerCall is the elapsed time by the OK calls, as go test reckons ns/op: with several calls in flight it is a
	// share of the time and no latency.
	ElapsedPerCall    Metric = "elapsed_ns_per_call"
	ElapsedPerMessage Metric = "elapsed_ns_per_message" // messages as in MessagesPerSec
	// ResponseMeanNs leaves out what happens between calls: checking replies, closing connections.
	ResponseMeanNs Metric = "response_mean_ns"

	// NsPerOperation and the next are of encode and decode, whose calls are many operations each. They have no other
	// metrics but those of memory and garbage collection, because how many operations a call has says nothing of the codec.
	NsPerOperation        Metric = "ns_per_operation"
	OperationMBPerSec     Metric = "operation_mb_per_sec" // 10^6 encoded bytes
	EncodedBytes          Metric = "encoded_bytes"
	GzippedBytes          Metric = "gzipped_bytes"
	AllocsPerOperation    Metric = "allocations_per_operation"
	AllocatedPerOperation Metric = "allocated_bytes_per_operation"
	ClientCPUPerOperation Metric = "client_cpu_ns_per_operation"

	// OperationsPerSec and the next are of calls whose messages are batches of operations.
	OperationsPerSec     Metric = "operations_per_sec"            // of OK calls
	ResponsePerOperation Metric = "response_p50_ns_per_operation" // an operation's share; each waits for the whole batch
	WireOutPerOperation  Metric = "wire_bytes_out_per_operation"  // as WireOutPerCall
	WireInPerOperation   Metric = "wire_bytes_in_per_operation"
	ElapsedPerBatch      Metric = "elapsed_ns_per_batch" // a message's share of the elapsed time

	// RelayLateP99Ns and the next are of the emulated link, where there is one.
	RelayLateP99Ns Metric = "relay_late_p99_ns"    // how much later than due it passed bytes on
	RelayCPUPerSec Metric = "relay_cpu_ns_per_sec" // of its process, without waiting for due times
	LinkUpUsed     Metric = "link_up_used_ratio"   // of its bandwidth, to servers; absent without a limit
	LinkDownUsed   Metric = "link_down_used_ratio" // to clients

	// HiccupP99Ns and the next are of the whole machine in the measured phase.
	HiccupP99Ns    Metric = "hiccup_p99_ns" // how late a thread woke that did nothing but sleep
	HiccupMaxNs    Metric = "hiccup_max_ns"
	HostStealRatio Metric = "host_steal_ratio" // of all processors' time, given by the hypervisor to other machines
	HostOtherRatio Metric = "host_other_ratio" // of all processors' time, used by processes that are not the trial's
	// EnergyPerCall is what all processor packages used, whoever used it, by OK calls; of machines that tell.
	EnergyPerCall         Metric = "energy_joules_per_call"
	ClientSwitchesPerCall Metric = "client_switches_per_call" // context switches, voluntary or not, of all threads
	ServerSwitchesPerCall Metric = "server_switches_per_call"
	WarmupNs              Metric = "warmup_ns" // how long the warm-up took

	// FirstReplyP50Ns and the next are of messages within the calls of somebody else's methods: see result.HistFirstReply.
	FirstReplyP50Ns Metric = "first_reply_p50_ns"
	FirstReplyP99Ns Metric = "first_reply_p99_ns"
	FirstReplyMaxNs Metric = "first_reply_max_ns"
	ReplyGapP50Ns   Metric = "reply_gap_p50_ns"
	ReplyGapP99Ns   Metric = "reply_gap_p99_ns"
	ReplyGapMaxNs   Metric = "reply_gap_max_ns"
	MessageP50Ns    Metric = "message_p50_ns"
	MessageP99Ns    Metric = "message_p99_ns"
	MessageMaxNs    Metric = "message_max_ns"
	MessageLagP50Ns Metric = "message_lag_p50_ns"
	MessageLagP99Ns Metric = "message_lag_p99_ns"
	MessageLagMaxNs Metric = "message_lag_max_ns"
	UnpairedReplies Metric = "unpaired_replies" // of streams: that answer no message that waited
)

// Metrics lists all metrics in the order of their columns.
func Metrics() []Metric {
	names := make([]Metric, len(metrics))
	for i, m := range metrics {
		names[i] = m.name
	}
	return names
}

var metrics = []struct {
	name Metric
	of   func(*measurement) (float64, bool)
}{
	{CallsPerSec, func(m *measurement) (float64, bool) { return m.perSec(m.ok) }},
	{MessagesPerSec, messagesPerSec},
	{PayloadMBPerSec, payloadMBPerSec},
	{ResponseP50Ns, quantile(result.HistResponse, 0.5)},
	{ResponseP90Ns, quantile(result.HistResponse, 0.9)},
	{ResponseP95Ns, quantile(result.HistResponse, 0.95)},
	{ResponseP99Ns, quantile(result.HistResponse, 0.99)},
	{ResponseP999Ns, quantile(result.HistResponse, 0.999)},
	{ResponseMaxNs, quantile(result.HistResponse, 1)},
	{ServiceP50Ns, ofOpen(quantile(result.HistService, 0.5))},
	{ServiceP99Ns, ofOpen(quantile(result.HistService, 0.99))},
	{WakeP99Ns, ofOpen(quantile(result.HistWake, 0.99))},
	{QueueP99Ns, ofOpen(quantile(result.HistQueue, 0.99))},
	{ErrorP50Ns, quantile(result.HistError, 0.5)},
	{ClientCPUPerCall, perCall(client, cpu)},
	{ServerCPUPerCall, perCall(server, cpu)},
	{WireOutPerCall, wire(bytesOut, bytesIn)},
	{WireInPerCall, wire(bytesIn, bytesOut)},
	{WirePerCall, wire(bytesBoth, bytesBoth)},
	{Sockets, sockets},
	{ClientCPUPerMessage, cpuPerMessage(client)},
	{ServerCPUPerMessage, cpuPerMessage(server)},
	{ClientPacerPerCall, ofOpen(perCall(client, func(s *result.Snapshot) *int64 { return s.PacerCPUNs }))},
	{ClientPeakMemory, peakMemory(client)},
	{ServerPeakMemory, peakMemory(server)},
	{ClientAllocsPerCall, perCall(client, allocations)},
	{ServerAllocsPerCall, perCall(server, allocations)},
	{ClientAllocatedPerCall, perCall(client, allocated)},
	{ServerAllocatedPerCall, perCall(server, allocated)},
	{ClientGCCycles, spent(client, gcCycles)},
	{ClientGCPauseNs, spent(client, gcPause)},
	{ClientGCPausePerSec, pausePerSec(client)},
	{ClientHeapBytes, heap(client)},
	{ServerGCCycles, spent(server, gcCycles)},
	{ServerGCPauseNs, spent(server, gcPause)},
	{ServerGCPausePerSec, pausePerSec(server)},
	{ServerHeapBytes, heap(server)},
	{ElapsedPerCall, func(m *measurement) (float64, bool) { return m.elapsedPer(m.ok, true) }},
	{ElapsedPerMessage, elapsedPerMessage},
	{ResponseMeanNs, responseMean},
	{NsPerOperation, nsPerOperation},
	{OperationMBPerSec, operationMBPerSec},
	{EncodedBytes, codecBytes(encodedBytes)},
	{GzippedBytes, codecBytes(gzippedBytes)},
	{AllocsPerOperation, perOperation(allocations)},
	{AllocatedPerOperation, perOperation(allocated)},
	{ClientCPUPerOperation, perOperation(cpu)},
	{OperationsPerSec, operationsPerSec},
	{ResponsePerOperation, responsePerOperation},
	{WireOutPerOperation, perBatched(wire(bytesOut, bytesIn))},
	{WireInPerOperation, perBatched(wire(bytesIn, bytesOut))},
	{ElapsedPerBatch, elapsedPerBatch},
	{RelayLateP99Ns, relayLate},
	{RelayCPUPerSec, relayCPU},
	{LinkUpUsed, linkUsed(linkUp)},
	{LinkDownUsed, linkUsed(linkDown)},
	{HiccupP99Ns, hiccup(func(h result.Hiccups) int64 { return h.P99Ns })},
	{HiccupMaxNs, hiccup(func(h result.Hiccups) int64 { return h.MaxNs })},
	{HostStealRatio, hostSteal},
	{HostOtherRatio, hostOther},
	{EnergyPerCall, energyPerCall},
	{ClientSwitchesPerCall, perCall(client, switches)},
	{ServerSwitchesPerCall, perCall(server, switches)},
	{WarmupNs, warmupNs},
	{FirstReplyP50Ns, quantile(result.HistFirstReply, 0.5)},
	{FirstReplyP99Ns, quantile(result.HistFirstReply, 0.99)},
	{FirstReplyMaxNs, quantile(result.HistFirstReply, 1)},
	{ReplyGapP50Ns, quantile(result.HistReplyGap, 0.5)},
	{ReplyGapP99Ns, quantile(result.HistReplyGap, 0.99)},
	{ReplyGapMaxNs, quantile(result.HistReplyGap, 1)},
	{MessageP50Ns, quantile(result.HistMessage, 0.5)},
	{MessageP99Ns, quantile(result.HistMessage, 0.99)},
	{MessageMaxNs, quantile(result.HistMessage, 1)},
	{MessageLagP50Ns, quantile(result.HistMessageLag, 0.5)},
	{MessageLagP99Ns, quantile(result.HistMessageLag, 0.99)},
	{MessageLagMaxNs, quantile(result.HistMessageLag, 1)},
	{UnpairedReplies, unpairedReplies},
}

// ofOperations are the metrics that encode and decode have, and other kinds some of.
var ofOperations = []Metric{
	NsPerOperation, OperationMBPerSec, EncodedBytes, GzippedBytes, AllocsPerOperation, AllocatedPerOperation,
	ClientCPUPerOperation, ClientPeakMemory, ClientGCCycles, ClientGCPauseNs, ClientGCPausePerSec, ClientHeapBytes,
	HiccupP99Ns, HiccupMaxNs, HostStealRatio, HostOtherRatio, WarmupNs,
}

func quantile(histogram string, q float64) func(*measurement) (float64, bool) {
	return func(m *measurement) (float64, bool) {
		h := m.histograms[histogram]
		if h == nil || h.TotalCount() == 0 {
			return 0, false
		}
		return float64(record.Quantile(h, q)), true
	}
}

func ofOpen(of func(*measurement) (float64, bool)) func(*measurement) (float64, bool) {
	return func(m *measurement) (float64, bool) {
		if m.key.Closed() {
			return 0, false
		}
		return of(m)
	}
}

// perSec is a rate over the measured phase.
func (m *measurement) perSec(n int64) (float64, bool) {
	if m.trial.ElapsedNs <= 0 {
		return 0, false
	}
	return float64(n) / (float64(m.trial.ElapsedNs) / 1e9), true
}

// elapsedPer shares the measured phase among n.
func (m *measurement) elapsedPer(n int64, applies bool) (float64, bool) {
	if !applies || n == 0 || m.trial.ElapsedNs <= 0 {
		return 0, false
	}
	return float64(m.trial.ElapsedNs) / float64(n), true
}

func elapsedPerMessage(m *measurement) (float64, bool) { return m.elapsedPer(m.messages()) }

func responseMean(m *measurement) (float64, bool) {
	h := m.histograms[result.HistResponse]
	if h == nil || h.TotalCount() == 0 {
		return 0, false
	}
	return h.Mean(), true
}

// messages counts what the kind is about: what an upload sends, and what every other kind receives.
func (m *measurement) messages() (int64, bool) {
	switch m.key.Kind {
	case stack.KindStream, stack.KindPingPong, stack.KindBurst, stack.KindDownload:
		return m.trial.MessagesIn, true
	case stack.KindUpload:
		return m.trial.MessagesOut, true
	default:
		return 0, false
	}
}

// unpairedReplies counts the replies of streams that no message is timed by.
func unpairedReplies(m *measurement) (float64, bool) {
	return float64(m.trial.UnpairedReplies), m.key.Method != "" && m.key.Kind == stack.KindStream
}

func messagesPerSec(m *measurement) (float64, bool) {
	n, ok := m.messages()
	if !ok {
		return 0, false
	}
	return m.perSec(n)
}

func payloadMBPerSec(m *measurement) (float64, bool) {
	if m.key.Opens() {
		return 0, false
	}
	bytes, ok := m.perSec(m.trial.PayloadOut + m.trial.PayloadIn)
	return bytes / 1e6, ok
}

// A figure is one of a process's own counters; nil is unknown.
type figure func(*result.Snapshot) *int64

func cpu(s *result.Snapshot) *int64 {
	sum := s.CPUUserNs + s.CPUSystemNs
	return &sum
}

func bytesOut(s *result.Snapshot) *int64 { return s.BytesOut }
func bytesIn(s *result.Snapshot) *int64  { return s.BytesIn }
func bytesBoth(s *result.Snapshot) *int64 {
	if s.BytesOut == nil || s.BytesIn == nil {
		return nil
	}
	sum := *s.BytesOut + *s.BytesIn
	return &sum
}

func allocations(s *result.Snapshot) *int64 { return s.Allocations }
func allocated(s *result.Snapshot) *int64   { return s.AllocatedBytes }
func gcCycles(s *result.Snapshot) *int64    { return s.GCCycles }
func gcPause(s *result.Snapshot) *int64     { return s.GCPauseNs }

type sideOf func(*result.Trial) *result.Side

func client(t *result.Trial) *result.Side { return &t.Client }
func server(t *result.Trial) *result.Side { return &t.Server }

// spent is what a process used of a figure in the measured phase.
func spent(side sideOf, of figure) func(*measurement) (float64, bool) {
	return func(m *measurement) (float64, bool) {
		s := side(m.trial)
		if s.Begin == nil || s.End == nil {
			return 0, false
		}
		begin, end := of(s.Begin), of(s.End)
		if begin == nil || end == nil {
			return 0, false
		}
		return float64(*end - *begin), true
	}
}

// pausePerSec is how long a process stood still in a second of the measured phase.
func pausePerSec(side sideOf) func(*measurement) (float64, bool) {
	return func(m *measurement) (float64, bool) {
		pause, ok := spent(side, gcPause)(m)
		if !ok || m.trial.ElapsedNs <= 0 {
			return 0, false
		}
		return pause / (float64(m.trial.ElapsedNs) / 1e9), true
	}
}

func heap(side sideOf) func(*measurement) (float64, bool) {
	return func(m *measurement) (float64, bool) {
		s := side(m.trial)
		if s.End == nil || s.End.HeapBytes == nil {
			return 0, false
		}
		return float64(*s.End.HeapBytes), true
	}
}

// perCall shares what a process used among the OK calls. Beside a background it is unknown, whose call used what.
func perCall(side sideOf, of figure) func(*measurement) (float64, bool) {
	return func(m *measurement) (float64, bool) {
		used, ok := spent(side, of)(m)
		if !ok || m.ok == 0 || m.key.Background != "" {
			return 0, false
		}
		return used / float64(m.ok), true
	}
}

func cpuPerMessage(side sideOf) func(*measurement) (float64, bool) {
	return func(m *measurement) (float64, bool) {
		used, known := spent(side, cpu)(m)
		n, applies := m.messages()
		if !known || !applies || n == 0 || m.key.Background != "" {
			return 0, false
		}
		return used / float64(n), true
	}
}

// wire is a direction as the client sees it: what the server counted is exchanged.
func wire(atClient, atServer figure) func(*measurement) (float64, bool) {
	return func(m *measurement) (float64, bool) {
		switch m.trial.WireCountedAt {
		case "client":
			return perCall(client, atClient)(m)
		case "server":
			return perCall(server, atServer)(m)
		default:
			return 0, false
		}
	}
}

func sockets(m *measurement) (float64, bool) {
	if m.key.Opens() {
		return spent(client, func(s *result.Snapshot) *int64 { return &s.Sockets })(m)
	}
	if m.trial.Client.End == nil {
		return 0, false
	}
	return float64(m.trial.Client.End.Sockets), true
}

func peakMemory(side sideOf) func(*measurement) (float64, bool) {
	return func(m *measurement) (float64, bool) {
		s := side(m.trial)
		if s.End == nil {
			return 0, false
		}
		return float64(s.End.PeakMemoryBytes), true
	}
}
