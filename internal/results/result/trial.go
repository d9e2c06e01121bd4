package result

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan"
)

// Version is the format's. A reader refuses another one.
const Version = 2

// Header is the first line of a results file.
type Header struct {
	Format  string    `json:"format"` // "rpcbench-results"
	Version int       `json:"version"`
	Created time.Time `json:"created"`
	Seed    uint64    `json:"seed"`
	Binary  Binary    `json:"binary"`
	// Hosts are the machines that processes of trials run on. The first drives: its ID is empty.
	Hosts []Host `json:"hosts"`
	// Environment are the variables that change how a worker's runtime behaves.
	Environment map[string]string `json:"environment,omitempty"`

	Scenarios []Scenario   `json:"scenarios"`
	Notes     []plan.Note  `json:"notes,omitempty"`    // what the plan left out, and why
	Plan      []plan.Trial `json:"plan"`               // in the order of execution
	AB        *AB          `json:"ab,omitempty"`       // what the pairs of two servers are to decide; nil without such
	Capacity  *Capacity    `json:"capacity,omitempty"` // what the rates are to meet; nil if none was searched
}

// AB is the design of an experiment with two servers. The scenario of a trial is its side, its repetition the number of its pair.
type AB struct {
	A Program `json:"a"` // the baseline
	B Program `json:"b"`
	// Metrics are columns of CSV: the first is that of the answer, and pairs went on until the others were clear, too.
	Metrics    []string `json:"metrics"`
	SameRatio  float64  `json:"same_ratio"`            // a change within it is none: 0.05 is 5%
	WidthRatio float64  `json:"width_ratio,omitempty"` // how narrow the interval had to be, too; 0 is however wide
	AlikePairs int      `json:"aa_pairs"`              // of A with itself
	TimeNs     int64    `json:"time_ns"`               // limit for all pairs
	// Base is a trial of either side, whose ID begins with that of it; nil in files made before it was kept.
	Base *plan.Trial `json:"base,omitempty"`
}

// check returns an error if nothing could have been measured like this.
func (ab *AB) check() error {
	if ab == nil {
		return nil
	}
	for i, metric := range ab.Metrics {
		if slices.Contains(ab.Metrics[:i], metric) {
			return fmt.Errorf("metrics: %q is there twice", metric)
		}
	}
	if ab.Base == nil {
		return nil
	}
	return ab.Base.Check()
}

// Program is a server of the user's.
type Program struct {
	Command []string `json:"command"`          // without secrets
	SHA256  string   `json:"sha256,omitempty"` // of its first word's file; empty is unknown
}

// EnvironmentWords returns the environment as a shell has it, in the order of names.
func (h Header) EnvironmentWords() string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(h.Environment)) {
		words = append(words, name+"="+h.Environment[name])
	}
	return strings.Join(words, " ")
}

// Binary is the rpcbench that made the file.
type Binary struct {
	Version string `json:"version"`
	Commit  string `json:"commit"` // "" when unknown; "+dirty" is appended to a changed tree's
	Go      string `json:"go"`
}

// Driver is the host that drove the trials.
func (h Header) Driver() Host { return h.HostOf("") }

// HostOf returns the host of an ID; nothing is known of one that the header does not have.
func (h Header) HostOf(id string) Host {
	i := slices.IndexFunc(h.Hosts, func(host Host) bool { return host.ID == id })
	if i < 0 {
		return Host{ID: id}
	}
	return h.Hosts[i]
}

// Host is a machine as far as results depend on it.
type Host struct {
	ID          string `json:"id,omitempty"` // that hosts.yaml has for it; empty for the one that drives
	Name        string `json:"name"`
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	Kernel      string `json:"kernel"`
	CPU         string `json:"cpu"`
	Processors  int    `json:"processors"`
	MemoryBytes int64  `json:"memory_bytes"`
	Governor    string `json:"governor,omitempty"` // CPU frequency governor, where there is one
}

// Scenario is a scenario that the user asked for.
type Scenario struct {
	Name     string `json:"name"`
	Question string `json:"question"`
	Trials   int    `json:"trials"`         // per point
	Note     string `json:"note,omitempty"` // a footnote for its reports
	// Cases are the titles of its cases in the order of its file. Trials are carried out in random order, so that only
	// this says in which a report has its tables.
	Cases []string `json:"cases,omitempty"`
}

// Status of a trial.
const (
	StatusOK     = "ok"
	StatusFailed = "failed"
)

