package floor

import (
	"io"
	"net"
	"runtime"
)

// alone gives a thread exclusive use of the socket; on this system it waits through Go's poller.
func alone(socket net.Conn, use func(io.ReadWriter) error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return use(socket)
}
