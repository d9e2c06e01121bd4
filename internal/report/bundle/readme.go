package bundle

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/trust"
	"rpcbench/internal/results/result"
)

// readme describes the contents of a bundle and how to use them.
func readme(file *result.File, evidence string, left int) string {
	var text strings.Builder
	h := file.Header
	fmt.Fprintf(&text, "What rpcbench measured on %s, %s.\n\n", orNameless(h.Driver().Name),
		h.Created.UTC().Format("2006-01-02 15:04 UTC"))
	for _, s := range h.Scenarios {
		fmt.Fprintf(&text, "%s: %s\n", s.Name, s.Question)
	}
	fmt.Fprintf(&text, "\n%s\n\nIn this folder:\n", progressWords(file))
	table := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	fmt.Fprintf(table, "  report.txt\tthe report, as text\n")
	fmt.Fprintf(table, "  %s\tthe results file: the plan, and the evidence of every trial, a line each\n", file.Name)
	fmt.Fprintf(table, "  host.json\tthe machine, and the rpcbench that measured\n")
	if left > 0 {
		fmt.Fprintf(table, "  %s\tprofiles and dumps of trials, each named by trial ID and side\n", evidence+"/")
	}
	_ = table.Flush() // into memory
	fmt.Fprintf(&text, "\nWith rpcbench %s in this folder:\n", buildWords(h.Binary))
	for _, line := range []string{
		"rpcbench report %s                  the report again; --format csv, json, svg … for others",
		"rpcbench replay %s --out new.jsonl  the same plan, measured anew",
		"rpcbench compare %s new.jsonl       what changed, beyond noise",
	} {
		fmt.Fprintf(&text, "  "+line+"\n", point.Quoted(file.Name))
	}
	if asks := trust.OfPlan(file.Name, h.Plan); len(asks) > 0 {
		text.WriteString("\nReplay asks first, because its plan does more than measure on one machine:\n" + trust.Listing(asks))
	}
	if left > 0 {
		text.WriteString("\nA .pprof file is read by `go tool pprof -top FILE`, a .jfr file by `jfr summary FILE`.\n")
	}
	return text.String()
}

func orNameless(host string) string {
	if host == "" {
		return "a machine without a name"
	}
	return host
}

// progressWords says how much of the plan was carried out.
func progressWords(file *result.File) string {
	good := 0
	for _, t := range file.Trials {
		if t.Status == result.StatusOK {
			good++
		}
	}
	planned := len(file.Header.Plan)
	text := fmt.Sprintf("%s, %d of them good", number.Count(len(file.Trials), "trial"), good)
	if planned > len(file.Trials) {
		text += fmt.Sprintf("; %d were planned", planned)
	}
	return text + "."
}

// buildWords names a build of rpcbench: "0.1.0 (commit 0123abcd, go1.26.8)".
func buildWords(b result.Binary) string {
	from := b.Go
	if b.Commit != "" {
		from = "commit " + b.Commit + ", " + b.Go
	}
	return fmt.Sprintf("%s (%s)", b.Version, from)
}
