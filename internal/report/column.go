package report

import (
	"encoding/json"
	"math"
	"strconv"

	"rpcbench/internal/results/analysis"
)

// A decimal is printed with three decimals.
type decimal float64

func (d decimal) String() string               { return strconv.FormatFloat(float64(d), 'f', 3, 64) }
func (d decimal) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// A shortNumber is printed with six significant digits, more than any figure is worth, however small it is.
type shortNumber float64

func (n shortNumber) String() string {
	text := strconv.FormatFloat(float64(n), 'g', 6, 64)
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text // of infinities, which no figure is
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// MarshalJSON writes no exponent.
func (n shortNumber) MarshalJSON() ([]byte, error) { return []byte(n.String()), nil }

// columns returns the columns of CSV in their order, the same for every row: key columns, then figures. A Value is a
// string, an int64, a float64, a decimal, or nil where it is absent.
func columns(row *analysis.Row) []analysis.Field {
	fields := append(row.Key.LeadingFields(),
		analysis.Field{Name: "trials", Value: int64(len(row.Trials))},
		analysis.Field{Name: "calls", Value: row.Calls},
		analysis.Field{Name: "errors", Value: row.Errors()},
		analysis.Field{Name: "errors_by_code", Value: present(row.ErrorsByCode())},
	)
	fields = append(fields, figure(row, analysis.CallsPerSec, true)...)
	for _, metric := range []analysis.Metric{analysis.MessagesPerSec, analysis.PayloadMBPerSec} {
		fields = append(fields, figure(row, metric, false)...)
	}
	fields = append(fields, figure(row, analysis.ResponseP50Ns, true)...)
	fields = append(fields, figure(row, analysis.ResponseP90Ns, false)...)
	fields = append(fields, figure(row, analysis.ResponseP99Ns, true)...)
	for _, metric := range []analysis.Metric{
		analysis.ResponseP999Ns, analysis.ResponseMaxNs, analysis.ServiceP50Ns, analysis.ServiceP99Ns, analysis.WakeP99Ns,
		analysis.QueueP99Ns, analysis.ErrorP50Ns,
	} {
		fields = append(fields, figure(row, metric, false)...)
	}
	fields = append(fields, figure(row, analysis.ClientCPUPerCall, true)...)
	fields = append(fields, figure(row, analysis.ServerCPUPerCall, true)...)
	fields = append(fields, figure(row, analysis.WireOutPerCall, false)...)
	fields = append(fields, figure(row, analysis.WireInPerCall, false)...)
	fields = append(fields, analysis.Field{Name: "wire_counted_at", Value: present(row.WireCountedAt())})
	fields = append(fields, figure(row, analysis.Sockets, false)...)
	fields = append(fields,
		analysis.Field{Name: "floor_ratio", Value: ratioOf(row, floorRatio)},
		analysis.Field{Name: "spread", Value: present(row.Spread())},
		analysis.Field{Name: "verdict", Value: row.Verdict()},
	)
	return append(fields, laterColumns(row)...)
}

// laterColumns came after the first contract, so that they stand at the end, key columns among them.
func laterColumns(row *analysis.Row) []analysis.Field {
	fields := row.Key.LaterFields()
	fields = append(fields, figure(row, analysis.NsPerOperation, true)...)
	for _, metric := range []analysis.Metric{
		analysis.OperationMBPerSec, analysis.EncodedBytes, analysis.GzippedBytes, analysis.AllocsPerOperation,
		analysis.ResponseP95Ns, analysis.ClientPacerPerCall,
		analysis.ClientGCCycles, analysis.ClientGCPauseNs, analysis.ClientHeapBytes,
		analysis.ServerGCCycles, analysis.ServerGCPauseNs, analysis.ServerHeapBytes,
	} {
		fields = append(fields, figure(row, metric, false)...)
	}
	fields = append(fields, figure(row, analysis.OperationsPerSec, true)...)
	for _, metric := range []analysis.Metric{
		analysis.ResponsePerOperation, analysis.WireOutPerOperation, analysis.WireInPerOperation,
		analysis.RelayLateP99Ns, analysis.RelayCPUPerSec, analysis.LinkUpUsed, analysis.LinkDownUsed,
		analysis.HiccupP99Ns, analysis.HiccupMaxNs, analysis.HostStealRatio, analysis.HostOtherRatio, analysis.EnergyPerCall,
		analysis.ClientSwitchesPerCall, analysis.ServerSwitchesPerCall, analysis.WarmupNs,
	} {
		fields = append(fields, figure(row, metric, false)...)
	}
	fields = append(fields, analysis.Field{Name: "verdict_reason", Value: present(verdictReason(row))})
	fields = append(fields, row.Key.MethodFields()...)
	fields = append(fields, row.Key.StreamFields()...)
	for _, metric := range []analysis.Metric{
		analysis.FirstReplyP50Ns, analysis.FirstReplyP99Ns, analysis.ReplyGapP50Ns, analysis.ReplyGapP99Ns,
		analysis.MessageP50Ns, analysis.MessageP99Ns, analysis.MessageLagP99Ns, analysis.UnpairedReplies,
	} {
		fields = append(fields, figure(row, metric, false)...)
	}
	return append(fields, row.Key.SizeFields()...)
}

// verdictReason is the figure that decided the row's verdict.
func verdictReason(row *analysis.Row) string {
	if doubts := row.Doubts(); len(doubts) > 0 {
		return clean(doubts[0].Why)
	}
	return ""
}

// figure returns the column of a metric, and those of its spread behind it for a headline.
func figure(row *analysis.Row, m analysis.Metric, headline bool) []analysis.Field {
	median, lo, hi := any(nil), any(nil), any(nil)
	if summary, ok := row.Summary(m); ok {
		median, lo, hi = number(m, summary.Median), number(m, summary.Lo), number(m, summary.Hi)
	}
	fields := []analysis.Field{{Name: string(m), Value: median}}
	if headline {
		fields = append(fields, analysis.Field{Name: string(m) + "_lo", Value: lo},
			analysis.Field{Name: string(m) + "_hi", Value: hi})
	}
	return fields
}

// number rounds a value as its metric is declared.
func number(m analysis.Metric, value float64) any {
	switch m.Declare().Kind.Precision() {
	case analysis.Whole:
		return int64(math.Round(value))
	case analysis.Significant6:
		return shortNumber(value)
	default:
		return decimal(value)
	}
}

func ratioOf(row *analysis.Row, r *rowRatio) any {
	if ratio, ok := r.of(row); ok {
		return decimal(ratio)
	}
	return nil
}

func present(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// plain prints a Value without separators, "" for nil.
func plain(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case decimal:
		return v.String()
	case shortNumber:
		return v.String()
	default:
		panic("report: a column of an unknown type")
	}
}

// An object is a JSON object that keeps the order of its fields.
type object []analysis.Field

// MarshalJSON writes the fields in their order.
func (o object) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, field := range o {
		if i > 0 {
			text = append(text, ',')
		}
		value, err := json.Marshal(field.Value)
		if err != nil {
			return nil, err
		}
		text = append(strconv.AppendQuote(text, field.Name), ':')
		text = append(text, value...)
	}
	return append(text, '}'), nil
}
