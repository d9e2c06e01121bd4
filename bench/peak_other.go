//go:build !linux

package main

import (
	"errors"
	"os"
)

// peakMB is known on Linux only.
func peakMB(*os.ProcessState) (float64, error) {
	return 0, errors.New("the peak memory of processes is read on Linux only")
}