// RepetitionMax is the highest repetition of a trial: pairs of ab and trials of capacity go on, and are counted by it.
const RepetitionMax = 1_000_000

// Trial is one line of a results file after the header: the evidence of one trial. A failed one has Failure and
// whatever was known by then. Each process's evidence is its own: who reads makes one of them.
//
// Lines are in the order of execution. The trials of one repetition are a block: they ran one after the other, in random
// order, and have the moment in common.
type Trial struct {
	ID            string      `json:"id"`
	Repetition    int         `json:"repetition"`
	Occasion      int         `json:"occasion,omitempty"` // 2 where the file was resumed before, and so on; 0 is the first
	Spec          plan.Spec   `json:"spec"`
	Cases         []plan.Case `json:"cases"`
	Floor         bool        `json:"floor,omitempty"`
	Started       time.Time   `json:"started"`
	Status        string      `json:"status"`
	Failure       string      `json:"failure,omitempty"`
	FailureCode   FailureCode `json:"failure_code,omitempty"`
	FailureField  string      `json:"failure_field,omitempty"`   // of the command that a worker refused: "serve.stack"
	ProcessesOf   string      `json:"processes_of,omitempty"`    // ID of the trial that started its processes; empty: it did itself
	ProcessRows   int         `json:"process_rows,omitempty"`    // whose trials the processes have run so far, if more than its own
	Interrupted   bool        `json:"interrupted,omitempty"`     // Ctrl-C ended its measured phase
	LastWords     string      `json:"last_words,omitempty"`      // the end of the failed worker's standard error
	Clients       []Client    `json:"clients,omitempty"`         // what could be started of them
	Servers       []Side      `json:"servers,omitempty"`         // none where the server is not ours, and of encode and decode
	Proxy         *Side       `json:"proxy,omitempty"`           // nil where there is none
	WireCountedAt string      `json:"wire_counted_at,omitempty"` // client or server
	Warnings      []Warning   `json:"warnings,omitempty"`
	Cut           *Cut        `json:"cut,omitempty"`       // it ended before all calls were made
	Profiled      bool        `json:"profiled,omitempty"`  // it was measured while it was profiled, which costs time
	Evidence      []string    `json:"evidence,omitempty"`  // names of files: profiles, and dumps of a stall
	Compilers     *Compilers  `json:"compilers,omitempty"` // where the warm-up waited for them
	Relay         *Relay      `json:"relay,omitempty"`     // of the measured phase, where the trial has a link
	Hosts         []HostUse   `json:"hosts,omitempty"`     // of the measured phase, each once
	Layout        *Layout     `json:"layout,omitempty"`    // of its processes' memory
}

// Layout is drawn at random for each trial, so that the memory layout of its processes differs between trials. Processes on other
// machines have the environment only, and Pods have neither.
type Layout struct {
	EnvironmentBytes int `json:"environment_bytes"`         // added to the environment
	DirectoryBytes   int `json:"directory_bytes,omitempty"` // of the last part of the working directory's name; 0: as it is
}

// A Client is the evidence of one client process.
type Client struct {
	Side
	Record

	// BegunNs is how much later than the trial's first client this one began the measured phase, by the driver's clock and the
	// round-trip time of a message.
	BegunNs int64 `json:"begun_ns,omitempty"`
	// RoundTripNs is the round-trip time of a message between the driver and this client. It is known in trials with several
	// clients.
	RoundTripNs int64 `json:"round_trip_ns,omitempty"`
}

