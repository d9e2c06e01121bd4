package result

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
