package plain

import (
	"errors"
	"io/fs"
	"net"
	"os"
)

// Cause returns why an operation on a file or a socket failed, without the operation and its name or address, because the
// surrounding sentence names those as the user typed them. It returns other errors unchanged.
func Cause(err error) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		err = file.Err
	} else if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	} else if socket, ok := errors.AsType[*net.OpError](err); ok {
		err = socket.Err
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		err = call.Err
	}
	return err
}
