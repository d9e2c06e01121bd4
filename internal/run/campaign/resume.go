package campaign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
)

// CheckResume returns an error that names what differs between a file and what is requested now.
func CheckResume(path string, old, now result.Header) error {
	differs := func(what string, before, after any) error {
		return fmt.Errorf("%s has a different %s: %v there, %v now", path, what, before, after)
	}
	before, after := facts(old), facts(now)
	for i, fact := range before {
		if fact.value != after[i].value {
			return differs(fact.name, orUnknown(fact.value), orUnknown(after[i].value))
		}
	}
	if there, here := kindOf(old), kindOf(now); there != here {
		return differs("design", there, here)
	}
	if there, here := difference(designOf(old), designOf(now)); there != here {
		return differs("design", there, here)
	}
	then, asked := trialsOf(old), trialsOf(now)
	planned, wanted := ids(then), ids(asked)
	if slices.Equal(planned, wanted) {
		return nil
	}
	there, here := planDifference(then, wanted), planDifference(asked, planned)
	if there == here {
		there, here = specDifference(newTrial(then, wanted), newTrial(asked, planned))
	}
	return differs("plan", there, here)
}

// kindOf says what chose the trials of a file.
func kindOf(h result.Header) string {
	switch {
	case h.AB != nil:
		return "that of ab"
	case h.Capacity != nil:
		return "that of capacity"
	default:
		return "a plan"
	}
}

// trialsOf returns the trials of a plan, or those from which a search begins.
func trialsOf(h result.Header) []plan.Trial {
	switch {
	case h.AB != nil && h.AB.Base != nil:
		return []plan.Trial{*h.AB.Base}
	case h.Capacity != nil:
		return h.Capacity.Bases
	default:
		return h.Plan
	}
}

// designOf describes a search, but for its trials and the time that it has; a plan has no design.
func designOf(h result.Header) map[string]string {
	design := map[string]string{}
	if h.AB != nil {
		ab := *h.AB
		ab.TimeNs, ab.Base = 0, nil
		design = leaves("ab.", ab)
	}
	if h.Capacity != nil {
		capacity := *h.Capacity
		capacity.TimeNs, capacity.Bases = 0, nil
		maps.Copy(design, leaves("capacity.", capacity))
	}
	return design
}

// A fact is a property that must be the same in all of a file.
type fact struct {
	name  string
	value any
}

func facts(h result.Header) []fact {
	return []fact{
		{"seed", h.Seed},
		{"rpcbench version", h.Binary.Version},
		{"rpcbench commit", h.Binary.Commit},
		{"Go version", h.Binary.Go},
		{"host", h.Driver().Name},
		{"operating system", h.Driver().OS},
		{"architecture", h.Driver().Arch},
		{"kernel", h.Driver().Kernel},
		{"processor model", h.Driver().CPU},
		{"processor count", h.Driver().Processors},
		{"memory size", h.Driver().MemoryBytes},
		{"frequency governor", h.Driver().Governor},
		{"set of other hosts", otherHosts(h)},
		{"environment", cmp.Or(h.EnvironmentWords(), "none")},
	}
}

// otherHosts describes the hosts beside the one that drives.
func otherHosts(h result.Header) string {
	var hosts []string
	for _, host := range h.Hosts {
		if host.ID != "" {
			hosts = append(hosts, strings.Join(strings.Fields(fmt.Sprintf("%s (%s, %s, %s/%s %s, %s)",
				host.ID, host.Name, host.CPU, host.OS, host.Arch, host.Kernel, number.Count(host.Processors, "processor"))), " "))
		}
	}
	return cmp.Or(strings.Join(hosts, ", "), "none")
}

func orUnknown(value any) any {
	if value == "" {
		return "unknown"
	}
	return value
}

func ids(trials []plan.Trial) []string {
	ids := make([]string, len(trials))
	for i, t := range trials {
		ids[i] = t.ID
	}
	return ids
}

// newTrial returns the first trial that the other plan has not; nil if it has all.
func newTrial(trials []plan.Trial, other []string) *plan.Trial {
	i := slices.IndexFunc(trials, func(t plan.Trial) bool { return !slices.Contains(other, t.ID) })
	if i < 0 {
		return nil
	}
	return &trials[i]
}

// planDifference names the first trial that the other plan has not.
func planDifference(trials []plan.Trial, other []string) string {
	if t := newTrial(trials, other); t != nil {
		return fmt.Sprintf("%s, including %s for %s", number.Count(len(trials), "trial"), t.Spec,
			number.Span(time.Duration(t.Spec.DurationNs)))
	}
	return number.Count(len(trials), "trial")
}

// specDifference names what differs between two trials whose texts are equal, as in the JSON of their Specs. Examples are the
// contents of requests, which the text of a Spec omits.
func specDifference(one, two *plan.Trial) (before, after string) {
	if one == nil || two == nil { // the same trials
		return "the same trials in one order", "in a different order"
	}
	return difference(leaves("", one.Spec), leaves("", two.Spec))
}

// difference returns the values that differ, with their names.
func difference(first, second map[string]string) (before, after string) {
	names := slices.Concat(slices.Collect(maps.Keys(first)), slices.Collect(maps.Keys(second)))
	slices.Sort(names)
	var there, here []string
	for _, name := range slices.Compact(names) {
		if first[name] != second[name] {
			there, here = append(there, name+" "+cmp.Or(first[name], "none")), append(here, name+" "+cmp.Or(second[name], "none"))
		}
	}
	return strings.Join(there, ", "), strings.Join(here, ", ")
}

// leaves returns the values of an object written as JSON, by their names: "method.requests". Empty values are omitted.
func leaves(prefix string, object any) map[string]string {
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false) // people read it
	err := encoder.Encode(object)
	var fields map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(encoded.Bytes(), &fields)
	}
	if err != nil {
		return nil // it was read from a results file, or is written into one
	}
	found := map[string]string{}
	for name, value := range fields {
		if bytes.HasPrefix(value, []byte("{")) {
			maps.Copy(found, leaves(prefix+name+".", value))
		} else {
			found[prefix+name] = string(value)
		}
	}
	return found
}

// Missing returns the trials that the file lacks, or has as failed or interrupted.
func Missing(trials []plan.Trial, done []result.Trial) []plan.Trial {
	good := map[string]bool{}
	for _, t := range done {
		good[t.ID] = t.Status == result.StatusOK && !t.Interrupted
	}
	return slices.DeleteFunc(slices.Clone(trials), func(t plan.Trial) bool { return good[t.ID] })
}

// NumberOf returns the number with which the ID of a search's trial ends; 0 where it has none that a trial can have.
func NumberOf(t result.Trial) int {
	number, err := strconv.Atoi(t.ID[strings.LastIndexByte(t.ID, '-')+1:])
	if err != nil || number < 1 || number > result.RepetitionMax {
		return 0
	}
	return number
}

// Last returns the highest number of a search's trials; 0 without any.
func Last(trials []result.Trial) int {
	last := 0
	for _, t := range trials {
		last = max(last, NumberOf(t))
	}
	return last
}
