package point

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/stack"
)

// A Proxy is between client and server, ends the protocol and starts it anew. It is started for every trial.
type Proxy struct {
	Name string `json:"name"`
	// Program is the user's proxy; nil is the built-in proxy of that name. Its Protocol is the one that it passes on, "" any.
	Program *Program `json:"program,omitempty"`
}

// ProxyGRPCGo is the name of the proxy that every rpcbench has.
const ProxyGRPCGo = "grpc-go"

const (
	noProxy      = "none"
	proxyExample = "{name: nginx, command: [nginx, -c, '{config}'], config: '…'}"
	anyProtocol  = "any"
)

// readProxy accepts none, the name of a built-in proxy, or a map that says how a program is started. nil is none.
func readProxy(n Node) (*Proxy, error) {
	switch {
	case n.Form == Scalar && n.Text == noProxy:
		return nil, nil
	case n.Form == Scalar && n.Text == ProxyGRPCGo:
		return &Proxy{Name: n.Text}, nil
	case n.Form == Scalar:
		return nil, fmt.Errorf("%q is unknown%s; a program is a map such as %s", n.Text,
			hint.Of(n.Text, []string{noProxy, ProxyGRPCGo}), proxyExample)
	case n.Form != Map:
		return nil, fmt.Errorf("%s is given; expected none, %s or a map such as %s", n.Form, ProxyGRPCGo, proxyExample)
	}
	program, name, err := proxies.read(n)
	switch {
	case err != nil:
		return nil, err
	case name == ProxyGRPCGo || name == noProxy:
		return nil, fmt.Errorf("name: %q is what a case without a program says; give it another", name)
	}
	return &Proxy{name, program}, nil
}

// writeProxy says a proxy as a case does.
func writeProxy(a Asked) Node {
	switch p := a.Proxy; {
	case p == nil:
		return Node{Form: Null}
	case p.Program == nil:
		return textNode(p.Name)
	default:
		return p.Program.write(p.Name, anyProtocol)
	}
}

// ProxyText is the name of the proxy; empty without one.
func (s Spec) ProxyText() string {
	if s.Proxy == nil {
		return ""
	}
	return s.Proxy.Name
}

// Starts is the program that is started as the proxy, for a network and with TLS or without.
func (p *Proxy) Starts(network string, secure bool) Program {
	if p.Program != nil {
		return *p.Program
	}
	listen, upstream := "{address}", "{upstream}"
	if network == stack.NetworkUnix {
		listen, upstream = "unix:"+listen, "unix:"+upstream
	}
	words := []string{"{rpcbench}", "proxy", "--quiet", "--listen", listen, "--upstream", upstream}
	if secure {
		words = append(words, "--cert", "{cert}", "--key", "{key}")
	}
	return Program{Command: words, Protocol: stack.ProtocolGRPC, WithinNs: programReady.Nanoseconds()}
}

// Lacks returns what of a point the proxy does not support, or "".
func (p *Proxy) Lacks(s Spec) string {
	protocol := stack.ProtocolGRPC
	if p.Program != nil {
		protocol = p.Program.Protocol
	}
	switch {
	case protocol != "" && protocol != s.Protocol:
		return fmt.Sprintf("passes on %s, and not %s", protocol, s.Protocol)
	case s.Security == stack.SecurityTLS && p.Program != nil && !p.Program.mentions("{cert}", "{key}"):
		return "has no TLS: neither its command nor its configuration has a place for {cert} and {key}"
	default:
		return ""
	}
}

// mistaken finds points that no proxy can be used with.
func mistaken(s Spec) *stack.Fault {
	switch {
	case s.Proxy == nil:
		return nil
	case s.Target != "":
		return fault("proxy", "the server at %s is already running; start the proxy yourself, and load that", s.Target)
	case s.Network != stack.NetworkTCP && s.Network != stack.NetworkUnix && s.Network != "":
		return fault("proxy", "a proxy has TCP or Unix sockets, and the network is %s", s.Network)
	case s.Network == stack.NetworkUnix && s.Proxy.Program != nil && !s.Proxy.Program.mentions("{address}"):
		return fault("proxy", "%s has no place for a Unix socket, {address}", s.Proxy.Name)
	case s.ServerCount() > 1:
		return fault("proxy", "a proxy passes calls on to one server, and there are %d", s.ServerCount())
	case s.Security == stack.SecurityMTLS:
		return fault("proxy", "the proxy ends TLS, so that the server would not see who calls: use tls instead of mtls")
	default:
		return nil
	}
}

// checkProxy looks at a program that is to be a proxy.
func (p *Program) checkProxy() error {
	switch {
	case p.Address != "" || p.Health:
		return errors.New("address and ready are not supported: rpcbench chooses where a proxy listens, and it is ready once " +
			"it accepts connections")
	case !p.mentions("{upstream}") && !p.mentions("{upstream_port}"):
		return errors.New("the proxy must be told where the server is, by {upstream}, or {upstream_host} and {upstream_port}, in its " +
			"command or its config")
	default:
		return nil
	}
}

// mentions reports whether command or configuration has places for all of these.
func (p *Program) mentions(holes ...string) bool {
	texts := append(slices.Clone(p.Command), p.Config)
	return !slices.ContainsFunc(holes, func(hole string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, hole) })
	})
}
