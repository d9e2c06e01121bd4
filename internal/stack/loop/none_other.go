//go:build !linux

package loop

import "net"

func newPoller() (poller, error) { return nil, ErrUnsupported }

func take(net.Conn) (int, error) { return 0, ErrUnsupported }
