package host

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
)

// Sockets returns the highest number of simultaneously open TCP connections that processes below the root had accepted, of all
// readings. The system does not distinguish those over Unix sockets, so they are not counted.
func (t *Tree) Sockets() int64 {
	own := t.ownSockets()
	if t.sockets == nil {
		t.sockets = map[uint64]bool{}
	}
	for _, table := range tcpTables {
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

var tcpTables = []string{"/proc/net/tcp", "/proc/net/tcp6"}

// ListensTCP reports whether one of the processes listens on a TCP port.
func (t *Tree) ListensTCP(port int) bool {
	own := t.ownSockets()
	return slices.ContainsFunc(tcpTables, func(table string) bool {
		text, _ := os.ReadFile(table) // without IPv6 there is one
		return listensTCP(endpoints(text), own, port)
	})
}

// ListensUnix reports whether one of the processes listens on a Unix socket.
func (t *Tree) ListensUnix() bool {
	text, _ := os.ReadFile("/proc/net/unix") // unknown is no
	return listensUnix(text, t.ownSockets())
}

// ownSockets returns the inodes of the sockets of all processes.
func (t *Tree) ownSockets() map[uint64]bool {
	own := map[uint64]bool{}
	for _, stat := range below(t.Root) {
		addSockets(own, stat.PID)
	}
	return own
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
