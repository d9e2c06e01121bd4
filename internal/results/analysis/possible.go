package analysis

import (
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

// CanBeOf reports whether a trial of a spec can have the metric, as far as the spec tells: a closed load waits for no slot, and
// a unary call has no messages.
func (m Metric) CanBeOf(spec plan.Spec) bool {
	d := m.Declare()
	switch {
	case spec.Coding():
		return d.Has(OfCodecs)
	case spec.Closed() && d.Has(OpenLoads), m == MessagesPerSec && !hasMessages(spec.Kind):
		return false
	default:
		return ofKind(d.histogram, spec)
	}
}

// ofKind reports whether calls of a spec have times of a histogram, which messages within the calls of a method have.
func ofKind(histogram string, spec plan.Spec) bool {
	download, stream := spec.Kind == stack.KindDownload, spec.Kind == stack.KindStream
	switch histogram {
	case result.HistFirstReply:
		return spec.Method != nil && (download || stream)
	case result.HistReplyGap:
		return spec.Method != nil && download
	case result.HistMessage:
		return spec.Method != nil && stream
	case result.HistMessageLag:
		return spec.MessageRatePerSec > 0
	default:
		return true
	}
}
