package target

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// socketBytesMax is how long the path of a Unix socket may be on this system.
const socketBytesMax = len(syscall.RawSockaddrUnix{}.Path) - 1

// Socket returns the path of a Unix socket, given as it is or as unix:PATH. It fails if there is none, or if the system accepts
// none of that length.
func Socket(text string) (string, error) {
	path := strings.TrimPrefix(text, "unix:")
	if path != text {
		path = strings.TrimPrefix(path, "//")
	}
	switch {
	case text == "":
		return "", errors.New("it is empty")
	case path == "":
		return "", errors.New("unix: needs a path")
	case len(strings.TrimPrefix(path, "@")) > socketBytesMax: // the mark of an abstract one takes the place of the NUL
		return "", fmt.Errorf("the path of a Unix socket has at most %d bytes, and this one has %d: %.60s…",
			socketBytesMax, len(path), path)
	}
	return path, nil
}
