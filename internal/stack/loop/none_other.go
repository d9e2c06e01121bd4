//go:build !linux

package loop

import "net"

func newPoller() (poller, error) { return nil, ErrUnsupported }

// Descriptor fails where there are no loops.
func Descriptor(net.Conn) (int, error) { return 0, ErrUnsupported }
