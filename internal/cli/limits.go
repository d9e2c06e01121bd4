package cli

import (
	"github.com/spf13/pflag"

	"rpcbench/internal/run/serve"
)

// limitFlags are of what a server does for clients that it need not know.
func limitFlags(flags *pflag.FlagSet, l *serve.Limits) {
	small := serve.DefaultLimits()
	flags.Uint32Var(&l.RequestBytes, "max-request-bytes", small.RequestBytes, "largest request message, encoded and decompressed")
	flags.Uint32Var(&l.ResponseBytes, "max-response-bytes", small.ResponseBytes, "largest response payload of one message")
	flags.Uint32Var(&l.Batch, "max-batch", small.Batch, "operations in one message")
	flags.Uint32Var(&l.Connections, "max-connections", small.Connections, "open connections; more are closed")
	flags.Uint32Var(&l.Streams, "max-streams", small.Streams, "open streams on one HTTP/2 connection; a client's further calls wait")
	flags.Uint64Var(&l.HeldBytes, "max-held-bytes", small.HeldBytes, "answers that all bursts hold together, in bytes")
	flags.DurationVar(&l.HeaderTimeout, "header-timeout", small.HeaderTimeout, "time for a connection's handshake and first headers")
	flags.DurationVar(&l.IdleTimeout, "idle-timeout", small.IdleTimeout, "time after which a connection without traffic is closed")
}
