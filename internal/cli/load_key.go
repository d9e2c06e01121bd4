package cli

import (
	"github.com/spf13/pflag"

	"rpcbench/internal/plan/point"
)

// tlsFlags are parts of the key tls.
var tlsFlags = []struct{ name, part, help string }{
	{"cacert", "ca", "with TLS: `file` of CA certificates to trust (default: the system's)"},
	{"cert", "cert", "with TLS: `file` with the client certificate"},
	{"key", "key", "with TLS: `file` with the private key of --cert"},
	{"server-name", "server_name", "with TLS: expected `name` in the server certificate (default: TARGET's host)"},
	{"insecure-skip-verify", "skip_verify", "with TLS: skip certificate verification (recorded in the results)"},
}

// basicAuth is a flag that is metadata.
const basicAuth = "basic-auth"

// addKeyFlags adds the flags that are keys of a case.
func addKeyFlags(flags *pflag.FlagSet) {
	for _, key := range point.Keys() {
		switch f := key.Load; {
		case f.Name == "":
		case f.Form == point.AsSwitch:
			flags.BoolP(f.Name, f.Short, false, f.Help)
		case f.Form == point.AsList:
			flags.StringArrayP(f.Name, f.Short, nil, f.Help)
		default:
			flags.StringP(f.Name, f.Short, "", f.Help)
		}
	}
	for _, f := range tlsFlags {
		if f.part == "skip_verify" {
			flags.Bool(f.name, false, f.help)
		} else {
			flags.String(f.name, "", f.help)
		}
	}
	flags.StringP(basicAuth, "a", "", "with a URL: basic authentication, `USER:PASSWORD`")
}