// A Record is the outcome of the calls of one client, or of several together.
type Record struct {
	ElapsedNs   int64     `json:"elapsed_ns"`           // measured phase, from its begin to its last completion
	WindowNs    int64     `json:"window_ns,omitempty"`  // how long calls were due; 0 where the worker did not say
	StoppedNs   int64     `json:"stopped_ns,omitempty"` // when the load ended, since its begin, where it was ended early
	Tail        *Tail     `json:"tail,omitempty"`       // absent where no OK call was late
	Arrivals    int64     `json:"arrivals"`             // always the sum of Outcomes' calls
	Outcomes    []Outcome `json:"outcomes"`
	MessagesOut int64     `json:"messages_out"`
	MessagesIn  int64     `json:"messages_in"`
	PayloadOut  int64     `json:"payload_bytes_out"`
	PayloadIn   int64     `json:"payload_bytes_in"`
	Clamped     int64     `json:"clamped,omitempty"`
	// UnpairedReplies are messages of a foreign service's streams that are not in HistMessage, of all calls.
	UnpairedReplies int64             `json:"unpaired_replies,omitempty"`
	Retries         *int64            `json:"retries,omitempty"`    // calls sent once more; nil is unknown
	Background      *Background       `json:"background,omitempty"` // of the measured phase
	First           *FirstCall        `json:"first_call,omitempty"` // before the warm-up, where there is one
	Histograms      map[string]string `json:"histograms,omitempty"` // by name (HistResponse …): V2 compressed, base64
	Intervals       []Interval        `json:"intervals,omitempty"`
	Windows         []Window          `json:"windows,omitempty"`
	Codec           *Codec            `json:"codec,omitempty"`   // encode and decode
	Stalled         *Stalled          `json:"stalled,omitempty"` // the first stall, if there was one
	Warmup          *Warmup           `json:"warmup,omitempty"`  // absent where there was none
	// Mixed has a part for each call of a mix, in its order: counts, of which those of the Record are the sums, and the histograms
	// HistResponse and HistError. Times and windows are those of the Record.
	Mixed []Record `json:"mixed,omitempty"`
}

// Tail is the part of a Record that came after its window.
type Tail struct {
	OK          int64 `json:"ok"` // calls
	MessagesOut int64 `json:"messages_out"`
	MessagesIn  int64 `json:"messages_in"`
	PayloadOut  int64 `json:"payload_bytes_out"`
	PayloadIn   int64 `json:"payload_bytes_in"`
}

// Warmup is how the warm-up went.
type Warmup struct {
	ElapsedNs int64 `json:"elapsed_ns"` // from its begin to its last completion
	// Steady reports whether the last intervals were steady when the warm-up ended. It is absent if its length was fixed.
	Steady *bool `json:"steady,omitempty"`
	// Prolonged is the number of measured phases that were added to the warm-up because calls were still becoming faster.
	Prolonged int `json:"prolonged,omitempty"`
}

// Compilers says how the just-in-time compilers of a trial's processes were warmed up, before the warm-up.
type Compilers struct {
	ElapsedNs int64 `json:"elapsed_ns"` // that calls were made for them
	// Closed reports whether the first of these were a closed load that makes more calls than the measured one.
	Closed bool `json:"closed,omitempty"`
	// SettleNs is the part of ElapsedNs, its end, that had the measured load; 0 is all of it.
	SettleNs int64   `json:"settle_ns,omitempty"`
	Share    float64 `json:"share"` // of its CPU time that a process spent on them in the last seconds, the greatest
	Quiet    bool    `json:"quiet"` // that was little enough
}

// HostUse is the activity of a whole host during the measured phase: that of the trial's processes and of all others.
type HostUse struct {
	Host      string   `json:"host,omitempty"` // its ID
	ElapsedNs int64    `json:"elapsed_ns"`     // that the figures are of
	Hiccups   Hiccups  `json:"hiccups"`
	CPU       *HostCPU `json:"cpu,omitempty"`
	// ProcessesNs is the CPU time of all processes, the trial's included, as summed by the scheduler. It is nil if not all are
	// visible, as in a container. Unlike CPU, it counts a process that runs only between two ticks.
	ProcessesNs  *int64   `json:"processes_ns,omitempty"`
	WatchCPUNs   *int64   `json:"watch_cpu_ns,omitempty"`  // of the process that watched: where it drives, the driver
	EnergyJoules *float64 `json:"energy_joules,omitempty"` // of all processor packages
	// ThrottledNs is the time for which the quota of the observer's control group kept threads off processors, summed over
	// processors.
	ThrottledNs    *int64   `json:"throttled_ns,omitempty"`
	FrequencyMHz   *float64 `json:"frequency_mhz,omitempty"`   // of all processors, on average
	HeatThrottles  *int64   `json:"heat_throttles,omitempty"`  // how often processors were slowed down because of heat
	DroppedPackets *int64   `json:"dropped_packets,omitempty"` // by the kernel and its interfaces

	Parts []HostPart `json:"parts,omitempty"` // of the measured phase, in its order
}

