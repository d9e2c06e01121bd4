package host

import (
	"path/filepath"
	"strconv"
	"strings"
)

// memoryUnknown is taken for the memory where the system does not tell.
const memoryUnknown = 4 << 30

// MemoryLimit returns the most memory that this process can have: the machine's, or what its container is allowed.
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
