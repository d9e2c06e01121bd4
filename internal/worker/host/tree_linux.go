package host

import (
	"time"

	"github.com/prometheus/procfs"
)

// Descendants lists the processes below one that have not ended, its children first.
func Descendants(root int) []int {
	var found []int
	for _, stat := range below(root) {
		if stat.State != zombie {
			found = append(found, stat.PID)
		}
	}
	return found
}

// zombie is the state of a process that has ended and is not waited for yet.
const zombie = "Z"

// below lists the processes below one, its children first.
func below(root int) (found []procfs.ProcStat) {
	all, err := procfs.AllProcs()
	if err != nil {
		return nil
	}
	children := map[int][]procfs.ProcStat{}
	for _, p := range all {
		if stat, err := p.Stat(); err == nil {
			children[stat.PPID] = append(children[stat.PPID], stat)
		}
	}
	for waiting := children[root]; len(waiting) > 0; {
		next := waiting[0]
		waiting = append(waiting[1:], children[next.PID]...)
		found = append(found, next)
	}
	return found
}

// Usage reads what the processes below the root have used since they were started, including children that they waited for. The
// usage of a process that ended without being waited for is lost, and so are the context switches of finished threads. It returns
// false if the system does not report it.
func (t *Tree) Usage() (Usage, bool) {
	var total, user, system time.Duration
	var memory, voluntary, involuntary int64
	for _, stat := range below(t.Root) {
		own := time.Duration(int64(stat.UTime)+int64(stat.STime)) * tick
		if exact, known := processCPU(stat.PID); known {
			own = exact
		}
		total += own + time.Duration(int64(stat.CUTime)+int64(stat.CSTime))*tick
		user += time.Duration(int64(stat.UTime)+int64(stat.CUTime)) * tick
		system += time.Duration(int64(stat.STime)+int64(stat.CSTime)) * tick
		proc, err := procfs.NewProc(stat.PID)
		if err != nil {
			continue // it has just ended
		}
		if status, err := proc.NewStatus(); err == nil {
			memory += int64(status.VmHWM)
		}
		threads, _ := procfs.AllThreads(stat.PID) // of one that has just ended there are none
		for _, thread := range threads {
			if status, err := thread.NewStatus(); err == nil {
				voluntary += int64(status.VoluntaryCtxtSwitches)
				involuntary += int64(status.NonVoluntaryCtxtSwitches)
			}
		}
	}
	sum := Usage{SwitchesKnown: true}
	sum.CPUUser, sum.CPUSystem = t.used.of(total, user, system)
	sum.PeakMemoryBytes = t.memory.of(memory)
	sum.VoluntarySwitches, sum.InvoluntarySwitches = t.voluntary.of(voluntary), t.involuntary.of(involuntary)
	return sum, true
}
