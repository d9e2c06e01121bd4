package pairtable

import (
	"fmt"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
)

// failures says how many trials and calls of each server failed, because a figure of those that did not is half the answer.
// There is no sentence if none did.
func failures(x *pairs.Experiment) []string {
	var lines []string
	a, b := x.Tally(pairs.A), x.Tally(pairs.B)
	for _, side := range []struct {
		name  string
		tally *pairs.Tally
	}{{"A", a}, {"B", b}} {
		if t := side.tally; t.Failed > 0 {
			lines = append(lines, fmt.Sprintf("%d of %s of %s failed, the last because: %s.", t.Failed,
				number.Count(t.Trials, "trial"), side.name, strings.TrimSuffix(t.Failure, ".")))
		}
	}
	if a.Errors+b.Errors > 0 {
		lines = append(lines, fmt.Sprintf("Failed calls: %s to A, %s to B.", failedCalls(a), failedCalls(b)))
	}
	return lines
}

func failedCalls(t *pairs.Tally) string {
	if t.Errors == 0 {
		return "none of " + number.Whole(t.Calls)
	}
	most := ""
	if t.Most.Calls < t.Errors {
		most = "most of them "
	}
	return fmt.Sprintf("%s (%s of %s, %s%s)", number.Share(t.Errors, t.Calls), number.Whole(t.Errors), number.Whole(t.Calls), most,
		errorText(t.Most))
}

// errorText is an error's code with what the first call that had it said.
func errorText(o result.Outcome) string {
	said := o.Said()
	switch {
	case said == "":
		return o.Code
	case o.Calls > 1:
		return o.Code + ", first: " + said
	default:
		return o.Code + ": " + said
	}
}
