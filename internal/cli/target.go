package cli

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"rpcbench/internal/stack"
)

// A target is where a server listens.
type target struct {
	network string
	address string
}

// parseTarget reads host:port, :port (of this machine) and unix:PATH. Vanadium's leading slash is taken off.
func parseTarget(text string) (target, error) {
	if path, ok := strings.CutPrefix(text, "unix:"); ok {
		path = strings.TrimPrefix(path, "//")
		if path == "" {
			return target{}, errors.New("unix: has no path behind it")
		}
		return target{stack.NetworkUnix, path}, nil
	}
	host, port, err := net.SplitHostPort(strings.TrimPrefix(text, "/"))
	if err != nil || port == "" {
		return target{}, fmt.Errorf("%q is no address such as localhost:8888 or unix:/tmp/socket", text)
	}
	if host == "" {
		host = "localhost"
	}
	return target{stack.NetworkTCP, net.JoinHostPort(host, port)}, nil
}
