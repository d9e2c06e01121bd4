package host

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// processorsMax is how many processors a list may name, as in the kernel's CPU_SETSIZE.
const processorsMax = 1024

// Online returns the processors that the machine has, ascending; none where nothing tells.
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
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 0 || to < from || to >= processorsMax {
			return nil, fmt.Errorf("%q is no list of processors; one looks like 0 or 0-1,3", list)
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}
