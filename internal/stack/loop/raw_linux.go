package loop

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Go's scheduler learns nothing of these system calls: with 1,000 connections over HTTP/1.1 a call of the client took 5% less
// CPU than with syscall.Read and syscall.Write (medians of 24 pairs). So a processor of Go's is kept for as long as they take:
// they are for sockets on which they do not wait, or for callers that mean to keep it.

// Receive reads what has arrived at a socket, with one system call: 0 without an error is the end. It waits as long as the
// socket does.
//
// While it waits Go may ask for the processor by a signal, which ends the wait, and has it where the next function begins.
//
//go:noinline
func Receive(fd int, b []byte) (int, syscall.Errno) {
	n, _, failed := unix.RawSyscall6(
		unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), 0, 0, 0)
	return int(n), failed
}

// Send writes as much to a socket as it takes now, with one system call. It never waits.
func Send(fd int, b []byte) (int, syscall.Errno) {
	const flags = unix.MSG_NOSIGNAL | unix.MSG_DONTWAIT
	n, _, failed := unix.RawSyscall6(
		unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), flags, 0, 0)
	return int(n), failed
}
