// Package host reports facts about this machine and this process, and places processes on processors. It guesses nothing: a fact
// that the system does not report is empty, zero or marked as unknown.
package host

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Machine is the machine as far as measurements depend on it.
type Machine struct {
	Name        string
	Kernel      string
	CPU         string
	Processors  int // that this process may run on
	MemoryBytes int64
	Governor    string // of CPU frequency
	OpenFiles   int64  // that this process may have at once
}

// Describe reads the machine's description.
func Describe() Machine {
	name, _ := os.Hostname() // nameless machines have results too
	return Machine{
		Name:        name,
		Kernel:      firstLine("/proc/sys/kernel/osrelease"),
		CPU:         field("/proc/cpuinfo", "model name"),
		Processors:  runtime.NumCPU(),
		MemoryBytes: kilobytes("/proc/meminfo", "MemTotal"),
		Governor:    firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		OpenFiles:   openFiles(),
	}
}

// Usage is what a process, or all processes of a tree, have used since they started.
type Usage struct {
	CPUUser, CPUSystem time.Duration
	PeakMemoryBytes    int64
	// Context switches of all threads: voluntary ones, in which a thread had to wait, and involuntary ones, in which the kernel
	// took the processor away. If the system does not report them, SwitchesKnown is false.
	VoluntarySwitches, InvoluntarySwitches int64
	SwitchesKnown                          bool
}

func firstLine(path string) string {
	line, _, _ := strings.Cut(read(path), "\n")
	return strings.TrimSpace(line)
}

// field returns the value of the first "name: value" line of a file.
func field(path, name string) string {
	for line := range strings.Lines(read(path)) {
		key, value, found := strings.Cut(line, ":")
		if found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// kilobytes returns a "name: n kB" line's value in bytes.
func kilobytes(path, name string) int64 {
	n, err := strconv.ParseInt(strings.TrimSuffix(field(path, name), " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return n * 1024
}

func read(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return "" // the system does not tell
	}
	return string(data)
}