// HostPart is the activity of a host in one second of the measured phase, or in a longer part of a phase of more than 600 s.
type HostPart struct {
	StartNs     int64  `json:"start_ns"` // since the phase began
	EndNs       int64  `json:"end_ns"`
	HiccupMaxNs int64  `json:"hiccup_max_ns"`
	BusyNs      *int64 `json:"busy_ns,omitempty"`  // of all processors, as HostCPU.BusyNs
	StealNs     *int64 `json:"steal_ns,omitempty"` // as HostCPU.StealNs
}

// Hiccups are the delays of a thread that only sleeps for 10 ms at a time. A longer pause counts once for each 10 ms, by the
// remaining time.
type Hiccups struct {
	Count int64 `json:"count"`
	P50Ns int64 `json:"p50_ns"`
	P99Ns int64 `json:"p99_ns"`
	MaxNs int64 `json:"max_ns"`
}

// HostCPU is the time of all processors together, in ticks of 10 ms.
type HostCPU struct {
	BusyNs  int64 `json:"busy_ns"`
	IdleNs  int64 `json:"idle_ns"`  // waiting for disks included
	StealNs int64 `json:"steal_ns"` // ready to run, while the hypervisor ran another machine
}

// Relay is the activity of the process that emulates the link between two of its Marks, one before and one after the measured
// phase.
type Relay struct {
	Host      string `json:"host,omitempty"` // the ID of the host that it runs on
	ElapsedNs int64  `json:"elapsed_ns"`     // between the Marks
	CPUNs     int64  `json:"cpu_ns"`         // user and system, waiting for due times included
	WaitCPUNs int64  `json:"wait_cpu_ns"`
	UpBytes   int64  `json:"up_bytes"` // passed on to servers
	DownBytes int64  `json:"down_bytes"`
	// LateP99Ns and LateMaxNs say how much later than due it came to bytes, since its start, warm-up included.
	LateP99Ns int64 `json:"late_p99_ns"`
	LateMaxNs int64 `json:"late_max_ns"`
}

// Codec describes a message, measured before a phase of encode or decode.
type Codec struct {
	Repeat       int64 `json:"repeat"`        // operations in one call
	EncodedBytes int64 `json:"encoded_bytes"` // of the message, as the codec writes it
	GzippedBytes int64 `json:"gzipped_bytes"` // of its encoding through gzip
	// PlainBytes is the input size of a gzip codec, and EncodedBytes that of other codecs; 0 means unknown.
	PlainBytes int64 `json:"plain_bytes,omitempty"`
}

// Stalled says when no call was completed although some were in flight, to the 100 ms of an interval, or when the client
// itself did nothing.
type Stalled struct {
	Phase      string `json:"phase"`            // PhaseWarmup or PhaseMeasured
	SinceNs    int64  `json:"since_ns"`         // since the phase began
	DurationNs int64  `json:"duration_ns"`      // until a call was completed, or the phase ended
	Client     bool   `json:"client,omitempty"` // it stood still, as if it had been stopped
}

// String returns the end of a sentence about a trial.
func (s *Stalled) String() string {
	what := "no call was completed"
	if s.Client {
		what = "the client itself was paused"
	}
	return fmt.Sprintf("%.1f s after its %s phase began %s for %.1f s",
		float64(s.SinceNs)/1e9, s.Phase, what, float64(s.DurationNs)/1e9)
}

// Cut says that a load with a fixed number of calls was ended early because calls kept failing.
type Cut struct {
	Made        int64 `json:"made"`         // calls, of all clients
	Calls       int64 `json:"calls"`        // that were to be made
	FruitlessNs int64 `json:"fruitless_ns"` // so long none was OK
}

// String returns the end of a sentence about a trial.
func (c *Cut) String() string {
	return fmt.Sprintf("only %d of %d calls were made, because none was OK for %v", c.Made, c.Calls,
		time.Duration(c.FruitlessNs))
}

// Phases, as in Stalled.
const (
	PhaseWarmup   = "warmup"
	PhaseMeasured = "measured"
)

// Histogram names. A closed load has a response only; every load has errors where calls failed.
const (
	HistResponse = "response" // OK calls from due to done, and the lower bounds of UNSENT and UNFINISHED ones
	HistBound    = "bound"    // the lower bounds alone, where there are some
	HistService  = "service"  // OK calls from sent to done
	HistWake     = "wake"     // from due to sent while a slot was free: the instrument's lateness
	HistQueue    = "queue"    // from due until a slot was free
	HistError    = "error"    // failed calls from due to done
)

