package host

import (
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
)

// memoryUnknown is the assumed memory if the system does not report it.
const memoryUnknown = 4 << 30

// MemoryLimit returns the maximum memory for this process: the machine's, or its container's limit.
func MemoryLimit() int64 {
	limit := kilobytes("/proc/meminfo", "MemTotal")
	if limit == 0 {
		limit = memoryUnknown
	}
	return lowest(limit, "/sys/fs/cgroup", groupOf(read("/proc/self/cgroup")))
}

// groupOf returns the path of the control group, of version 2, in the text of /proc/self/cgroup; "" is none.
func groupOf(text string) string {
	for line := range strings.Lines(text) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			return path
		}
	}
	return ""
}

// lowest returns the lowest limit of a group and those above it. A container sees its own as the root.
func lowest(limit int64, root, group string) int64 {
	for path := filepath.Clean("/" + group); ; path = filepath.Dir(path) {
		n, err := strconv.ParseInt(firstLine(filepath.Join(root, path, "memory.max")), 10, 64)
		if err == nil && n > 0 {
			limit = min(limit, n)
		}
		if path == "/" {
			return limit
		}
	}
}

// A peak is the highest of several readings. The kernel's own peak may fall: if the current memory exceeds its recorded peak, it
// reports the current memory and records it later (task_mem in fs/proc/task_mmu.c).
type peak struct{ highest atomic.Int64 }

// selfPeak is this process's.
var selfPeak peak

// of adds a reading, and returns the highest so far.
func (p *peak) of(reading int64) int64 {
	for {
		highest := p.highest.Load()
		if reading <= highest {
			return highest
		}
		if p.highest.CompareAndSwap(highest, reading) {
			return reading
		}
	}
}
