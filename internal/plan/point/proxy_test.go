package point

import (
	"strings"
	"testing"
)

func proxyNode(fields ...string) Node {
	n := Node{Form: Map}
	for i := 0; i < len(fields); i += 2 {
		n.Fields = append(n.Fields, Field{Name: fields[i], Value: Node{Text: fields[i+1]}})
	}
	return n
}

func TestAProxyIsReadAndWrittenAgain(t *testing.T) {
	t.Parallel()
	for _, n := range []Node{
		{Text: "grpc-go"},
		proxyNode("name", "mine", "command", "./proxy {address} {upstream}", "protocol", "grpc"),
		proxyNode("command", "nginx -c {config}", "config", "listen {port};\n\tpass {upstream_port};", "library", "nginx 1.22"),
	} {
		read, err := readProxy(n)
		if err != nil {
			t.Fatal(err)
		}
		again, err := readProxy(writeProxy(Asked{Spec: Spec{Proxy: read}}))
		if err != nil || again.Name != read.Name || (again.Program == nil) != (read.Program == nil) {
			t.Fatalf("%+v is written as %+v, %v", read, again, err)
		}
		if read.Program != nil && (again.Program.Says() != read.Program.Says() || again.Program.Protocol != read.Program.Protocol) {
			t.Errorf("%+v is written as %+v", read.Program, again.Program)
		}
	}
	if read, err := readProxy(Node{Text: "none"}); read != nil || err != nil || writeProxy(Asked{}).Form != Null {
		t.Errorf("none is %+v, %v", read, err)
	}
}

func TestAProxyThatCannotWorkIsOneSentence(t *testing.T) {
	t.Parallel()
	for want, n := range map[string]Node{
		`"ngnix" is unknown`:                              {Text: "ngnix"},
		`must be told where the server is`:                proxyNode("command", "p {port}"),
		`must be told where to listen`:                    proxyNode("command", "p {upstream}"),
		`no place for {config}`:                           proxyNode("command", "p {port} {upstream}", "config", "x"),
		`address and ready are not supported`:             proxyNode("command", "p {upstream}", "address", "127.0.0.1:1"),
		`"grpc-go" is what a case without a program says`: proxyNode("name", "grpc-go", "command", "p {port} {upstream}"),
		`unknown key "upstreams"`:                         proxyNode("command", "p {port} {upstream}", "upstreams", "2"),
		`config has a control character`:                  proxyNode("command", "p {config}", "config", "{port}{upstream}\x1b[2J"),
		`config is longer than 16384 bytes`: proxyNode("command", "p {config}", "config",
			"{port}{upstream}"+strings.Repeat("x", 1<<14)),
		`it has no command, such as {name: nginx`: proxyNode("name", "x"),
		`protocol: "smtp"`:                        proxyNode("command", "p {port} {upstream}", "protocol", "smtp"),
	} {
		if got, err := readProxy(n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v, want %s", got, err, want)
		}
	}
}

func TestWhatNoProxyCanBePutBetweenIsRefused(t *testing.T) {
	t.Parallel()
	built, told := &Proxy{Name: "grpc-go"}, &Proxy{Name: "x", Program: &Program{Command: []string{"{port}"}}}
	for want, s := range map[string]Spec{
		"proxy: the server at h:1 is already running; start the proxy yourself, and load that": {
			Proxy: built, Target: "h:1",
		},
		"proxy: a proxy has TCP or Unix sockets, and the network is inproc": {Proxy: built, Network: "inproc"},
		"proxy: a proxy has TCP or Unix sockets, and the network is ws":     {Proxy: built, Network: "ws"},
		"proxy: x has no place for a Unix socket, {address}":                {Proxy: told, Network: "unix"},
		"proxy: a proxy passes calls on to one server, and there are 2":     {Proxy: built, Network: "tcp", Servers: 2},
		"proxy: the proxy ends TLS, so that the server would not see who calls: use tls instead of mtls": {
			Proxy: built, Network: "tcp", Security: "mtls",
		},
	} {
		if got := mistaken(s); got == nil || got.Field+": "+got.Reason != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	for _, s := range []Spec{
		{Network: "ws", Servers: 2}, {Proxy: built, Network: "unix", Security: "tls"}, {Proxy: told, Network: "tcp"},
	} {
		if got := mistaken(s); got != nil {
			t.Errorf("%+v: %v", s, got)
		}
	}
}

func TestAProxyPassesOnWhatItSays(t *testing.T) {
	t.Parallel()
	with := func(protocol, config string) *Proxy {
		return &Proxy{Name: "x", Program: &Program{Command: []string{"p"}, Config: config, Protocol: protocol}}
	}
	for _, c := range []struct {
		proxy              *Proxy
		protocol, security string
		lacks              string
	}{
		{&Proxy{Name: "grpc-go"}, "grpc", "tls", ""},
		{&Proxy{Name: "grpc-go"}, "connect", "plaintext", "passes on grpc, and not connect"},
		{with("", ""), "connect", "plaintext", ""},
		{with("http-json", ""), "grpc", "plaintext", "passes on http-json, and not grpc"},
		{with("", "{cert}"), "grpc", "tls", "has no TLS: neither its command nor its configuration has a place for {cert} and {key}"},
		{with("", "{cert} {key}"), "grpc", "tls", ""},
	} {
		if got := c.proxy.Lacks(Spec{Protocol: c.protocol, Security: c.security}); got != c.lacks {
			t.Errorf("%+v, %s with %s: %q, want %q", c.proxy, c.protocol, c.security, got, c.lacks)
		}
	}
	started := (&Proxy{Name: "grpc-go"}).Starts("unix", true)
	if got := started.Says(); got !=
		"{rpcbench} proxy --quiet --listen unix:{address} --upstream unix:{upstream} --cert {cert} --key {key}" {
		t.Errorf("the built-in proxy is %s", got)
	}
}
