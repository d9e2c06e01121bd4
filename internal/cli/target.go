package cli

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"rpcbench/internal/call/request"
	"rpcbench/internal/stack"
)

// A target is where a server listens.
type target struct {
	network string
	address string
	url     *url.URL // of HTTP: where it leads, without path and query; nil elsewhere
	raw     string   // url as it was written, functions included
}

// isHTTP tells whether the target is a URL.
func (t target) isHTTP() bool { return t.url != nil }

// String is the target as it is written on a command line; of a URL where it leads, because the rest may hold secrets.
func (t target) String() string {
	if t.isHTTP() {
		return t.url.String()
	}
	if t.network == stack.NetworkUnix {
		return "unix:" + t.address
	}
	return t.address
}

// parseTarget reads host:port, :port (of this machine), unix:PATH and dns:///host:port. Vanadium's leading slash is taken
// off. A port is portLeast or more: 0 is any free one, where a server listens.
func parseTarget(text string, portLeast uint64) (target, error) {
	if name, ok := strings.CutPrefix(text, "dns:"); ok {
		name, asked := strings.CutPrefix(name, "//")
		server, name, found := strings.Cut(name, "/")
		switch {
		case !asked:
			name = server
		case !found || server != "":
			return target{}, fmt.Errorf("%q: names are asked of the system's resolver, as dns:///localhost:8888", text)
		}
		return parseHostPort(text, name, portLeast)
	}
	if path, ok := strings.CutPrefix(text, "unix:"); ok {
		path = strings.TrimPrefix(path, "//")
		if path == "" {
			return target{}, errors.New("unix: has no path behind it")
		}
		return target{network: stack.NetworkUnix, address: path}, nil
	}
	return parseHostPort(text, strings.TrimPrefix(text, "/"), portLeast)
}

// parseHostPort reads an address, which is a part of the text.
func parseHostPort(text, address string, portLeast uint64) (target, error) {
	host, port, err := net.SplitHostPort(address)
	switch number, numberErr := strconv.ParseUint(port, 10, 16); {
	case strings.Contains(address, "/"):
		return target{}, fmt.Errorf("%q is no address such as localhost:8888 or unix:/tmp/socket, and a URL begins with "+
			"http:// or https://", text)
	case err != nil || port == "" || strings.ContainsAny(host, " \t"):
		return target{}, fmt.Errorf("%q is no address such as localhost:8888 or unix:/tmp/socket", text)
	case numberErr != nil || number < portLeast:
		return target{}, fmt.Errorf("%q: %q is no port, which is a number from %d to 65535", text, port, portLeast)
	}
	if host == "" {
		host = "localhost"
	}
	return target{network: stack.NetworkTCP, address: net.JoinHostPort(host, port)}, nil
}

// isURL tells whether a TARGET is written as a URL.
func isURL(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// parseURL reads http:// and https://. What stands behind the host is the recipe's to read.
func parseURL(text string) (target, error) {
	h, err := request.NewHTTP(request.HTTPConfig{URL: text})
	if err != nil {
		return target{}, err
	}
	return target{
		network: stack.NetworkTCP, address: h.Address, url: &url.URL{Scheme: h.Scheme, Host: h.Authority}, raw: text,
	}, nil
}
