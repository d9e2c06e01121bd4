package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/results/analysis"
)

// A Mistake is one of the classic mistakes of benchmarking, where a report shows it.
type Mistake struct {
	Name string `json:"name"` // of the kind
	Text string `json:"text"` // what it is, and what to do
}

// lints find mistakes, each of one kind: a sentence or two for each. What a verdict or a note of the plan says already is
// none of theirs.
var lints = []struct {
	name string
	find func(*analysis.Report) []string
}{
	{"one_trial", oneTrial},
	{"no_warmup", noWarmUp},
	{"short_jvm_warmup", shortJVMWarmUp},
	{"shared_processors", sharedProcessors},
	{"loopback_as_network", loopbackAsNetwork},
	{"closed_as_capacity", closedAsCapacity},
	{"profiled", profiled},
	{"powersave", powersave},
	{"changed_tree", changedTree},
	{"several_hosts", severalHosts},
	{"several_environments", severalEnvironments},
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
	case n == all && n > 1:
		return "All rows were"
	case n == 1:
		return "1 row was"
	default:
		return whole(int64(n)) + " rows were"
	}
}

// someTrial makes a condition on rows of one on trials.
func someTrial(meets func(*analysis.Trial) bool) func(*analysis.Row) bool {
	return func(row *analysis.Row) bool { return slices.ContainsFunc(row.Trials, meets) }
}

// ofRows puts the rows that meet a condition before what is to be said of them; nothing where none does.
func ofRows(r *analysis.Report, meets func(*analysis.Row) bool, text string) []string {
	if rows := rowsWhere(r, meets); rows != "" {
		return []string{rows + " " + text}
	}
	return nil
}

func oneTrial(r *analysis.Report) []string {
	return ofRows(r, func(row *analysis.Row) bool { return len(row.Trials) == 1 },
		"measured in one trial only: nothing tells a difference from chance. Take more (--trials 10).")
}

func profiled(r *analysis.Report) []string {
	return ofRows(r, someTrial(func(t *analysis.Trial) bool { return t.Profiled }),
		"measured while profiled, which costs time: read the profiles, and take the figures from a run without --profile.")
}

// closedCallers is how many calls in flight are many: with so many a closed load is taken for what a server can do.
const closedCallers = 10

func closedAsCapacity(r *analysis.Report) []string {
	if slices.ContainsFunc(r.Rows, func(row *analysis.Row) bool { return !row.Spec.Closed() }) {
		return nil
	}
	return ofRows(r, func(row *analysis.Row) bool { return !row.Spec.Coding() && row.Spec.Slots() >= closedCallers },
		"measured under many callers in a closed load, who wait while the server is slow: that is no capacity. For what users wait "+
			"at a rate of their own there are openloop, load --rate and capacity.")
}

func powersave(r *analysis.Report) []string {
	var texts []string
	for _, source := range r.Sources {
		if source.Header.Host.Governor == "powersave" {
			texts = append(texts, fmt.Sprintf("The frequency governor of %s was powersave: the clock follows the load, and figures "+
				"follow the clock. Set it to performance.", orThis(source.Header.Host.Name)))
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
			texts = append(texts, fmt.Sprintf("%s was measured by an rpcbench that was built of a changed tree, so nobody can build it "+
				"again: commit, build, and then measure what is to be kept.", source.Name))
		}
	}
	return texts
}

func severalHosts(r *analysis.Report) []string {
	var hosts []string
	for _, source := range r.Sources {
		hosts = appendNew(hosts, source.Header.Host.Name)
	}
	if len(hosts) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("Results of several machines (%s) stand in one report: a difference between them is one of "+
		"machines too. Measure what is to be compared on one.", strings.Join(hosts, ", "))}
}

func severalEnvironments(r *analysis.Report) []string {
	var environments []string
	for _, source := range r.Sources {
		environments = appendNew(environments, cmp.Or(clean(source.Header.EnvironmentWords()), "none"))
	}
	if len(environments) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("Results under several environments (%s) stand in one report: a difference between them is one of "+
		"environments too.", strings.Join(environments, "; "))}
}
