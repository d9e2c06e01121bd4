package host

import (
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of /proc/stat: Linux fixes it at 1/100 s for programs (USER_HZ, see proc_stat(5)).
const tick = 10 * time.Millisecond

// Times holds the times of all processors together since the machine was started, as counted by its kernel in ticks of 10 ms per
// processor.
type Times struct{ busy, idle, steal uint64 } // in ticks

// Spent is the use of all processors together between two Times.
type Spent struct {
	Busy  time.Duration // in programs, guests and the kernel
	Idle  time.Duration // waiting for disks included
	Steal time.Duration // ready to run, while the hypervisor gave the processor to another machine
}

// ReadTimes reads them from the folder that /proc is. It returns false where they can't be known.
func ReadTimes(proc fs.FS) (Times, bool) {
	data, err := fs.ReadFile(proc, "stat")
	if err != nil {
		return Times{}, false
	}
	line, _, _ := strings.Cut(string(data), "\n")
	words := strings.Fields(line)
	// cpu user nice system idle iowait irq softirq steal; guests, which may follow, are in user and nice already.
	if len(words) < 9 || words[0] != "cpu" {
		return Times{}, false
	}
	var ticks [8]uint64
	for i := range ticks {
		if ticks[i], err = strconv.ParseUint(words[i+1], 10, 60); err != nil {
			return Times{}, false
		}
	}
	user, nice, system, idle, iowait, irq, softirq, steal :=
		ticks[0], ticks[1], ticks[2], ticks[3], ticks[4], ticks[5], ticks[6], ticks[7]
	return Times{busy: user + nice + system + irq + softirq, idle: idle + iowait, steal: steal}, true
}

// Since returns the use between earlier and t.
func (t Times) Since(earlier Times) Spent {
	return Spent{
		Busy: between(earlier.busy, t.busy), Idle: between(earlier.idle, t.idle), Steal: between(earlier.steal, t.steal),
	}
}

// between is the time of the ticks from a to b. The kernel says of some counters that they may go back by a little
// (proc_stat(5), iowait): that is no time.
func between(a, b uint64) time.Duration {
	if b < a {
		return 0
	}
	return time.Duration(min(b-a, math.MaxInt64/uint64(tick))) * tick
}
