package cli

import (
	"github.com/spf13/pflag"

	"rpcbench/internal/run/serve"
)

// limitFlags are of what a server does for clients that it need not know.
func limitFlags(flags *pflag.FlagSet, l *serve.Limits) {
	small := serve.DefaultLimits()
	flags.Uint32Var(&l.RequestBytes, "max-request-bytes", small.RequestBytes, "largest request message, encoded and decompressed, in `bytes`")
	flags.Uint32Var(&l.ResponseBytes, "max-response-bytes", small.ResponseBytes, "largest payload of a response message, in `bytes`")
	flags.Uint32Var(&l.Batch, "max-batch", small.Batch, "largest `number` of operations in one message")
	flags.Uint32Var(&l.Connections, "max-connections", small.Connections, "largest `number` of open connections; more are closed")
	flags.Uint32Var(&l.Streams, "max-streams", small.Streams, "largest `number` of open streams on one HTTP/2 connection; further calls wait")
	flags.Uint64Var(&l.HeldBytes, "max-held-bytes", small.HeldBytes, "largest size of the answers that all bursts hold together, in `bytes`")
	flags.DurationVar(&l.HeaderTimeout, "header-timeout", small.HeaderTimeout, "`time` for a connection's handshake and first headers")
	flags.DurationVar(&l.IdleTimeout, "idle-timeout", small.IdleTimeout, "`time` after which a connection without traffic is closed")
}
