package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
)

// A Mistake is one of the classic mistakes of benchmarking, where a report shows it.
type Mistake struct {
	Name string `json:"name"` // of the kind
	Text string `json:"text"` // what it is, and what to do
}

// lints find mistakes, one kind each, and describe each in a sentence or two. They do not repeat verdicts or notes of the plan.
var lints = []struct {
	name string
	find func(*analysis.Report) []string
}{
	{"one_trial", oneTrial},
	{"no_warmup", noWarmUp},
	{"short_jvm_warmup", shortJVMWarmUp},
	{"shared_processors", sharedProcessors},
	{"loopback_as_network", loopbackAsNetwork},
	{"connections_reopened", connectionsReopened},
	{"closed_as_capacity", closedAsCapacity},
	{"reused_processes", reusedProcesses},
	{"profiled", profiled},
	{"powersave", powersave},
	{"changed_tree", changedTree},
	{"several_hosts", severalHosts},
	{"several_environments", severalEnvironments},
	{"several_collectors", severalCollectors},
}

// Mistakes names the mistakes that a report shows, each once; none for a good one.
func Mistakes(r *analysis.Report) []Mistake {
	var found []Mistake
	for _, lint := range lints {
		for _, text := range lint.find(r) {
			if m := (Mistake{lint.name, text}); !slices.Contains(found, m) {
				found = append(found, m)
			}
		}
	}
	return found
}

// rowsWhere counts the rows that measured something and meet the condition: "3 rows were", or "" for none.
func rowsWhere(r *analysis.Report, meets func(*analysis.Row) bool) string {
	n, all := 0, 0
	for _, row := range r.Rows {
		if len(row.Trials) == 0 {
			continue
		}
		if all++; meets(row) {
			n++
		}
	}
	switch {
	case n == 0:
		return ""
	case isOneLoad(r):
		return "This was"
	case n == all && n > 1:
		return "All rows were"
	case n == 1:
		return "1 row was"
	default:
		return number.Whole(n) + " rows were"
	}
}

// someTrial makes a condition on rows of one on trials.
func someTrial(meets func(*analysis.Trial) bool) func(*analysis.Row) bool {
	return func(row *analysis.Row) bool { return slices.ContainsFunc(row.Trials, meets) }
}

// ofRows names the rows that meet a condition, followed by a text. It returns nothing if there are none.
func ofRows(r *analysis.Report, meets func(*analysis.Row) bool, text string) []string {
	if rows := rowsWhere(r, meets); rows != "" {
		return []string{rows + " " + text}
	}
	return nil
}

func oneTrial(r *analysis.Report) []string {
	return ofRows(r, func(row *analysis.Row) bool { return len(row.Trials) == 1 && !isOfPairs(row) },
		"measured in only one trial, which can't separate a difference from noise. Take more trials (--trials 10).")
}

// isOfPairs reports whether a row's trials are of ab, which takes pairs until they are enough.
func isOfPairs(row *analysis.Row) bool {
	return slices.ContainsFunc(slices.Concat(row.Trials, row.Failed), func(t *analysis.Trial) bool {
		return t.Source != nil && t.Source.Header.AB != nil
	})
}

func reusedProcesses(r *analysis.Report) []string {
	texts := ofRows(r, someTrial(func(t *analysis.Trial) bool { return t.ProcessesOf != "" }),
		"measured in trials that shared processes (--reuse). What differs from one start of a process to the next, such as "+
			"compiled code and the layout of memory, is not in their spread: an interval is too narrow, and a difference may be one "+
			"between two starts. Decide without --reuse.")
	return append(texts, ofRows(r, someTrial(func(t *analysis.Trial) bool { return t.ProcessRows > 1 }),
		"measured in processes that had run trials of other rows before (--reuse). Compiled code and the heap are theirs too, so the "+
			"order of trials is in the figures, and peak memory is unknown but for a process's first row.")...)
}

func profiled(r *analysis.Report) []string {
	return ofRows(r, someTrial(func(t *analysis.Trial) bool { return t.Profiled }),
		"measured while profiling, which costs time. Use the profiles, and take the figures from a run without "+
			"--profile.")
}

// closedCallers is the number of calls in flight from which a closed load is easily mistaken for a measurement of capacity.
const closedCallers = 10

func closedAsCapacity(r *analysis.Report) []string {
	if slices.ContainsFunc(r.Rows, func(row *analysis.Row) bool { return !row.Spec.Closed() }) {
		return nil
	}
	return ofRows(r, func(row *analysis.Row) bool { return !row.Spec.Coding() && row.Spec.Slots() >= closedCallers },
		"measured with many callers in a closed loop. A closed loop does not measure capacity, because callers "+
			"wait while the server is slow. For latency at a fixed arrival rate use the scenario openloop, load "+
			"--rate or capacity.")
}

func powersave(r *analysis.Report) []string {
	var texts []string
	for _, source := range r.Sources {
		for _, host := range source.Header.Hosts {
			if host.Governor == "powersave" {
				texts = append(texts, fmt.Sprintf("The CPU frequency governor of %s was powersave: the clock, and "+
					"every figure with it, changes with the load. Set it to performance.", orThis(cmp.Or(host.ID, host.Name))))
			}
		}
	}
	return texts
}

func orThis(host string) string {
	if host == "" {
		return "the machine"
	}
	return host
}

func changedTree(r *analysis.Report) []string {
	var texts []string
	for _, source := range r.Sources {
		if strings.HasSuffix(source.Header.Binary.Commit, "+dirty") {
			texts = append(texts, fmt.Sprintf("%s was measured by an rpcbench built from modified sources, so "+
				"that build can't be reproduced. Commit and build before you measure what you want to keep.", source.Name))
		}
	}
	return texts
}

func severalHosts(r *analysis.Report) []string {
	var hosts []string
	for _, source := range r.Sources {
		hosts = naming.AppendNew(hosts, source.Header.Driver().Name)
	}
	if len(hosts) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("This report has results from several machines (%s): a difference may come from "+
		"the machines. Measure what you compare on one machine.", strings.Join(hosts, ", "))}
}

func severalEnvironments(r *analysis.Report) []string {
	var environments []string
	for _, source := range r.Sources {
		environments = naming.AppendNew(environments, cmp.Or(source.Header.EnvironmentWords(), "none"))
	}
	if len(environments) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("This report has results from several environments (%s): a difference may come "+
		"from the environments.", strings.Join(environments, "; "))}
}
