// Package target has addresses of servers as people write them: host:port, unix:PATH, a URL. It resolves no name.
package target

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"rpcbench/internal/call/request"
	"rpcbench/internal/stack"
)

// A Target is the address of a server.
type Target struct {
	Network string
	Address string
	URL     *url.URL // of HTTP: where it leads, without path and query; nil elsewhere
	Raw     string   // URL as it was written, functions included
	Path    string   // of a URL, with the names and without the values of its query, which may be secrets
	Socket  string   // the Unix socket that leads to a URL; empty is TCP
}

// IsHTTP returns whether the target is a URL.
func (t Target) IsHTTP() bool { return t.URL != nil }

// IsTLS returns whether the target is a URL of https.
func (t Target) IsTLS() bool { return t.IsHTTP() && t.URL.Scheme == "https" }

// String is the target as it is written on a command line; of a URL where it leads, because the rest may hold secrets.
func (t Target) String() string {
	if t.IsHTTP() {
		return t.URL.String()
	}
	switch t.Network {
	case stack.NetworkUnix:
		return "unix:" + t.Address
	case stack.NetworkWS, stack.NetworkWSH:
		return t.Network + "://" + t.Address
	default:
		return t.Address
	}
}

// Host is a TCP target's; empty of a Unix socket.
func (t Target) Host() string {
	if t.Network == stack.NetworkUnix {
		return ""
	}
	host, _, _ := net.SplitHostPort(t.Address) // ParseAddress has seen to it
	return host
}

// Name returns the name that the target's certificate must have: the host of the URL, even over a Unix socket; empty for a plain
// Unix socket.
func (t Target) Name() string {
	if t.IsHTTP() {
		return t.URL.Hostname()
	}
	return t.Host()
}

// Authority returns the target's HTTP/2 authority.
func (t Target) Authority() string {
	if t.Network == stack.NetworkUnix {
		return "localhost" // a path is none
	}
	return t.Address
}

// Parse parses a target: a URL or an address as in ParseAddress, with a port that a client can call.
func Parse(text string) (Target, error) {
	if IsURL(text) {
		return parseURL(text)
	}
	return ParseAddress(text, 1)
}

// ParseAddress reads host:port, :port (of this machine), unix:PATH, ws://host:port, wsh://host:port and dns:///host:port.
// Vanadium's leading slash is taken off. A port is minPort or more: 0 is any free one, where a server listens.
func ParseAddress(text string, minPort uint64) (Target, error) {
	if name, ok := strings.CutPrefix(text, "dns:"); ok {
		name, asked := strings.CutPrefix(name, "//")
		server, name, found := strings.Cut(name, "/")
		switch {
		case !asked:
			name = server
		case !found || server != "":
			return Target{}, fmt.Errorf("%q: names are asked of the system's resolver, as dns:///localhost:8888", text)
		}
		return parseHostPort(text, name, minPort)
	}
	if strings.HasPrefix(text, "unix:") {
		path, err := Socket(text)
		return Target{Network: stack.NetworkUnix, Address: path}, err
	}
	if strings.HasPrefix(text, "wss://") {
		return Target{}, fmt.Errorf("%q: TLS is inside the WebSocket here: write ws://, with --security tls", text)
	}
	for _, network := range []string{stack.NetworkWS, stack.NetworkWSH} {
		if address, ok := strings.CutPrefix(text, network+"://"); ok {
			at, err := parseHostPort(text, strings.TrimSuffix(address, "/"), minPort)
			at.Network = network
			return at, err
		}
	}
	return parseHostPort(text, strings.TrimPrefix(text, "/"), minPort)
}

// parseHostPort reads an address, which is a part of the text.
func parseHostPort(text, address string, minPort uint64) (Target, error) {
	host, port, err := net.SplitHostPort(address)
	switch number, numberErr := strconv.ParseUint(port, 10, 16); {
	case strings.Contains(address, "/"):
		return Target{}, fmt.Errorf("%q is not an address, such as localhost:8888 or unix:/tmp/socket, and a URL begins with "+
			"http:// or https://", text)
	case err != nil || port == "" || strings.ContainsAny(host, " \t"):
		return Target{}, fmt.Errorf("%q is not an address, such as localhost:8888 or unix:/tmp/socket", text)
	case numberErr != nil || number < minPort:
		return Target{}, fmt.Errorf("%q: %q is not a port, a number from %d to 65535", text, port, minPort)
	}
	if host == "" {
		host = "localhost"
	}
	return Target{Network: stack.NetworkTCP, Address: net.JoinHostPort(host, port)}, nil
}

// IsURL returns whether a target is written as a URL.
func IsURL(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// WithPath returns a URL's target with another path and query. The target itself must have none.
func (t Target) WithPath(path string) (Target, error) {
	base := strings.TrimSuffix(t.Raw, "/")
	if t.Path != "/" {
		return t, fmt.Errorf("the target has the path %s already: give it in each path instead", t.Path)
	}
	at, err := parseURL(base + path)
	if err == nil && t.Socket != "" {
		at.Network, at.Address, at.Socket = t.Network, t.Address, t.Socket
	}
	return at, err
}

// parseURL parses http:// and https:// URLs. The recipe parses the part after the host.
func parseURL(text string) (Target, error) {
	u, err := request.ParseURL(text)
	if err != nil {
		return Target{}, err
	}
	return Target{
		Network: stack.NetworkTCP, Address: u.Address, URL: &url.URL{Scheme: u.Scheme, Host: u.Authority}, Raw: text,
		Path: u.Shown(),
	}, nil
}
