package naming

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// AppendNew appends a line that is not among them.
func AppendNew(lines []string, line string) []string {
	if line == "" || slices.Contains(lines, line) {
		return lines
	}
	return append(lines, line)
}

// Origin says where and with which version a file was made.
func Origin(source *analysis.Source) string {
	h := source.Header
	binary := []string{"rpcbench"}
	for _, part := range []string{h.Binary.Version, shortCommit(h.Binary.Commit)} {
		if part != "" {
			binary = append(binary, part)
		}
	}
	made := []string{
		Machine(h.Driver()), strings.Join(binary, " ") + ", " + h.Binary.Go, h.EnvironmentWords(),
		fmt.Sprintf("seed %d", h.Seed), h.Created.UTC().Format("2006-01-02 15:04 UTC"),
	}
	return source.Name + ": " + JoinPresent(made, " · ")
}

// Machine describes a host.
func Machine(host result.Host) string {
	parts := []string{host.Name, strings.Join(strings.Fields(host.CPU), " "), number.Count(host.Processors, "processor")}
	if host.Governor != "" {
		parts = append(parts, "governor "+host.Governor)
	}
	return JoinPresent(append(parts, strings.TrimSpace(JoinPresent([]string{host.OS, host.Arch}, "/")+" "+host.Kernel)), ", ")
}

// commitDigits tell one commit from another, as far as a reader needs it.
const commitDigits = 12

func shortCommit(commit string) string {
	hash, dirty, changed := strings.Cut(commit, "+")
	hash = hash[:min(len(hash), commitDigits)]
	if changed {
		return hash + "+" + dirty
	}
	return hash
}

// JoinPresent joins the parts that are not blank.
func JoinPresent(parts []string, separator string) string {
	parts = slices.DeleteFunc(parts, func(part string) bool { return strings.TrimSpace(part) == "" })
	return strings.Join(parts, separator)
}

// Sources lists the files of a report.
func Sources(r *analysis.Report) string {
	var names []string
	for _, source := range r.Sources {
		names = append(names, source.Name)
	}
	return strings.Join(names, ", ")
}
