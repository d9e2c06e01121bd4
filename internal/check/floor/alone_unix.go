//go:build unix

package floor

import (
	"io"
	"net"
	"os"
	"runtime"
	"syscall"
)

// alone gives a thread exclusive use of a socket, on which it waits in the kernel like a process with nothing else to do. Go's
// poller would pass a byte from one goroutine to the other without waking another thread.
func alone(socket net.Conn, use func(io.ReadWriter) error) error {
	file, err := socket.(*net.TCPConn).File()
	if err != nil {
		return err
	}
	defer file.Close()
	fd := int(file.Fd())
	if err := syscall.SetNonblock(fd, false); err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return use(blocking(fd))
}

// blocking is a socket that is read and written by bare system calls.
type blocking int

func (b blocking) Read(p []byte) (int, error) {
	n, err := syscall.Read(int(b), p)
	if n == 0 && err == nil {
		return 0, io.EOF
	}
	return max(n, 0), os.NewSyscallError("read", err)
}

func (b blocking) Write(p []byte) (int, error) {
	n, err := syscall.Write(int(b), p)
	return max(n, 0), os.NewSyscallError("write", err)
}
