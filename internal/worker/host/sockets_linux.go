package host

import (
	"os"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
)

// Sockets returns the highest number of simultaneously open TCP connections that processes below the root had accepted, of all
// readings. The system does not distinguish those over Unix sockets, so they are not counted.
func (t *Tree) Sockets() int64 {
	own := map[uint64]bool{}
	for _, stat := range below(t.Root) {
		addSockets(own, stat.PID)
	}
	if t.sockets == nil {
		t.sockets = map[uint64]bool{}
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue // without IPv6 there is one
		}
		for _, inode := range accepted(endpoints(text), own) {
			t.sockets[inode] = true
		}
	}
	return int64(len(t.sockets))
}

// addSockets adds the inodes of a process's sockets.
func addSockets(to map[uint64]bool, pid int) {
	proc, err := procfs.NewProc(pid)
	if err != nil {
		return // it has just ended
	}
	targets, _ := proc.FileDescriptorTargets() // of one that has just ended there are none
	for _, target := range targets {
		inode, found := strings.CutPrefix(target, "socket:[")
		if n, err := strconv.ParseUint(strings.TrimSuffix(inode, "]"), 10, 64); found && err == nil {
			to[n] = true
		}
	}
}