// Histogram names of messages within calls of foreign methods, whatever the outcome of their call.
const (
	HistFirstReply = "first_reply" // download and stream: from when the call was sent to its first reply
	HistReplyGap   = "reply_gap"   // download: from one reply to the next
	HistMessage    = "message"     // stream: from when a message was due, or without a rate sent, to the reply of its number
	HistMessageLag = "message_lag" // upload and stream with a rate: from when a message was due until it was sent
)

// Side is one process of the trial.
type Side struct {
	Host    string `json:"host,omitempty"` // the ID of the host that it runs on
	Runtime string `json:"runtime"`        // "go1.26.8 linux/amd64"
	Library string `json:"library"`        // "google.golang.org/grpc v1.85.0"
	// Processors is the number of processors that the process could run on; 0 means unknown.
	Processors int `json:"processors,omitempty"`
	// VirtualMachine is nil where the process has none.
	VirtualMachine *VirtualMachine `json:"virtual_machine,omitempty"`
	// ClockStepNs is by how much its clock moves on, where that is more than a microsecond.
	ClockStepNs int64 `json:"clock_step_ns,omitempty"`

	Begin *Snapshot `json:"begin,omitempty"`
	End   *Snapshot `json:"end,omitempty"`

	Parts []Use `json:"parts,omitempty"` // of the measured phase, in its order
}

// Use is what a process used in one second of the measured phase, or in a longer part of a phase of more than 600 s. Its length
// is by the process's clock, its end by the driver's.
type Use struct {
	StartNs   int64  `json:"start_ns"` // since the phase began
	EndNs     int64  `json:"end_ns"`
	CPUNs     int64  `json:"cpu_ns"`                // user and system
	GCPauseNs *int64 `json:"gc_pause_ns,omitempty"` // of garbage collection
	HeapBytes *int64 `json:"heap_bytes,omitempty"`  // in use at its end, garbage included
}

// VirtualMachine describes the settings of a process's virtual machine, chosen or configured. Unknown ones are empty or 0.
type VirtualMachine struct {
	Collector    string   `json:"collector,omitempty"` // of garbage: "G1"
	MaxHeapBytes int64    `json:"max_heap_bytes,omitempty"`
	Arguments    []string `json:"arguments,omitempty"` // its options; what looks like a secret is hidden
}

// Snapshot is what a process had used since its start; for its heap, the current use. A nil figure is unknown.
type Snapshot struct {
	TimeNs             int64  `json:"time_ns"`
	CPUUserNs          int64  `json:"cpu_user_ns"`
	CPUSystemNs        int64  `json:"cpu_system_ns"`
	CPUUnknown         bool   `json:"cpu_unknown,omitempty"` // the two are 0 because nobody told
	PeakMemoryBytes    int64  `json:"peak_memory_bytes"`     // 0 is unknown
	Sockets            int64  `json:"sockets"`
	BytesOut           *int64 `json:"bytes_out,omitempty"`
	BytesIn            *int64 `json:"bytes_in,omitempty"`
	FramedBytesOut     *int64 `json:"framed_bytes_out,omitempty"` // without the frames of a WebSocket; nil where there is none
	FramedBytesIn      *int64 `json:"framed_bytes_in,omitempty"`
	Allocations        *int64 `json:"allocations,omitempty"`
	AllocatedBytes     *int64 `json:"allocated_bytes,omitempty"`
	GCCycles           *int64 `json:"gc_cycles,omitempty"`
	GCPauseNs          *int64 `json:"gc_pause_ns,omitempty"`
	PacerCPUNs         *int64 `json:"pacer_cpu_ns,omitempty"`
	HeapBytes          *int64 `json:"heap_bytes,omitempty"`           // in use then, garbage included
	HeapCommittedBytes *int64 `json:"heap_committed_bytes,omitempty"` // what the runtime then held for the heap
	// Context switches of all threads: those in which one had to wait, and those in which one had to stop.
	VoluntarySwitches   *int64 `json:"voluntary_switches,omitempty"`
	InvoluntarySwitches *int64 `json:"involuntary_switches,omitempty"`
	CompilerCPUNs       *int64 `json:"compiler_cpu_ns,omitempty"` // of just-in-time compilers, a part of CPUUserNs and CPUSystemNs
	Compilations        *int64 `json:"compilations,omitempty"`    // of methods
	// SafepointSyncNs is the time that a virtual machine's threads took to stop, in all its Safepoints.
	SafepointSyncNs *int64 `json:"safepoint_sync_ns,omitempty"`
	Safepoints      *int64 `json:"safepoints,omitempty"`
	// SegmentsOut counts the segments that the process's TCP sockets sent, Retransmits those of them that were sent again, and
	// SegmentsIn those that arrived.
	SegmentsOut *int64 `json:"segments_out,omitempty"`
	SegmentsIn  *int64 `json:"segments_in,omitempty"`
	Retransmits *int64 `json:"retransmits,omitempty"`
	ThrottledNs *int64 `json:"throttled_ns,omitempty"` // as HostUse.ThrottledNs, of the process's own control group
	// BatteryLevel is that of the machine's battery, from 0 to 1, BatteryUAh its charge in µAh; nil is unknown.
	BatteryLevel *float64 `json:"battery_level,omitempty"`
	BatteryUAh   *int64   `json:"battery_uah,omitempty"`
}

