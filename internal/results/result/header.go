package result

import (
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

// EnvironmentWords returns the environment as a shell has it, in the order of names.
func (h Header) EnvironmentWords() string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(h.Environment)) {
		words = append(words, name+"="+h.Environment[name])
	}
	return strings.Join(words, " ")
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

// Binary is the rpcbench that made the file.
type Binary struct {
	Version string `json:"version"`
	Commit  string `json:"commit"` // "" when unknown; "+dirty" is appended to a changed tree's
	Go      string `json:"go"`
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
