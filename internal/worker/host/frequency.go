package host

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// FrequencyMHz is the current average frequency of the machine's processors. sys is the folder /sys/devices/system/cpu. It
// returns false if the system does not report it, as on most virtual machines.
func FrequencyMHz(sys fs.FS) (float64, bool) {
	var sum float64
	n := perProcessor(sys, "cpufreq/scaling_cur_freq", func(kHz int64) { sum += float64(kHz) / 1000 })
	return sum / float64(max(n, 1)), n > 0
}

// HeatThrottles counts how often the processors were slowed down by heat since the machine started. It returns false if the
// system does not report it.
func HeatThrottles(sys fs.FS) (times int64, known bool) {
	n := perProcessor(sys, "thermal_throttle/core_throttle_count", func(count int64) { times += count })
	return times, n > 0
}

// perProcessor reads a number of each processor, and returns of how many it is known.
func perProcessor(sys fs.FS, file string, take func(int64)) (known int) {
	paths, _ := fs.Glob(sys, path.Join("cpu[0-9]*", file)) // the pattern is a good one
	for _, path := range paths {
		text, err := fs.ReadFile(sys, path)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n >= 0 {
			take(n)
			known++
		}
	}
	return known
}
