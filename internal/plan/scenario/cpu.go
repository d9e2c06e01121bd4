package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// cpus accepts a list of processors, "0-1,3", or "all", and writes it in one way: ascending, neighbours joined, all of
// them as the empty string. Whether the machine has them is asked before a run.
func cpus(text string) (string, error) {
	if text == "all" {
		return "", nil
	}
	var chosen [CPUMax + 1]bool
	for part := range strings.SplitSeq(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		if !digits(first) || !digits(last) {
			return "", fmt.Errorf(`%q is not a list of processors such as 0-1,3, or all`, text)
		}
		from, fromErr := count(0, CPUMax)(first)
		to, toErr := count(0, CPUMax)(last)
		switch {
		case fromErr != nil || toErr != nil:
			return "", fmt.Errorf("%s: %s is over the limit of processor %d", text, part, CPUMax)
		case from > to:
			return "", fmt.Errorf("%s: %s goes backwards", text, part)
		}
		for i := from; i <= to; i++ {
			chosen[i] = true
		}
	}
	return ranges(chosen[:]), nil
}

// ranges writes the indices of the true values, "0-1,3".
func ranges(chosen []bool) string {
	var parts []string
	for i := 0; i < len(chosen); i++ {
		if !chosen[i] {
			continue
		}
		first := i
		for i+1 < len(chosen) && chosen[i+1] {
			i++
		}
		part := strconv.Itoa(first)
		if i > first {
			part += "-" + strconv.Itoa(i)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ",")
}
