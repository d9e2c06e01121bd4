package host

import (
	"encoding/binary"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What the kernel's linux/inet_diag.h and linux/tcp_states.h define.
const (
	requestBytes = 56 // of struct inet_diag_req_v2
	messageBytes = 72 // of struct inet_diag_msg, which ends with the inode
	inodeAt      = 68
	infoWanted   = 1 << (infoAttribute - 1)
	// infoAttribute is INET_DIAG_INFO, a struct tcp_info.
	infoAttribute = 2

	stateEstablished, stateCloseWait = 1, 8
	open                             = 1<<stateEstablished | 1<<stateCloseWait
)

// answerBytes is the buffer for one datagram of the kernel's answer.
const answerBytes = 64 << 10

// Read sums the segments of the TCP connections that the process has open, by sock_diag(7). known is false if the kernel does not
// support it.
func (m *SegmentMeter) Read(pid int) (sum Segments, known bool) {
	m.mu.Lock() // also while the kernel answers: an older answer must not follow a newer one
	defer m.mu.Unlock()
	own, now := map[uint64]bool{}, map[uint64]Segments{}
	addSockets(own, pid)
	for _, family := range []byte{unix.AF_INET, unix.AF_INET6} {
		err := eachConnection(family, func(inode uint64, info *unix.TCPInfo) {
			if own[inode] {
				now[inode] = Segments{1, int64(info.Segs_out), int64(info.Segs_in), int64(info.Total_retrans)}
			}
		})
		if err != nil {
			return Segments{}, false
		}
	}
	return m.count(now), true
}

// eachConnection calls tell with every open TCP connection of a family, whichever process has it.
func eachConnection(family byte, tell func(inode uint64, info *unix.TCPInfo)) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_INET_DIAG)
	if err != nil {
		return fmt.Errorf("open a netlink socket: %w", err)
	}
	defer unix.Close(fd)
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1}); err != nil {
		return fmt.Errorf("bound the wait: %w", err)
	}
	if err := unix.Sendto(fd, request(family), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return fmt.Errorf("ask for sockets: %w", err)
	}
	buffer := make([]byte, answerBytes)
	for {
		n, _, err := unix.Recvfrom(fd, buffer, 0)
		if err != nil {
			return fmt.Errorf("read sockets: %w", err)
		}
		messages, err := syscall.ParseNetlinkMessage(buffer[:n])
		if err != nil {
			return fmt.Errorf("read sockets: %w", err)
		}
		for _, m := range messages {
			switch m.Header.Type {
			case unix.NLMSG_DONE:
				return nil
			case unix.NLMSG_ERROR:
				return fmt.Errorf("the kernel refuses: %x", m.Data)
			}
			if inode, info := connection(m.Data); info != nil {
				tell(inode, info)
			}
		}
	}
}

// request asks for all open connections of a family.
func request(family byte) []byte {
	b := make([]byte, unix.NLMSG_HDRLEN+requestBytes)
	binary.NativeEndian.PutUint32(b, uint32(len(b)))
	binary.NativeEndian.PutUint16(b[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(b[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	wanted := b[unix.NLMSG_HDRLEN:]
	wanted[0], wanted[1], wanted[2] = family, unix.IPPROTO_TCP, infoWanted
	binary.NativeEndian.PutUint32(wanted[4:], open)
	return b
}

// connection reads a struct inet_diag_msg and the tcp_info that follows, nil if there is none. Older kernels have a shorter one;
// fields that it lacks are 0.
func connection(message []byte) (inode uint64, info *unix.TCPInfo) {
	if len(message) < messageBytes {
		return 0, nil
	}
	inode = uint64(binary.NativeEndian.Uint32(message[inodeAt:]))
	for rest := message[messageBytes:]; len(rest) >= unix.SizeofRtAttr; {
		length := int(binary.NativeEndian.Uint16(rest))
		if length < unix.SizeofRtAttr || length > len(rest) {
			break
		}
		if binary.NativeEndian.Uint16(rest[2:]) == infoAttribute {
			info = new(unix.TCPInfo)
			copy(unsafe.Slice((*byte)(unsafe.Pointer(info)), unsafe.Sizeof(*info)), rest[unix.SizeofRtAttr:length])
			return inode, info
		}
		rest = rest[min(len(rest), (length+unix.RTA_ALIGNTO-1)&^(unix.RTA_ALIGNTO-1)):]
	}
	return inode, nil
}
