package main

import (
	"errors"
	"os"
	"syscall"
)

// peakMB is the most memory that a process had which has ended.
func peakMB(process *os.ProcessState) (float64, error) {
	usage, ok := process.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, errors.New("the system did not tell the process's peak memory")
	}
	return float64(usage.Maxrss) * 1024 / 1e6, nil
}
