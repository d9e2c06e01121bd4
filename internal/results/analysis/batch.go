package analysis

import (
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/results/stat"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/record"
)

// operationsPerCall counts those of all messages of a call, 0 where messages are no batches.
func operationsPerCall(s plan.Spec) int64 { return int64(s.Batch) * messagesPerCall(s) }

func messagesPerCall(s plan.Spec) int64 { return int64(max(s.Messages, 1)) }

func operationsPerSec(m *measurement) (float64, bool) {
	if m.spec.Batch == 0 {
		return 0, false
	}
	return m.perSec(m.inWindow() * operationsPerCall(m.spec))
}

func responsePerOperation(m *measurement) (float64, bool) {
	h := m.histograms[result.HistResponse]
	if m.spec.Batch == 0 || h == nil || h.TotalCount() == 0 {
		return 0, false
	}
	return float64(record.Quantile(h, 0.5)) / float64(operationsPerCall(m.spec)), true
}

// either is the first formula that has a value.
func either(first, second formula) formula {
	return func(m *measurement) (float64, bool) {
		if value, ok := first(m); ok {
			return value, true
		}
		return second(m)
	}
}

// perBatched divides a figure of a call by its operations.
func perBatched(ofCall formula) formula {
	return func(m *measurement) (float64, bool) {
		value, ok := ofCall(m)
		if !ok || m.spec.Batch == 0 {
			return 0, false
		}
		return value / float64(operationsPerCall(m.spec)), true
	}
}

func elapsedPerBatch(m *measurement) (float64, bool) {
	return m.elapsedPer(m.inWindow()*messagesPerCall(m.spec), m.spec.Batch > 0)
}

// single returns the row with batches of 1 at the row's point, nil where the row has no batches.
func (b *builder) single(row *Row) *Row {
	if row.Spec.Batch == 0 {
		return nil
	}
	return b.rows[row.KeyWith(func(s *plan.Spec) { s.Batch = 1 })]
}

// BatchEfficiency is the part of its batch by which a row is faster than batches of 1: 1 where ten operations in a message are
// ten times as many a second.
func (r *Row) BatchEfficiency() (stat.Summary, bool) {
	s, ok := BatchTimes.Summary(r)
	operations := float64(max(r.Spec.Batch, 1))
	s.Median, s.Lo, s.Hi = s.Median/operations, s.Lo/operations, s.Hi/operations
	return s, ok
}

// alternate returns the row of the same batches that are sent one at a time on one stream of each connection. Of an upload,
// whose one answer has no operations, it is that whose answers are as large as its requests.
func (b *builder) alternate(row *Row) *Row {
	if row.Spec.Batch == 0 {
		return nil
	}
	return b.rows[row.KeyWith(func(s *plan.Spec) {
		if s.Kind == stack.KindUpload {
			s.ResponseBytes = s.RequestBytes
		}
		s.Kind, s.Messages, s.InFlight, s.Streams = stack.KindPingPong, 0, 1, 1
	})]
}
