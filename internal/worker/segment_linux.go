package worker

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// segmentsKnown says that the system counts the segments of a socket.
const segmentsKnown = true

// segmentsOf asks the kernel what a TCP socket has sent (tcp(7), TCP_INFO).
func segmentsOf(raw syscall.RawConn) (sent segments, known bool) {
	err := raw.Control(func(fd uintptr) {
		if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
			sent, known = segments{out: int64(info.Segs_out), again: int64(info.Total_retrans), in: int64(info.Segs_in)}, true
		}
	})
	return sent, known && err == nil
}
