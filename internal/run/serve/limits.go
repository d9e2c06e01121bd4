package serve

import (
	"cmp"
	"fmt"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// Limits bound what the server does for its clients, who may be unknown.
type Limits struct {
	RequestBytes, ResponseBytes uint32 // of one message
	Batch                       uint32 // operations in one message
	Connections                 uint32
	Streams                     uint32 // on one connection
	HeldBytes                   uint64 // of the answers that all bursts hold
	HeaderTimeout               time.Duration
	IdleTimeout                 time.Duration
}

// DefaultLimits are small: a load that needs more says so.
func DefaultLimits() Limits {
	return Limits{
		RequestBytes:  4 << 20, // as gRPC's
		ResponseBytes: 4 << 20, Batch: 10_000, Connections: 1000, Streams: 1000, HeldBytes: stack.MessageBytesMax,
		HeaderTimeout: 10 * time.Second, IdleTimeout: 5 * time.Minute,
	}
}

// Bounds of the limits. An encoding of the largest message is below the first.
const (
	requestBytesMax = 128 << 20
	countMax        = 1 << 20
	heldBytesMax    = 1 << 40
	timeoutMax      = 24 * time.Hour
)

// Check returns an error that names the first limit, by its flag, that no server can have.
func (l Limits) Check() error {
	return cmp.Or(
		within("--max-request-bytes", l.RequestBytes, requestBytesMax),
		within("--max-response-bytes", l.ResponseBytes, stack.MessageBytesMax),
		within("--max-batch", l.Batch, stack.BatchMax),
		within("--max-connections", l.Connections, countMax),
		within("--max-streams", l.Streams, countMax),
		within("--max-held-bytes", l.HeldBytes, heldBytesMax),
		within("--header-timeout", l.HeaderTimeout, timeoutMax),
		within("--idle-timeout", l.IdleTimeout, timeoutMax))
}

// within reports whether a limit is more than 0 and at most most.
func within[N uint32 | uint64 | time.Duration](flag string, limit, most N) error {
	if limit <= 0 || limit > most {
		return fmt.Errorf("%s %v: it must be more than 0 and at most %v", flag, limit, most)
	}
	return nil
}

func (l Limits) command() *control.Limits {
	return &control.Limits{
		RequestBytes: l.RequestBytes, ResponseBytes: l.ResponseBytes, Batch: l.Batch,
		Connections: l.Connections, Streams: l.Streams, HeldBytes: l.HeldBytes,
		HeaderNs: l.HeaderTimeout.Nanoseconds(), IdleNs: l.IdleTimeout.Nanoseconds(),
	}
}
