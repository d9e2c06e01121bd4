//go:build !linux

package host

import (
	"errors"
	"os/exec"
)

// Self is unknown here.
func Self() Usage { return Usage{} }

// StartOn starts the command. Processors can't be chosen here.
func StartOn(command *exec.Cmd, cpus []int) error {
	if len(cpus) > 0 {
		return errors.New("CPU pinning is available on Linux only")
	}
	return command.Start()
}

// Read is unknown here.
func (*SegmentMeter) Read(int) (Segments, bool) { return Segments{}, false }
