package result

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
