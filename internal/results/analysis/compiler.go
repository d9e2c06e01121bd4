package analysis

import (
	"fmt"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
)

// compilerBound is the fraction of its CPU time that a side may spend on compiling while it is measured. The cost per call is
// then at most a ninth higher than without compilation.
const compilerBound = 0.10

// compilerBusy finds sides whose just-in-time compilers were at work in the measured phase.
func compilerBusy(_ *measurement, t *Trial) []Finding {
	var findings []Finding
	look := func(name string, i, of int, side result.Side) {
		share, known := compilerShare(side)
		if !known || share <= compilerBound {
			return
		}
		if of > 1 {
			name = fmt.Sprintf("%s %d of %d", name, i+1, of)
		}
		findings = append(findings, found(CodeCompilerBusy, "the just-in-time compiler of the %s used %s of its CPU time (bound %s)",
			name, number.Percent(share, 0), number.Percent(compilerBound, 0)))
	}
	for i, c := range t.Clients {
		look("client", i, len(t.Clients), c.Side)
	}
	for i, s := range t.Servers {
		look("server", i, len(t.Servers), s)
	}
	return findings
}

// KnowsCompilers reports whether it is known of a side how much of its CPU time was spent on compiling.
func (t *Trial) KnowsCompilers() bool {
	for _, side := range append(t.Servers, t.Client) {
		if _, known := compilerShare(side); known {
			return true
		}
	}
	return false
}

// compilerShare is the part of its CPU time that a process spent on compiling in the measured phase.
func compilerShare(side result.Side) (share float64, known bool) {
	compiling, told := usedBy(side, func(s *result.Snapshot) *int64 { return s.CompilerCPUNs })
	used, known := usedBy(side, cpu)
	if !told || !known || used <= 0 {
		return 0, false
	}
	return min(compiling/used, 1), true
}
