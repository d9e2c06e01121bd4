package analysis

import (
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/record"
)

// operationsPerCall counts those of all messages of a call, 0 where messages are no batches.
func (k Key) operationsPerCall() int64 { return int64(k.Batch) * k.messagesPerCall() }

func (k Key) messagesPerCall() int64 { return int64(max(k.Messages, 1)) }

func operationsPerSec(m *measurement) (float64, bool) {
	if m.key.Batch == 0 {
		return 0, false
	}
	return m.perSec(m.ok * m.key.operationsPerCall())
}

func responsePerOperation(m *measurement) (float64, bool) {
	h := m.histograms[result.HistResponse]
	if m.key.Batch == 0 || h == nil || h.TotalCount() == 0 {
		return 0, false
	}
	return float64(record.Quantile(h, 0.5)) / float64(m.key.operationsPerCall()), true
}

// perBatched shares what a call has among its operations.
func perBatched(ofCall formula) formula {
	return func(m *measurement) (float64, bool) {
		value, ok := ofCall(m)
		if !ok || m.key.Batch == 0 {
			return 0, false
		}
		return value / float64(m.key.operationsPerCall()), true
	}
}

func elapsedPerBatch(m *measurement) (float64, bool) {
	return m.elapsedPer(m.ok*m.key.messagesPerCall(), m.key.Batch > 0)
}

// single returns the row with batches of 1 at the row's point, nil where the row has no batches.
func (b *builder) single(row *Row) *Row {
	key := row.Key
	if key.Batch == 0 {
		return nil
	}
	key.Batch = 1
	return b.rows[key]
}

// BatchSpeedup says how many times as many operations a second a row carries as with batches of 1. False says that they
// weren't measured at the same point.
func (r *Row) BatchSpeedup() (float64, bool) {
	if r.Single == nil {
		return 0, false
	}
	return ratio(r, r.Single, OperationsPerSec)
}

// alternate returns the row of the same batches that are sent one at a time on one stream of each connection. Of an upload,
// whose one answer has no operations, it is that whose answers are as large as its requests.
func (b *builder) alternate(row *Row) *Row {
	key := row.Key
	if key.Batch == 0 {
		return nil
	}
	if key.Kind == stack.KindUpload {
		key.ResponseBytes = key.RequestBytes
	}
	key.Kind, key.Messages, key.InFlight, key.Streams = stack.KindPingPong, 0, 1, 1
	return b.rows[key]
}

// PatternSpeedup says how many times as many operations a second a row carries as when the same batches are sent one at a
// time on one stream. False says that they weren't measured, or that the row is just that.
func (r *Row) PatternSpeedup() (float64, bool) {
	if r.Alternate == nil || r.Alternate == r {
		return 0, false
	}
	return ratio(r, r.Alternate, OperationsPerSec)
}
