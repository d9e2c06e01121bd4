package analysis

import (
	"fmt"
	"slices"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/stat"
)

// A Metric is the name of a figure of a trial: its column in CSV, its member in JSON. The rest is in its Declaration.
type Metric string

// A Declaration describes a metric. Columns, comparisons, requirements, tables and the manual are generated from it; nothing is
// guessed from a name.
type Declaration struct {
	Metric Metric
	Name   string // without its unit, as requirements, comparisons and sentences have it
	Kind   Kind
	Traits Trait
	of     formula
	Is     string // what it is, for the manual
	Absent string // where it is empty, for the manual; "" for a metric without a column
	// Quantile of its histogram, 0 for other metrics. It determines how many samples the metric needs.
	Quantile  float64
	histogram string // that Quantile is of
	judges    Metric // of OK calls alone, in whose place this one of all calls is held against a bound
}

// A formula computes a metric of a trial. False says that it is not applicable, or unknown: absent, never 0 or NaN.
type formula func(*measurement) (float64, bool)

// A Trait is something that some metrics have and others have not.
type Trait int

// Traits.
const (
	InCSV     Trait = 1 << iota // it has a column of its median over trials
	Spread                      // it has two more, of the ends of its spread
	OpenLoads                   // closed loads don't have it
	OfCodecs                    // encode and decode have it
	OfFailed                    // so have trials that failed, where no other counts
	Appended                    // its column came after the order was sealed, and stands behind the appended keys
)

// Has reports whether the metric has a trait, or all of several.
func (d *Declaration) Has(t Trait) bool { return d.Traits&t == t }

// A Precision is the number of digits of a metric in output for programs.
type Precision int

// Precisions.
const (
	Whole        Precision = iota
	Thousandths            // three decimals
	Significant6           // six significant digits, of what may be tiny
)

// A Kind is a class of similar metrics.
type Kind int

// Kinds of metrics.
const (
	Latency     Kind = iota // how long something took
	TimeShare               // of an operation in a time, far below a microsecond
	CPUTime                 // processor time of each call, message or operation
	Stopped                 // how long a process stood still
	EachSecond              // time in each second
	Throughput              // how many in a second
	Size                    // bytes of a message
	Memory                  // bytes that a process takes
	BytesEach               // bytes of each call or operation
	Count                   // things that are counted
	CountEach               // of each call or operation
	Part                    // of a whole, 0 to 1
	Clock                   // at which processors run
	Energy                  // of each call
	EnergyShare             // of an operation, far below a microjoule
)

var kindTable = [...]struct {
	unit      number.Unit
	scale     number.Scale
	better    stat.Better
	precision Precision
	isSpeed   bool
}{
	Latency:    {number.Nanoseconds, byFigures, stat.Lower, Whole, true},
	TimeShare:  {number.Nanoseconds, number.Scale{Name: "ns", By: 1}, stat.Lower, Thousandths, true},
	CPUTime:    {number.Nanoseconds, byFigures, stat.Lower, Whole, false},
	Stopped:    {number.Nanoseconds, byFigures, stat.Lower, Whole, false},
	EachSecond: {number.Nanoseconds, number.Scale{Name: "ms/s", By: 1e6}, stat.Lower, Whole, false},
	Throughput: {number.None, asTheyAre, stat.Higher, Thousandths, true},
	Size:       {number.Bytes, asTheyAre, stat.Lower, Whole, false},
	Memory:     {number.Bytes, number.Scale{Name: "MB", By: 1e6}, stat.Lower, Whole, false},
	BytesEach:  {number.Bytes, asTheyAre, stat.Lower, Thousandths, false},
	Count:      {number.None, asTheyAre, stat.Lower, Whole, false},
	CountEach:  {number.None, asTheyAre, stat.Lower, Thousandths, false},
	Part:       {number.None, asTheyAre, stat.Lower, Thousandths, false},
	Clock:      {number.None, number.Scale{Name: "MHz", By: 1}, stat.Higher, Whole, false},
	Energy:     {number.Joules, number.Scale{Name: "µJ/call", By: 1e-6}, stat.Lower, Significant6, false},

	EnergyShare: {number.Joules, number.Scale{Name: "nJ/op", By: 1e-9}, stat.Lower, Significant6, false},
}

var (
	asTheyAre = number.Scale{By: 1}
	byFigures = number.Scale{}
)

// Unit returns the unit of values of this kind.
func (k Kind) Unit() number.Unit { return kindTable[k].unit }

// Scale returns the scale of columns of this kind; the zero Scale if the figures decide.
func (k Kind) Scale() number.Scale { return kindTable[k].scale }

