package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/result"
)

func TestCollectorsThatNobodyChoseAreNamedWhereTheyDiffer(t *testing.T) {
	t.Parallel()
	jvm := func(collector string, arguments ...string) *result.VirtualMachine {
		return &result.VirtualMachine{Collector: collector, Arguments: arguments}
	}
	several := func(side string) []Mistake {
		return []Mistake{{"several_collectors", "The JVMs of the " + side + " have different garbage collectors (G1, Serial), " +
			"so a difference may come from the collector. A JVM with one processor or less than 2 GB of memory takes Serial " +
			"instead of G1. Choose one for all (--jvm-options=-XX:+UseG1GC)."}}
	}
	for name, c := range map[string]struct {
		first, second *result.VirtualMachine // of both rows
		server        bool                   // it is the servers that have them
		want          []Mistake
	}{
		"silently":               {jvm("G1"), jvm("Serial"), false, several("clients")},
		"of servers":             {jvm("Serial"), jvm("G1"), true, several("servers")},
		"one was chosen":         {jvm("G1", "-Xmx1g"), jvm("Serial", "-XX:+UseSerialGC"), false, several("clients")},
		"both were chosen":       {jvm("G1", "-XX:+UseG1GC"), jvm("Serial", "-XX:+UseSerialGC"), false, nil},
		"alike":                  {jvm("G1"), jvm("G1"), false, nil},
		"unknown":                {jvm("G1"), jvm(""), false, nil},
		"a JVM beside something": {jvm("G1"), nil, false, nil},
	} {
		machines := []*result.VirtualMachine{c.first, c.second}
		r := faultless(t, sameHeader, func(t *result.Trial) {
			if c.server {
				t.Servers[0].VirtualMachine = machines[t.Repetition-1]
			} else {
				t.Clients[0].VirtualMachine = machines[t.Repetition-1]
			}
		})
		if diff := cmp.Diff(c.want, Mistakes(r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Only rows of one table are compared, so another collector in another table is no reason for doubt.
func TestCollectorsMayDifferBetweenTables(t *testing.T) {
	t.Parallel()
	r := faultless(t, sameHeader, func(t *result.Trial) {
		t.Clients[0].VirtualMachine = &result.VirtualMachine{Collector: []string{"G1", "Serial"}[t.Repetition-1]}
		if t.Repetition == 2 {
			t.Cases = []plan.Case{{Scenario: t.Cases[0].Scenario, Title: "another"}}
			t.Spec.RequestBytes++
		}
	})
	if len(r.Tables) != 2 {
		t.Fatalf("%d tables", len(r.Tables))
	}
	if found := Mistakes(r); slices.ContainsFunc(found, func(m Mistake) bool { return m.Name == "several_collectors" }) {
		t.Errorf("got %v", found)
	}
}

func TestTheFooterDescribesVirtualMachinesOnce(t *testing.T) {
	t.Parallel()
	r := faultless(t, sameHeader, func(t *result.Trial) {
		t.Clients[0].Runtime, t.Clients[0].Processors = "java 17.0.15 linux/amd64", 1
		t.Clients[0].VirtualMachine = &result.VirtualMachine{Collector: "Serial", MaxHeapBytes: 2e9, Arguments: []string{"-Xmx2g"}}
		t.Servers[0].Runtime = "java 25 linux/amd64"
		t.Servers[0].VirtualMachine = &result.VirtualMachine{}
	})
	text := string(printed(t, FormatText, r, Options{Style: document.Style{Width: 200}}))
	for _, want := range []string{
		"Virtual machine: java 17.0.15 linux/amd64, Serial collector, heap of at most 2.00 GB, 1 processor, -Xmx2g.\n",
		"Virtual machine: java 25 linux/amd64, unknown collector.\n",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is there %d times in\n%s", want, strings.Count(text, want), text)
		}
	}
}
