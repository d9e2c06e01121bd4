package cli

import (
	"github.com/spf13/pflag"

	"rpcbench/internal/run/serve"
)

// limitFlags adds the flags for a server's limits for unknown clients.
func limitFlags(f *pflag.FlagSet, l *serve.Limits) {
	*l = serve.DefaultLimits()
	f.Uint32Var(&l.RequestBytes, "max-request-bytes", l.RequestBytes,
		"largest request message, encoded and decompressed, in `bytes`")
	f.Uint32Var(&l.ResponseBytes, "max-response-bytes", l.ResponseBytes, "largest payload of a response message, in `bytes`")
	f.Uint32Var(&l.Batch, "max-batch", l.Batch, "largest `number` of operations in one message")
	f.Uint32Var(&l.Connections, "max-connections", l.Connections, "largest `number` of open connections; more are closed")
	f.Uint32Var(&l.Streams, "max-streams", l.Streams,
		"largest `number` of open streams on one HTTP/2 connection; further calls wait")
	f.Uint64Var(&l.HeldBytes, "max-held-bytes", l.HeldBytes,
		"largest size of the answers that all bursts hold together, in `bytes`")
	durationVar(f, &l.HeaderTimeout, "header-timeout", l.HeaderTimeout,
		"`time` for a connection's handshake and first headers")
	durationVar(f, &l.IdleTimeout, "idle-timeout", l.IdleTimeout,
		"`time` after which a connection without traffic is closed")
}

// limitGiven returns the name of a limit's flag that was given, and "" where none was.
func limitGiven(flags *pflag.FlagSet) (name string) {
	var limits pflag.FlagSet
	limitFlags(&limits, new(serve.Limits))
	limits.VisitAll(func(f *pflag.Flag) {
		if name == "" && flags.Changed(f.Name) {
			name = f.Name
		}
	})
	return name
}
