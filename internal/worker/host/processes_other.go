//go:build !linux

package host

// ReadProcesses knows of none here.
func ReadProcesses() (Processes, bool) { return nil, false }
