package analysis

import (
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// protobuf begins the names of its codecs.
const protobuf = "protobuf"

// baselines are the codecs that others are set against, the first that was measured.
var baselines = []string{protobuf, "protobuf-bytes"}

// protobuf returns the row of protobuf at the row's point: of its own stack, or else of the stack whose name is a prefix of its
// own. For example, codec-java-android has no protobuf, and uses that of codec-java. It returns nil if there is none.
func (b *builder) protobuf(row *Row) *Row {
	if !row.Spec.Coding() {
		return nil
	}
	for name := row.Spec.Stack; ; {
		for _, codec := range baselines {
			if found, ok := b.rows[row.KeyWith(func(s *plan.Spec) { s.Stack, s.Codec = name, codec })]; ok {
				return found
			}
		}
		dash := strings.LastIndex(name, "-")
		if dash < 0 {
			return nil
		}
		name = name[:dash]
	}
}

// operations counts those of a codec in the OK calls.
func (m *measurement) operations() int64 {
	if m.trial.Codec == nil {
		return 0
	}
	return m.ok * m.trial.Codec.Repeat
}

// nsPerOperation is the mean: the time of all operations by their number, the garbage collections between them included.
func nsPerOperation(m *measurement) (float64, bool) {
	h := m.histograms[result.HistResponse]
	if h == nil || h.TotalCount() == 0 || m.operations() == 0 {
		return 0, false
	}
	return h.Mean() / float64(m.trial.Codec.Repeat), true
}

func operationMBPerSec(m *measurement) (float64, bool) {
	return operationMB(m, encodedBytes)
}

// operationPlainMBPerSec returns the rate of uncompressed bytes, if they are compressed.
func operationPlainMBPerSec(m *measurement) (float64, bool) { return operationMB(m, plainBytes) }

func operationMB(m *measurement, of func(*result.Codec) int64) (float64, bool) {
	ns, ok := nsPerOperation(m)
	if !ok || ns == 0 || of(m.trial.Codec) == 0 {
		return 0, false
	}
	return float64(of(m.trial.Codec)) / ns * 1e9 / 1e6, true
}

// codecBytes is a size that was found before the phase. No message is encoded into nothing, so 0 is unknown.
func codecBytes(of func(*result.Codec) int64) formula {
	return func(m *measurement) (float64, bool) {
		if m.trial.Codec == nil {
			return 0, false
		}
		bytes := of(m.trial.Codec)
		return float64(bytes), bytes > 0
	}
}

func encodedBytes(c *result.Codec) int64 { return c.EncodedBytes }
func gzippedBytes(c *result.Codec) int64 { return c.GzippedBytes }

// plainBytes returns the size before gzip. A worker that does not report it has one only for codecs without compression.
func plainBytes(c *result.Codec) int64 {
	if c.PlainBytes == 0 && c.EncodedBytes != c.GzippedBytes {
		return c.EncodedBytes
	}
	return c.PlainBytes
}

// perOperation divides what the client used by the operations.
func perOperation(of counter) formula {
	return func(m *measurement) (float64, bool) {
		used, ok := spent(client, of)(m)
		if !ok || m.operations() == 0 {
			return 0, false
		}
		return used / float64(m.operations()), true
	}
}
