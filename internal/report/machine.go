package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// virtualMachines describes each JVM that processes ran on once: what it chooses for itself depends on the processors and the
// memory that it finds, and no flag shows it.
func virtualMachines(rows []*analysis.Row) []string {
	var lines []string
	eachSide(rows, func(_ string, side result.Side) {
		vm := side.VirtualMachine
		if vm == nil {
			return
		}
		parts := []string{side.Runtime, cmp.Or(vm.Collector, "unknown") + " collector"}
		if vm.MaxHeapBytes > 0 {
			parts = append(parts, "heap of at most "+number.Bytes.Text(float64(vm.MaxHeapBytes)))
		}
		if side.Processors > 0 {
			parts = append(parts, number.Count(side.Processors, "processor"))
		}
		lines = naming.AppendNew(lines, "Virtual machine: "+strings.Join(append(parts, vm.Arguments...), ", ")+".")
	})
	slices.Sort(lines)
	return lines
}

// chosenCollector is an option by which the user chose the collector.
var chosenCollector = regexp.MustCompile(`^-XX:\+Use\w+GC$`)

// severalCollectors finds tables, whose rows are compared, with virtual machines that have different garbage collectors,
// where not all were chosen by an option. A JVM with one processor, or little memory, takes Serial instead of G1, and says
// nothing.
func severalCollectors(r *analysis.Report) []string {
	var texts []string
	for _, table := range r.Tables {
		texts = append(texts, collectorsOf(table.Rows)...)
	}
	return texts
}

func collectorsOf(rows []*analysis.Row) []string {
	collectors, silent := map[string][]string{}, map[string]bool{}
	eachSide(rows, func(role string, side result.Side) {
		vm := side.VirtualMachine
		if vm == nil || vm.Collector == "" {
			return
		}
		collectors[role] = naming.AppendNew(collectors[role], vm.Collector)
		silent[role] = silent[role] || !slices.ContainsFunc(vm.Arguments, chosenCollector.MatchString)
	})
	var texts []string
	for _, role := range []string{"clients", "servers"} {
		if found := collectors[role]; len(found) > 1 && silent[role] {
			slices.Sort(found)
			texts = append(texts, fmt.Sprintf("The JVMs of the %s have different garbage collectors (%s), so a difference may come "+
				"from the collector. A JVM with one processor or less than 2 GB of memory takes Serial instead of G1. Choose "+
				"one for all (--jvm-options=-XX:+UseG1GC).", role, strings.Join(found, ", ")))
		}
	}
	return texts
}

// eachSide calls see with every process of all trials that were measured: of the clients, and of the servers.
func eachSide(rows []*analysis.Row, see func(role string, side result.Side)) {
	for _, row := range rows {
		for _, trial := range row.Trials {
			for _, client := range trial.Clients {
				see("clients", client.Side)
			}
			for _, server := range trial.Servers {
				see("servers", server)
			}
		}
	}
}
