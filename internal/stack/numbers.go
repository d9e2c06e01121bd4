package stack

import (
	"fmt"
	"math"
)

// Numbers holds the sizes and counts of a call, as scenarios and worker.v1 specify them, before payloads exist.
type Numbers struct {
	Kind                        string
	RequestBytes, ResponseBytes int
	Batch, Messages             int
	PerStream                   int
	Streams, InFlight           int
	Foreign                     bool // of a Method or a Resource, whose requests say how many messages they have
}

// A Fault says which number a call can't have, and why. Field is its name in scenarios and in worker.v1.
type Fault struct{ Field, Reason string }

func fault(field, format string, args ...any) *Fault {
	return &Fault{field, fmt.Sprintf(format, args...)}
}

// Check returns the first number that no stack takes; nil where there is none.
func (n Numbers) Check() *Fault {
	if f := n.CheckSizes(); f != nil {
		return f
	}
	switch shared := SharesStreams(n.Kind); {
	case n.Messages != 0 && !HasMessages(n.Kind):
		return fault("messages", "%d is given, but %s does not support it", n.Messages, n.Kind)
	case n.Messages < 0 || n.Messages > math.MaxInt32 || n.Messages == 0 && HasMessages(n.Kind) && !n.Foreign:
		return fault("messages", "%d is not between 1 and %d", n.Messages, math.MaxInt32)
	case shared && (n.Streams < 1 || n.Streams > n.InFlight):
		return fault("streams", "%d is not between 1 and in_flight, %d", n.Streams, n.InFlight)
	case !shared && n.Streams != 0:
		return fault("streams", "%d is given, but %s does not share streams", n.Streams, n.Kind)
	default:
		return n.checkPerStream()
	}
}

// checkPerStream is Check of streams that end.
func (n Numbers) checkPerStream() *Fault {
	switch {
	case n.PerStream == 0:
		return nil
	case n.Kind != KindPingPong:
		return fault("messages_per_stream", "%d is given, but %s does not support it; ping_pong does", n.PerStream, n.Kind)
	case n.PerStream < 0 || n.PerStream > math.MaxInt32:
		return fault("messages_per_stream", "%d is not between 0 and %d", n.PerStream, math.MaxInt32)
	case n.Streams != n.InFlight:
		return fault("messages_per_stream", "calls that share a stream can't end it: give each of the %d calls in flight its own "+
			"by streams", n.InFlight)
	default:
		return nil
	}
}

// CheckSizes checks what a message, and a server with a burst, can hold.
func (n Numbers) CheckSizes() *Fault {
	if f := n.checkPayloads(); f != nil {
		return f
	}
	payload := max(n.RequestBytes, n.ResponseBytes)
	message := Call{Batch: n.Batch}.MessageBytes(payload)
	const limit = "above the limit of %d bytes (64 MiB)"
	switch burst := n.Kind == KindBurst; {
	case n.Batch != 0 && !IsBatchKind(n.Kind):
		return fault("batch", "%s does not support batches; unary, ping_pong, burst and upload do", n.Kind)
	case n.Batch < 0 || n.Batch > BatchMax:
		return fault("batch", "%d is not between 1 and %d", n.Batch, BatchMax)
	case message > MessageBytesMax:
		return fault("batch", "%d operations of %d bytes and an id of %d make a message "+limit,
			n.Batch, payload, OperationIDBytes, MessageBytesMax)
	case burst && n.Messages > BurstMax:
		return fault("messages", "%d is above the limit of %d for a burst", n.Messages, BurstMax)
	case burst && int64(n.Messages)*message > MessageBytesMax:
		return fault("messages", "a burst of %d messages of %d bytes is "+limit+", which the server holds before it answers",
			n.Messages, message, MessageBytesMax)
	default:
		return nil
	}
}

func (n Numbers) checkPayloads() *Fault {
	for _, side := range []struct {
		field string
		bytes int
	}{{"request_bytes", n.RequestBytes}, {"response_bytes", n.ResponseBytes}} {
		switch {
		case side.bytes < 0 || side.bytes > MessageBytesMax:
			return fault(side.field, "%d is not between 0 and %d", side.bytes, MessageBytesMax)
		case side.bytes > 0 && (n.Kind == KindConnect || n.Kind == KindFirstCall):
			return fault(side.field, "%s carries no payload", n.Kind)
		}
	}
	return nil
}
