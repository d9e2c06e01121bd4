package host

import (
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// kernelThreads is the parent of the kernel's own threads. Who sees it sees all processes of the machine: only the first
// PID namespace has it, so not a container's.
const kernelThreads = 2

// ReadProcesses reads them. It returns false where not all of the machine's processes can be seen.
func ReadProcesses() (Processes, bool) { return readProcesses(procfs.DefaultMountPoint, processCPU) }

func readProcesses(mount string, cpuOf func(pid int) (time.Duration, bool)) (Processes, bool) {
	proc, err := procfs.NewFS(mount)
	if err != nil || !seesKernel(proc) {
		return nil, false
	}
	found, err := proc.AllProcs()
	if err != nil {
		return nil, false
	}
	all := make(Processes, len(found))
	for _, p := range found {
		stat, err := p.Stat()
		cpu, known := cpuOf(p.PID)
		if err != nil || !known {
			continue // it has just ended
		}
		children := time.Duration(stat.CUTime+stat.CSTime) * tick
		all[incarnation{p.PID, stat.Starttime}] = used{cpu + children, stat.PPID == kernelThreads}
	}
	return all, true
}

func seesKernel(proc procfs.FS) bool {
	p, err := proc.Proc(kernelThreads)
	if err != nil {
		return false
	}
	stat, err := p.Stat()
	return err == nil && stat.Comm == "kthreadd" && stat.PPID == 0
}

// processCPU is the CPU time of all threads of a process, including finished ones. It returns false if there is no such process.
func processCPU(pid int) (time.Duration, bool) {
	const scheduled = 2 // CPUCLOCK_SCHED: as the scheduler adds it up; see clock_getcpuclockid(3)
	var used unix.Timespec
	err := unix.ClockGettime(^int32(pid)<<3|scheduled, &used)
	return time.Duration(used.Nano()), err == nil
}
