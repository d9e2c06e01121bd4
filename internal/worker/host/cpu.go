package host

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// ProcessorsMax is the maximum number of processors in a list, as in the kernel's CPU_SETSIZE. Their numbers are below it.
const ProcessorsMax = 1024

// Online returns the machine's processors in ascending order, or nil if unknown.
func Online() []int {
	list, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return nil
	}
	cpus, _ := ParseCPUs(strings.TrimSpace(string(list))) // a kernel that says otherwise says nothing
	return cpus
}

// ParseCPUs reads a list as taskset does: "0", "0-1,3". It is sorted, without repetitions.
func ParseCPUs(list string) ([]int, error) {
	var cpus []int
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		from, fromErr := strconv.ParseUint(first, 10, 64)
		to, toErr := strconv.ParseUint(last, 10, 64)
		switch {
		case errors.Is(fromErr, strconv.ErrSyntax), errors.Is(toErr, strconv.ErrSyntax):
			return nil, fmt.Errorf("%q is not a list of processors, such as 0-1,3", list)
		case max(from, to) >= ProcessorsMax:
			return nil, fmt.Errorf("%s: processor %s is above the limit of %d", list, part, ProcessorsMax-1)
		case from > to:
			return nil, fmt.Errorf("%s: the range %s is descending", list, part)
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, int(cpu))
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

// setsBetween separates sets of processors in a text.
const setsBetween = "/"

// ParseCPUSets reads sets of processors, "0-1/2-3", which have no processor in common. A list as ParseCPUs reads it is one set.
func ParseCPUSets(text string) ([][]int, error) {
	var sets [][]int
	var taken []int
	for list := range strings.SplitSeq(text, setsBetween) {
		set, err := ParseCPUs(list)
		if err != nil {
			return nil, err
		}
		for _, cpu := range set {
			if slices.Contains(taken, cpu) {
				return nil, fmt.Errorf("%s: processor %d is in two sets", text, cpu)
			}
		}
		sets, taken = append(sets, set), append(taken, set...)
	}
	return sets, nil
}

// FormatCPUSets writes sets as ParseCPUSets reads them.
func FormatCPUSets(sets [][]int) string {
	texts := make([]string, len(sets))
	for i, set := range sets {
		texts[i] = FormatCPUs(set)
	}
	return strings.Join(texts, setsBetween)
}

// FormatCPUs writes a sorted list as ParseCPUs reads it, neighbors joined.
func FormatCPUs(cpus []int) string {
	var parts []string
	for i := 0; i < len(cpus); i++ {
		part := strconv.Itoa(cpus[i])
		first := i
		for i+1 < len(cpus) && cpus[i+1] == cpus[i]+1 {
			i++
		}
		if i > first {
			part += "-" + strconv.Itoa(cpus[i])
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ",")
}
