package host

import (
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// Self reads this process's usage. Peak memory is the kernel's VmHWM: the maximum resident set of the program since exec, unlike
// getrusage's, which includes the parent's. It never falls; see peak.
func Self() Usage {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // it can't fail with these arguments
	return Usage{
		CPUUser:         time.Duration(usage.Utime.Nano()),
		CPUSystem:       time.Duration(usage.Stime.Nano()),
		PeakMemoryBytes: selfPeak.of(kilobytes("/proc/self/status", "VmHWM")),

		VoluntarySwitches:   int64(usage.Nvcsw),  //nolint:unconvert // an int32 where processors have 32 bits
		InvoluntarySwitches: int64(usage.Nivcsw), //nolint:unconvert // as above
		SwitchesKnown:       true,
	}
}

// A cpuSet is the kernel's cpu_set_t.
type cpuSet [ProcessorsMax / 64]uint64

// StartOn starts the command on the given processors alone: its runtime finds them when it counts processors. With none
// given it may run on all of this process's.
func StartOn(command *exec.Cmd, cpus []int) error {
	if len(cpus) == 0 {
		return command.Start()
	}
	wanted, err := setOf(cpus)
	if err != nil {
		return err
	}
	// A child inherits the affinity of the thread that forks it. The thread is not unlocked if it can't be set back, so
	// that it ends with its goroutine.
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		var before cpuSet
		err := affinity(syscall.SYS_SCHED_GETAFFINITY, &before)
		if err == nil {
			err = affinity(syscall.SYS_SCHED_SETAFFINITY, &wanted)
		}
		if err != nil {
			started <- fmt.Errorf("run on processors %v: %w", cpus, err)
			return
		}
		err = command.Start()
		if affinity(syscall.SYS_SCHED_SETAFFINITY, &before) == nil {
			runtime.UnlockOSThread()
		}
		started <- err
	}()
	return <-started
}

// setOf is the set of these processors.
func setOf(cpus []int) (set cpuSet, err error) {
	for _, cpu := range cpus {
		if cpu < 0 || cpu >= ProcessorsMax {
			return cpuSet{}, fmt.Errorf("run on processors %v: %d is not between 0 and %d", cpus, cpu, ProcessorsMax-1)
		}
		set[cpu/64] |= 1 << (cpu % 64)
	}
	return set, nil
}

// affinity gets or sets the calling thread's processors.
func affinity(call uintptr, set *cpuSet) error {
	_, _, errno := syscall.RawSyscall(call, 0, unsafe.Sizeof(*set), uintptr(unsafe.Pointer(set)))
	if errno != 0 {
		return errno
	}
	return nil
}
