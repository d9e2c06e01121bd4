package point

import (
	"strings"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/relay"
)

// declaredPaths declares the keys for the path of calls, and how data looks on it.
var declaredPaths = []*Key{
	{
		Name: "security", Axis: true, Early: true, Kinds: served, fallback: always(stack.SecurityPlaintext), Trust: Harmless,
		form: choice(func(a *Asked) *string { return &a.Security },
			stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS),
		Values:    "`plaintext`, `tls`, `mtls` (the client also has a certificate)",
		Otherwise: "`plaintext`; of a target what its keys are for",
		Load: Flag{Name: "security", Form: AsText,
			Help: "transport `security`: plaintext, tls or mtls (default: what the keys given are for, else plaintext)"},
		Columns: []Column{{
			Name: "security", Is: "`plaintext`, `tls`, `mtls`; followed by ` unverified` if " +
				"[certificates were not checked](load.md#target)",
			Absent: uncalled, Usual: stack.SecurityPlaintext, value: called(plain(Spec.SecurityText)),
		}},
		Sides: &Sides{Spec.SecurityText, func(s *Spec) { s.Security = stack.SecurityPlaintext }},
	},
	{
		Name: "network", Axis: true, Kinds: served, fallback: always(stack.NetworkTCP), Trust: Harmless,
		form: choice(func(a *Asked) *string { return &a.Network }, stack.Networks()...),
		Values: "`tcp` (loopback), `unix` (a Unix socket), `ws` (a WebSocket), `wsh` (a server " +
			"for WebSockets and bare sockets), `inproc` (client and server in one process); see [networks](stacks.md#networks)",
		Otherwise: "`tcp`",
		Columns: []Column{{
			Name: "network", Is: "`tcp`, `unix`, `ws`, `wsh`, `inproc`", Absent: uncalled, Usual: stack.NetworkTCP,
			value: called(plain(func(s Spec) string { return s.Network })),
		}},
		Sides: &Sides{func(s Spec) string { return s.Network }, func(s *Spec) { s.Network = stack.NetworkTCP }},
	},
	{
		Name: "link", Axis: true, Kinds: served, fallback: nothing, Trust: Harmless,
		form: formOf(link, func(a *Asked, l *Link) { a.Link = l }, func(a Asked) Node { return a.Link.write() }),
		Values: "an emulated link between client and servers: the name of [a preset](workers.md#relay), or a map such as " +
			"`{rtt: 10ms, jitter: 1ms, up: 20Mbit, down: 100Mbit}`; see [below](#link)",
		Otherwise: "`loopback`: none",
		Load: Flag{Name: "link", Help: "emulated `link` to the server: " + strings.Join(relay.Presets(), ", ") +
			", or a map such as '{rtt: 10ms, up: 20Mbit}'"},
		Columns: []Column{{
			Name: "link", Is: "the preset's name, or `rtt_ns`, `jitter_ns`, `up_bytes_per_sec` and `down_bytes_per_sec` as sorted " +
				"`k=v;k=v`",
			Absent: "no link", value: plain(Spec.LinkText),
		}},
		Sides: &Sides{Spec.LinkText, func(s *Spec) { s.Link = nil }},
	},
	{
		Name: "compression", Axis: true, Kinds: served[1:], fallback: always(stack.CompressionNone), Trust: Harmless,
		form:   choice(func(a *Asked) *string { return &a.Compression }, stack.CompressionNone, stack.CompressionGzip),
		Values: "`none`, `gzip`", Otherwise: "`none`",
		Load: Flag{Name: "compression", Help: "message `compression`: none or gzip (default none)"},
		Columns: []Column{{
			Name: "compression", Is: "`none`, `gzip`", Absent: uncalled, Usual: stack.CompressionNone, Carrier: true,
			value: called(plain(func(s Spec) string { return s.Compression })),
		}},
		Sides: &Sides{func(s Spec) string { return s.Compression }, func(s *Spec) { s.Compression = stack.CompressionNone }},
	},
	{
		Name: "payload", Axis: true, Kinds: carrying, fallback: always(stack.PayloadRandom), Trust: Harmless,
		form:   choice(func(a *Asked) *string { return &a.Payload }, stack.PayloadRandom, "json", "zeros"),
		Values: "`random`, `json`, `zeros`; see [the payload](stacks.md#the-payload)", Otherwise: "`random`",
		Load: Flag{Name: "payload", Help: "payload `content`: random, json or zeros (default random)"},
		Columns: []Column{{
			Name: "payload", Is: "`random`, `json`, `zeros`", Absent: uncalled, Usual: stack.PayloadRandom,
			value: called(plain(func(s Spec) string { return s.Payload })),
		}},
		Sides: &Sides{func(s Spec) string { return s.Payload }, func(s *Spec) { s.Payload = stack.PayloadRandom }},
	},
	{
		Name: "proxy", Axis: true, Kinds: served, fallback: nothing, Trust: Consent,
		form: formOf(readProxy, func(a *Asked, p *Proxy) { a.Proxy = p }, writeProxy),
		Values: "a proxy between client and server that ends the protocol: `none`, `grpc-go`, or a program as a map such as `" +
			proxyExample + "`; see [below](#proxy)",
		Otherwise: "`none`",
		Columns:   []Column{{Name: "proxy", Is: "the proxy's name", Absent: "no proxy", Carrier: true, value: plain(Spec.ProxyText)}},
		Sides:     &Sides{Spec.ProxyText, func(s *Spec) { s.Proxy = nil }},
		Words: func(s Spec) string {
			if s.Proxy == nil {
				return ""
			}
			return "through " + s.Proxy.Name
		},
	},
}

// SecurityText returns the security, and says if the server's certificate was not verified.
func (s Spec) SecurityText() string {
	if s.Unverified {
		return s.Security + " unverified"
	}
	return s.Security
}
