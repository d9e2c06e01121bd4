package cli

import (
	"github.com/spf13/pflag"

	"rpcbench/internal/plan/point"
)

// tlsFlags are parts of the key tls.
var tlsFlags = []struct{ name, part, help string }{
	{"cacert", "ca", "with TLS: a file of the authorities to trust (those that the system trusts)"},
	{"cert", "cert", "with TLS: a file with the client's certificate"},
	{"key", "key", "with TLS: a file with the key of --cert"},
	{"server-name", "server_name", "with TLS: the name that the server's certificate must have (TARGET's host)"},
	{"insecure-skip-verify", "skip_verify", "with TLS: take any certificate of the server's; results say so"},
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
	flags.StringP(basicAuth, "a", "", "with a URL: USER:PASSWORD")
}
