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

// String is the target as it is written on a command line.
func (t target) String() string {
	if t.network == stack.NetworkUnix {
		return "unix:" + t.address
	}
	return t.address
}

// parseTarget reads host:port, :port (of this machine), unix:PATH and dns:///host:port. Vanadium's leading slash is taken
// off.
func parseTarget(text string) (target, error) {
	if name, ok := strings.CutPrefix(text, "dns:"); ok {
		name, asked := strings.CutPrefix(name, "//")
		server, name, found := strings.Cut(name, "/")
		switch {
		case !asked:
			name = server
		case !found || server != "":
			return target{}, fmt.Errorf("%q: names are asked of the system's resolver, as dns:///localhost:8888", text)
		}
		return parseHostPort(text, name)
	}
	if path, ok := strings.CutPrefix(text, "unix:"); ok {
		path = strings.TrimPrefix(path, "//")
		if path == "" {
			return target{}, errors.New("unix: has no path behind it")
		}
		return target{stack.NetworkUnix, path}, nil
	}
	return parseHostPort(text, strings.TrimPrefix(text, "/"))
}

// parseHostPort reads an address, which is a part of the text.
func parseHostPort(text, address string) (target, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return target{}, fmt.Errorf("%q is no address such as localhost:8888 or unix:/tmp/socket", text)
	}
	if host == "" {
		host = "localhost"
	}
	return target{stack.NetworkTCP, net.JoinHostPort(host, port)}, nil
}
