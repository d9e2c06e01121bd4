package loop

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// An epoll is the kernel's event queue, with an event of our own that rouses it.
type epoll struct {
	fd, event int
	events    [maxEvents]unix.EpollEvent
}

// tagEvent is the tag of what is not a socket.
const tagEvent = -1

func newPoller() (poller, error) {
	p := &epoll{fd: -1, event: -1}
	if err := p.open(); err != nil {
		p.end()
		return nil, err
	}
	return p, nil
}

func (p *epoll) open() (err error) {
	if p.fd, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if p.event, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		return err
	}
	return p.control(unix.EPOLL_CTL_ADD, p.event, tagEvent, unix.EPOLLIN|unix.EPOLLET) // by edges: it is never read
}

func (p *epoll) control(operation, fd int, tag int32, events uint32) error {
	return unix.EpollCtl(p.fd, operation, fd, &unix.EpollEvent{Events: events, Fd: tag})
}

// watch implements poller.
func (p *epoll) watch(fd int, tag int32) error {
	return p.control(unix.EPOLL_CTL_ADD, fd, tag, unix.EPOLLIN)
}

// room implements poller. The descriptor is open and watched, so that it can't fail.
func (p *epoll) room(fd int, tag int32, wanted bool) {
	events := uint32(unix.EPOLLIN)
	if wanted {
		events |= unix.EPOLLOUT
	}
	_ = p.control(unix.EPOLL_CTL_MOD, fd, tag, events)
}

// wait implements poller.
func (p *epoll) wait(to []event, block bool) int {
	timeout := 0
	if block {
		timeout = -1
	}
	n, _ := unix.EpollWait(p.fd, p.events[:], timeout) // it fails when a signal arrives
	n = max(n, 0)
	found := 0
	for i := range n {
		e := &p.events[i]
		if e.Fd == tagEvent {
			continue
		}
		to[found] = event{
			tag: e.Fd, readable: e.Events&^unix.EPOLLOUT != 0, writable: e.Events&(unix.EPOLLOUT|unix.EPOLLERR|unix.EPOLLHUP) != 0,
		}
		found++
	}
	return found
}

// rouse implements poller.
func (p *epoll) rouse() {
	one := [8]byte{1}
	_, _ = unix.Write(p.event, one[:]) // a full counter rouses too
}

// end implements poller.
func (p *epoll) end() {
	for _, fd := range []int{p.fd, p.event} {
		if fd >= 0 {
			_ = unix.Close(fd) // nothing was written to it
		}
	}
}

// read implements poller.
func (*epoll) read(fd int, b []byte) (int, error) { return untilHeard(Receive, fd, b) }

// write implements poller.
func (*epoll) write(fd int, b []byte) (int, error) { return untilHeard(Send, fd, b) }

// untilHeard makes a system call again that a signal interrupts.
func untilHeard(call func(int, []byte) (int, syscall.Errno), fd int, b []byte) (int, error) {
	for {
		switch n, failed := call(fd, b); failed {
		case 0:
			return n, nil
		case syscall.EINTR:
		default:
			return 0, failed
		}
	}
}

// close implements poller.
func (*epoll) close(fd int) error { return unix.Close(fd) }

// Descriptor returns another descriptor of a socket. It never blocks, as those of Go.
func Descriptor(socket net.Conn) (fd int, err error) {
	has, ok := socket.(syscall.Conn)
	if !ok {
		return 0, errors.New("the socket has no descriptor")
	}
	raw, err := has.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = raw.Control(func(old uintptr) { fd, failed = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0) })
	if err == nil {
		err = failed
	}
	return fd, err
}
