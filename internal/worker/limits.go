package worker

import (
	"math"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/admission"
	"rpcbench/internal/worker/control"
)

// limitsOf returns what a Serve asks of the stack.
func limitsOf(c *control.Limits) stack.Limits {
	return stack.Limits{
		RequestBytes: number(c.GetRequestBytes()), ResponseBytes: number(c.GetResponseBytes()), Batch: number(c.GetBatch()),
		Streams: number(c.GetStreams()), HeldBytes: int64(min(c.GetHeldBytes(), math.MaxInt64)),
		HeaderTimeout: time.Duration(c.GetHeaderNs()),
	}
}

// admissionOf returns what a Serve asks of the listener.
func admissionOf(c *control.Limits) admission.Limits {
	return admission.Limits{Connections: number(c.GetConnections()), Idle: time.Duration(c.GetIdleNs())}
}

// number returns a limit as an int. A limit that does not fit is unlimited.
func number(limit uint32) int { return int(min(limit, math.MaxInt32)) }

func checkLimits(c *control.Limits) error {
	switch {
	case c.GetHeaderNs() < 0:
		return control.Faultf("serve.limits.header_ns", "%d is negative", c.GetHeaderNs())
	case c.GetIdleNs() < 0:
		return control.Faultf("serve.limits.idle_ns", "%d is negative", c.GetIdleNs())
	default:
		return nil
	}
}
