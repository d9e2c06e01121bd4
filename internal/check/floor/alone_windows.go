package floor

import (
	"io"
	"net"
	"runtime"
)

// alone gives a thread of its own the socket, which waits through Go's poller here.
func alone(socket net.Conn, use func(io.ReadWriter) error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return use(socket)
}
