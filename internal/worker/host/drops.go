package host

import (
	"io/fs"
	"strconv"
	"strings"
)

// DroppedPackets counts packets dropped by the kernel or an interface for lack of room, in this process's network namespace and,
// because the kernel's queues are shared, on this machine. proc is the folder /proc. It returns false if the system does not
// report them.
func DroppedPackets(proc fs.FS) (packets int64, known bool) {
	interfaces, err := fs.ReadFile(proc, "net/dev")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(interfaces)) {
		_, counters, isInterface := strings.Cut(line, ":")
		// Received: bytes packets errs drop fifo frame compressed multicast; and sent: bytes packets errs drop …
		if words := strings.Fields(counters); isInterface && len(words) >= 12 {
			packets += countOf(words[3], 10) + countOf(words[11], 10)
		}
	}
	queues, err := fs.ReadFile(proc, "net/softnet_stat") // a line for each processor: processed dropped …
	for line := range strings.Lines(string(queues)) {
		if words := strings.Fields(line); err == nil && len(words) >= 2 {
			packets += countOf(words[1], 16)
		}
	}
	return packets, true
}

// countOf parses a kernel counter; anything else is 0.
func countOf(text string, base int) int64 {
	n, err := strconv.ParseInt(text, base, 64)
	if err != nil {
		return 0
	}
	return n
}