// Outcome counts the calls that ended with one code.
type Outcome struct {
	Code    string `json:"code"` // OK, a gRPC code, MISMATCH, UNSENT, UNFINISHED
	Calls   int64  `json:"calls"`
	Example string `json:"example,omitempty"` // the first error message
}

// Said is what the example says besides the code. It is empty where the server gave no message.
func (o Outcome) Said() string {
	return strings.TrimPrefix(strings.TrimPrefix(o.Example, o.Code), ": ")
}

// Most returns the first of those outcomes that most calls had, of one at least.
func Most(outcomes []Outcome) Outcome {
	return slices.MaxFunc(outcomes, func(a, b Outcome) int { return cmp.Compare(a.Calls, b.Calls) })
}

// Background counts the calls of Spec.Background that ended in the measured phase.
type Background struct {
	OK      int64  `json:"ok"`
	Errors  int64  `json:"errors,omitempty"`
	Example string `json:"example,omitempty"` // the first error message
}

// FirstCall is the time of the first call on the first connection, in consecutive parts. A part that did not occur, or is not
// distinguishable, is 0.
type FirstCall struct {
	ResolveNs  int64 `json:"resolve_ns"`  // the name, to addresses
	ConnectNs  int64 `json:"connect_ns"`  // TCP, or the Unix socket
	TLSNs      int64 `json:"tls_ns"`      // the handshake
	ProtocolNs int64 `json:"protocol_ns"` // what the stack exchanges before it is ready for a call
	CallNs     int64 `json:"call_ns"`     // the call itself
	// InCall says that the call opened the connection, so that its latency in the histograms holds all parts.
	InCall bool `json:"in_call,omitempty"`
}

// Outcome codes: two of gRPC's, and those that are not.
const (
	CodeOK         = "OK"
	CodeDeadline   = "DEADLINE_EXCEEDED"
	CodeMismatch   = "MISMATCH"   // answered wrongly
	CodeUnsent     = "UNSENT"     // due, and never sent before the drain ended
	CodeUnfinished = "UNFINISHED" // sent, and not answered before the drain ended
)

// Interval is 100 ms of the measured phase, 50 ms of one of less than 10 s, and less of one below 2.5 s. Counters are of the
// interval alone.
type Interval struct {
	StartNs  int64      `json:"start_ns"` // since the phase began
	EndNs    int64      `json:"end_ns"`
	OK       int64      `json:"ok"`
	Errors   int64      `json:"errors,omitempty"`
	InFlight int64      `json:"in_flight"`          // at its end
	Response *Quantiles `json:"response,omitempty"` // of the last second, once a second
	// ResponseMeanNs is the geometric mean of the interval's OK calls; 0 if there are none, or the worker does not report it.
	ResponseMeanNs int64 `json:"response_mean_ns,omitempty"`
	// ResponseHistogram is the histogram of Response, V2 compressed and in base64, in trials with several clients, unless it is
	// in Windows.
	ResponseHistogram string `json:"response_histogram,omitempty"`
}

// Quantiles sums up a second's responses.
type Quantiles struct {
	Calls int64 `json:"calls"`
	P50Ns int64 `json:"p50_ns"`
	P90Ns int64 `json:"p90_ns"`
	P99Ns int64 `json:"p99_ns"`
	MaxNs int64 `json:"max_ns"`
}

// Window is the response histogram of a part of the measured phase.
type Window struct {
	StartNs  int64  `json:"start_ns"`
	EndNs    int64  `json:"end_ns"`
	Response string `json:"response"` // V2 compressed, base64
}
