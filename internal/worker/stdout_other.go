//go:build !linux

package worker

import "os"

// TakeStdout returns where Events go. What prints to os.Stdout from here on prints to standard error.
func TakeStdout() (*os.File, error) {
	events := os.Stdout
	os.Stdout = os.Stderr
	return events, nil
}