// IsWhole reports whether values of this kind are integers, and printed as they are.
func (k Kind) IsWhole() bool { return k.Precision() == Whole && k.Scale() == asTheyAre }

// Better is which direction of this kind is good.
func (k Kind) Better() stat.Better { return kindTable[k].better }

// Precision returns the number of digits of this kind in output for programs.
func (k Kind) Precision() Precision { return kindTable[k].precision }

// IsSpeed reports whether better values of this kind are called faster, and not less.
func (k Kind) IsSpeed() bool { return kindTable[k].isSpeed }

// Declarations returns all metrics, in the order of the tables.
func Declarations() []Declaration { return slices.Clone(declarations) }

// Metrics returns their names, in the same order.
func Metrics() []Metric {
	names := make([]Metric, len(declarations))
	for i, d := range declarations {
		names[i] = d.Metric
	}
	return names
}

// Declare returns the declaration of a metric. There is none of a name from elsewhere: look it up with Find.
func (m Metric) Declare() *Declaration {
	if d := byMetric[m]; d != nil {
		return d
	}
	panic(fmt.Sprintf("analysis: unknown metric %q", string(m)))
}

// Find returns the metric of that name, with its unit or without.
func Find(name string) (Metric, bool) {
	i := slices.IndexFunc(declarations, func(d Declaration) bool { return name == string(d.Metric) || name == d.Name })
	if i < 0 {
		return "", false
	}
	return declarations[i].Metric, true
}

var byMetric = func() map[Metric]*Declaration {
	all := map[Metric]*Declaration{}
	for i := range declarations {
		all[declarations[i].Metric] = &declarations[i]
	}
	return all
}()

