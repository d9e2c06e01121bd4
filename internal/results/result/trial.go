package result

import (
	"fmt"
	"time"

	"rpcbench/internal/plan"
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
