package host

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Throttled is the time for which the quota of a control group kept threads off processors that they could have used, summed over
// processors: of this process's group, or of the enclosing group that lost most (cpu.stat, in the kernel's
// Documentation/admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst). root is the folder /. It returns false if no group counts
// it.
func Throttled(root fs.FS) (time.Duration, bool) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	var most time.Duration
	known := false
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // hierarchy, controllers, the group
		if len(parts) < 3 {
			continue
		}
		for _, mount := range mountsOf(parts[1]) {
			for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
				if throttled, ok := throttledIn(root, path.Join(mount, group, "cpu.stat")); ok {
					most, known = max(most, throttled), true
				}
				if group == "/" {
					break
				}
			}
		}
	}
	return most, known
}

// mountsOf are the folders where the groups of controllers are: none are named in version 2.
func mountsOf(controllers string) []string {
	const root = "sys/fs/cgroup"
	switch {
	case controllers == "":
		return []string{root}
	case slices.Contains(strings.Split(controllers, ","), "cpu"):
		return []string{path.Join(root, controllers), path.Join(root, "cpu")}
	default:
		return nil
	}
}

// throttledIn reads a cpu.stat: version 2 counts in µs, version 1 in ns.
func throttledIn(root fs.FS, file string) (time.Duration, bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		unit := map[string]time.Duration{"throttled_usec": time.Microsecond, "throttled_time": time.Nanosecond}[name]
		if n, err := strconv.ParseInt(value, 10, 64); unit > 0 && err == nil && n >= 0 {
			return time.Duration(n) * unit, true
		}
	}
	return 0, false
}