// The metrics. declared.go describes each.
const (
	CallsPerSec          Metric = "calls_per_sec"
	MessagesPerSec       Metric = "messages_per_sec"
	PayloadMBPerSec      Metric = "payload_mb_per_sec"
	OperationsPerSec     Metric = "operations_per_sec"
	ResponseP50Ns        Metric = "response_p50_ns"
	ResponseP75Ns        Metric = "response_p75_ns"
	ResponseP90Ns        Metric = "response_p90_ns"
	ResponseP95Ns        Metric = "response_p95_ns"
	ResponseP99Ns        Metric = "response_p99_ns"
	ResponseP999Ns       Metric = "response_p999_ns"
	ResponseP9999Ns      Metric = "response_p9999_ns"
	ResponseMaxNs        Metric = "response_max_ns"
	ResponseMeanNs       Metric = "response_mean_ns"
	ErrorP50Ns           Metric = "error_p50_ns"
	ResponsePerOperation Metric = "response_p50_ns_per_operation"
	ElapsedPerCall       Metric = "elapsed_ns_per_call"
	ElapsedPerMessage    Metric = "elapsed_ns_per_message"
	ElapsedPerBatch      Metric = "elapsed_ns_per_batch"

	NsPerOperation    Metric = "ns_per_operation"
	OperationMBPerSec Metric = "operation_mb_per_sec"
	EncodedBytes      Metric = "encoded_bytes"
	GzippedBytes      Metric = "gzipped_bytes"
	PlainBytes        Metric = "plain_bytes"

	OperationPlainMBPerSec Metric = "operation_plain_mb_per_sec"

	ServiceP50Ns Metric = "service_p50_ns"
	ServiceP99Ns Metric = "service_p99_ns"
	QueueP99Ns   Metric = "queue_p99_ns"
	WakeP99Ns    Metric = "wake_p99_ns"

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
	UnpairedReplies Metric = "unpaired_replies"

	WireOutPerCall      Metric = "wire_bytes_out_per_call"
	WireInPerCall       Metric = "wire_bytes_in_per_call"
	WirePerCall         Metric = "wire_bytes_per_call"
	FramedOutPerCall    Metric = "framed_bytes_out_per_call"
	FramedInPerCall     Metric = "framed_bytes_in_per_call"
	WireOutPerOperation Metric = "wire_bytes_out_per_operation"
	WireInPerOperation  Metric = "wire_bytes_in_per_operation"
	Sockets             Metric = "sockets"

	CPUPerCall            Metric = "cpu_ns_per_call"
	ProxyCPUPerCall       Metric = "proxy_cpu_ns_per_call"
	ProxySwitchesPerCall  Metric = "proxy_switches_per_call"
	ProxyPeakMemory       Metric = "proxy_peak_memory_bytes"
	ClientCPUPerCall      Metric = "client_cpu_ns_per_call"
	ServerCPUPerCall      Metric = "server_cpu_ns_per_call"
	ClientPacerPerCall    Metric = "client_pacer_cpu_ns_per_call"
	ClientCPUPerMessage   Metric = "client_cpu_ns_per_message"
	ServerCPUPerMessage   Metric = "server_cpu_ns_per_message"
	ClientCPUPerOperation Metric = "client_cpu_ns_per_operation"
	ServerCPUPerOperation Metric = "server_cpu_ns_per_operation"
	ServerCPURatio        Metric = "server_cpu_ratio"
	ClientSwitchesPerCall Metric = "client_switches_per_call"
	ServerSwitchesPerCall Metric = "server_switches_per_call"
	EnergyPerCall         Metric = "energy_joules_per_call"
	EnergyPerOperation    Metric = "energy_joules_per_operation"

	ClientPeakMemory       Metric = "client_peak_memory_bytes"
	ServerPeakMemory       Metric = "server_peak_memory_bytes"
	ClientHeapBytes        Metric = "client_heap_bytes"
	ServerHeapBytes        Metric = "server_heap_bytes"
	ClientAllocsPerCall    Metric = "client_allocations_per_call"
	ServerAllocsPerCall    Metric = "server_allocations_per_call"
	ClientAllocatedPerCall Metric = "client_allocated_bytes_per_call"
	ServerAllocatedPerCall Metric = "server_allocated_bytes_per_call"
	AllocsPerOperation     Metric = "allocations_per_operation"
	AllocatedPerOperation  Metric = "allocated_bytes_per_operation"

	ClientGCCycles      Metric = "client_gc_cycles"
	ServerGCCycles      Metric = "server_gc_cycles"
	ClientGCPauseNs     Metric = "client_gc_pause_ns"
	ServerGCPauseNs     Metric = "server_gc_pause_ns"
	ClientGCPausePerSec Metric = "client_gc_pause_ns_per_sec"
	ServerGCPausePerSec Metric = "server_gc_pause_ns_per_sec"

	ClientSafepointSyncNs Metric = "client_safepoint_sync_ns"
	ServerSafepointSyncNs Metric = "server_safepoint_sync_ns"
	ClientSafepoints      Metric = "client_safepoints"
	ServerSafepoints      Metric = "server_safepoints"

	WarmupNs       Metric = "warmup_ns"
	RelayLateP99Ns Metric = "relay_late_p99_ns"
	RelayCPUPerSec Metric = "relay_cpu_ns_per_sec"
	LinkUpUsed     Metric = "link_up_used_ratio"
	LinkDownUsed   Metric = "link_down_used_ratio"
	HiccupP99Ns    Metric = "hiccup_p99_ns"
	HiccupMaxNs    Metric = "hiccup_max_ns"
	HostStealRatio Metric = "host_steal_ratio"
	HostOtherRatio Metric = "host_other_ratio"

	ClientBegunNs       Metric = "client_begun_ns"
	ClientRoundTripNs   Metric = "client_round_trip_ns"
	HostThrottledNs     Metric = "host_throttled_ns"
	HostFrequencyMHz    Metric = "host_frequency_mhz"
	HostHeatThrottles   Metric = "host_heat_throttles"
	HostDroppedPackets  Metric = "host_dropped_packets"
	HostRetransmitRatio Metric = "host_retransmit_ratio"

	TailNs    Metric = "tail_ns"
	LateCalls Metric = "late_calls"

	FailedRatio        Metric = "failed_ratio"
	Retries            Metric = "retries"
	ResponseP50OfAll   Metric = "response_p50_of_all_ns"
	ResponseP75OfAll   Metric = "response_p75_of_all_ns"
	ResponseP90OfAll   Metric = "response_p90_of_all_ns"
	ResponseP95OfAll   Metric = "response_p95_of_all_ns"
	ResponseP99OfAll   Metric = "response_p99_of_all_ns"
	ResponseP999OfAll  Metric = "response_p999_of_all_ns"
	ResponseP9999OfAll Metric = "response_p9999_of_all_ns"
	ResponseMaxOfAll   Metric = "response_max_of_all_ns"
	ServiceP50OfAll    Metric = "service_p50_of_all_ns"
	ServiceP99OfAll    Metric = "service_p99_of_all_ns"

	SegmentsOutPerCall    Metric = "segments_out_per_call"
	SegmentsInPerCall     Metric = "segments_in_per_call"
	PacketBytesOutPerCall Metric = "packet_bytes_out_per_call"
	PacketBytesInPerCall  Metric = "packet_bytes_in_per_call"
)
