//go:build !linux

package worker

import "syscall"

const segmentsKnown = false

// segmentsOf knows nothing: other systems count segments otherwise, or not by socket.
func segmentsOf(syscall.RawConn) (segments, bool) { return segments{}, false }
