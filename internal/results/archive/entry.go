// Package archive keeps results files by commit: a folder of them, each with its description next to it, and an index in
// SQLite that is built from these files only and can be rebuilt at any time.
//
// A results file becomes part of an archive in one step, under a name derived from its bytes, after its description is on
// disk. So a crash at any moment leaves an archive without it or with all of it, and adding it again is harmless. Files of
// another version of rpcbench are listed as unread, and left unchanged. The package judges only where a history changes.
package archive

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
)

// An Entry is a results file of an archive.
type Entry struct {
	Name string `json:"name"` // of the file
	Facts

	Created   time.Time `json:"created"`
	Scenarios []string  `json:"scenarios"` // of a search its command: "ab" or "capacity"
	Stacks    []string  `json:"stacks"`
	// Calls has what was called on servers of somebody else, where, and under which load, such as
	// "shop.v1.Shop/Get at localhost:8080, 500/s".
	Calls      []string `json:"calls,omitempty"`
	Host       string   `json:"host"`
	CPU        string   `json:"cpu"`
	Processors int      `json:"processors"`
	OS         string   `json:"os"` // with the architecture: "linux/amd64"
	// Machine is the same for results that may be set in one line: of one host, or of one host class and the same processors.
	Machine  string `json:"machine"`
	Rpcbench string `json:"rpcbench"` // its version
	Planned  int    `json:"planned"`  // trials; 0 where the plan was not known
	Trials   int    `json:"trials"`   // that are OK
	Failed   int    `json:"failed"`
	Bytes    int64  `json:"bytes"`
	Unread   string `json:"unread,omitempty"` // why the file can't be read
	// Run is the same for a file and for one that --resume made of it. Other files differ, though they were begun in one second.
	Run string `json:"run,omitempty"`
}

// At is the time by which entries are ordered: that of the commit or, if unknown, of the measurement.
func (e *Entry) At() time.Time {
	if !e.Committed.IsZero() {
		return e.Committed
	}
	return e.Created
}

// A run is what results were measured by. An entry of an older server has no Run.
type run struct {
	created              time.Time
	machine, commit, run string
}

func (e *Entry) run() run { return run{e.Created, e.Machine, e.Commit, e.Run} }

// runOf makes an Entry's Run of a header, which stays as it is when a run is resumed.
func runOf(h result.Header) string {
	text, err := json.Marshal(h)
	if err != nil {
		return "" // of no header that was read
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// withoutCopies leaves out entries of a run of which another one has more trials, or as many and more bytes: a file that was
// resumed keeps the line of a trial that was measured again. Of an older server's entries nobody knows whether they are copies if
// they have as many trials.
func withoutCopies(entries []Entry) []Entry {
	fullest := map[run]*Entry{}
	for i := range entries {
		e := &entries[i]
		had := fullest[e.run()]
		if had == nil || cmp.Or(cmp.Compare(had.Trials, e.Trials), cmp.Compare(had.Bytes, e.Bytes)) < 0 {
			fullest[e.run()] = e
		}
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool {
		most := fullest[e.run()]
		return e.Trials < most.Trials || e.Run != "" && e.Name != most.Name
	})
}

// describe fills in what the file contains.
func (e *Entry) describe(file *result.File) {
	h := file.Header
	driver := h.Driver()
	e.Created, e.Planned, e.Rpcbench = h.Created.UTC(), len(h.Plan), h.Binary.Version
	e.Host, e.CPU, e.Processors, e.OS = driver.Name, driver.CPU, driver.Processors, driver.OS+"/"+driver.Arch
	e.Machine, e.Run = machineOf(cmp.Or(e.HostClass, driver.Name), h.Hosts), runOf(h)
	e.Trials, e.Failed, e.Stacks = 0, 0, []string{}
	labels := slices.Clone(e.Labels)
	for _, t := range file.Trials {
		if t.Status == result.StatusOK {
			e.Trials++
		} else {
			e.Failed++
		}
		if !t.Floor {
			e.Stacks = append(e.Stacks, t.Spec.Stack)
		}
		if t.Spec.Label != "" && h.AB == nil { // whose labels are the sides of pairs
			labels = append(labels, t.Spec.Label)
		}
	}
	e.Calls = callsOf(file)
	e.Scenarios, e.Stacks, e.Labels = scenariosOf(file), once(e.Stacks), once(labels)
}

// scenariosOf returns the scenarios of a file. Those of a search are its parts, so it is named by its command instead.
func scenariosOf(file *result.File) []string {
	switch h := file.Header; {
	case h.AB != nil:
		return []string{"ab"}
	case h.Capacity != nil:
		return []string{"capacity"}
	}
	names := []string{}
	for _, s := range file.Header.Scenarios {
		names = append(names, s.Name)
	}
	for _, t := range file.Trials {
		for _, c := range t.Cases {
			names = append(names, c.Scenario)
		}
	}
	return once(names)
}

// machineOf names the hosts of results, the class instead of the driver's name.
func machineOf(class string, hosts []result.Host) string {
	var words []string
	for _, h := range hosts {
		name := h.ID
		if h.ID == "" {
			name = class
		}
		words = append(words, fmt.Sprintf("%s: %s, %s, %s/%s", name, h.CPU, number.Count(h.Processors, "processor"), h.OS, h.Arch))
	}
	return strings.Join(words, "; ")
}

// once sorts texts, and keeps each once.
func once(texts []string) []string {
	slices.Sort(texts)
	return slices.DeleteFunc(slices.Compact(texts), func(t string) bool { return t == "" })
}

// SetOf makes a side of a comparison of a results file. Points have their scenario before their names, whether the file has
// several or not, so that they are called alike in all files.
func SetOf(file *result.File, of compare.Selection) (compare.Set, error) {
	built, err := analysis.Build([]*result.File{file})
	if err != nil {
		return compare.Set{}, err
	}
	of.Scenarios = true
	return compare.FromReport(file.Name, built, of), nil
}

// figuresOf returns every metric of every point of a file.
func figuresOf(file *result.File) ([]compare.Figure, error) {
	set, err := SetOf(file, compare.Selection{Metrics: analysis.Metrics()})
	return set.Figures, err
}
