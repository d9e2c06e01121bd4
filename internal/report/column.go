package report

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/compare"
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
func columns(row *compare.Row) []compare.Field {
	fields := append(row.Key.LeadingFields(),
		compare.Field{Name: "trials", Value: int64(len(row.Trials))},
		compare.Field{Name: "calls", Value: row.Calls},
		compare.Field{Name: "errors", Value: row.Errors()},
		compare.Field{Name: "errors_by_code", Value: present(row.ErrorsByCode())},
	)
	fields = append(fields, figure(row, compare.CallsPerSec, true)...)
	for _, metric := range []compare.Metric{compare.MessagesPerSec, compare.PayloadMBPerSec} {
		fields = append(fields, figure(row, metric, false)...)
	}
	fields = append(fields, figure(row, compare.ResponseP50Ns, true)...)
	fields = append(fields, figure(row, compare.ResponseP90Ns, false)...)
	fields = append(fields, figure(row, compare.ResponseP99Ns, true)...)
	for _, metric := range []compare.Metric{
		compare.ResponseP999Ns, compare.ResponseMaxNs, compare.ServiceP50Ns, compare.ServiceP99Ns, compare.WakeP99Ns,
		compare.QueueP99Ns, compare.ErrorP50Ns,
	} {
		fields = append(fields, figure(row, metric, false)...)
	}
	fields = append(fields, figure(row, compare.ClientCPUPerCall, true)...)
	fields = append(fields, figure(row, compare.ServerCPUPerCall, true)...)
	fields = append(fields, figure(row, compare.WireOutPerCall, false)...)
	fields = append(fields, figure(row, compare.WireInPerCall, false)...)
	fields = append(fields, compare.Field{Name: "wire_counted_at", Value: present(row.WireCountedAt())})
	fields = append(fields, figure(row, compare.Sockets, false)...)
	fields = append(fields,
		compare.Field{Name: "floor_ratio", Value: floorRatio(row)},
		compare.Field{Name: "spread", Value: present(row.Spread())},
		compare.Field{Name: "verdict", Value: row.Verdict()},
	)
	return append(fields, laterColumns(row)...)
}

// laterColumns came after the first contract, so that they stand at the end, key columns among them.
func laterColumns(row *compare.Row) []compare.Field {
	fields := row.Key.LaterFields()
	fields = append(fields, figure(row, compare.NsPerOperation, true)...)
	for _, metric := range []compare.Metric{
		compare.OperationMBPerSec, compare.EncodedBytes, compare.GzippedBytes, compare.AllocsPerOperation,
		compare.ResponseP95Ns, compare.ClientPacerPerCall,
		compare.ClientGCCycles, compare.ClientGCPauseNs, compare.ClientHeapBytes,
		compare.ServerGCCycles, compare.ServerGCPauseNs, compare.ServerHeapBytes,
	} {
		fields = append(fields, figure(row, metric, false)...)
	}
	fields = append(fields, figure(row, compare.OperationsPerSec, true)...)
	for _, metric := range []compare.Metric{
		compare.ResponsePerOperation, compare.WireOutPerOperation, compare.WireInPerOperation,
		compare.RelayLateP99Ns, compare.RelayCPUPerSec, compare.LinkUpUsed, compare.LinkDownUsed,
		compare.HiccupP99Ns, compare.HiccupMaxNs, compare.HostStealRatio, compare.HostOtherRatio, compare.EnergyPerCall,
		compare.ClientSwitchesPerCall, compare.ServerSwitchesPerCall, compare.WarmupNs,
	} {
		fields = append(fields, figure(row, metric, false)...)
	}
	fields = append(fields, compare.Field{Name: "verdict_reason", Value: present(verdictReason(row))})
	fields = append(fields, row.Key.MethodFields()...)
	fields = append(fields, row.Key.StreamFields()...)
	for _, metric := range []compare.Metric{
		compare.FirstReplyP50Ns, compare.FirstReplyP99Ns, compare.ReplyGapP50Ns, compare.ReplyGapP99Ns,
		compare.MessageP50Ns, compare.MessageP99Ns, compare.MessageLagP99Ns, compare.UnpairedReplies,
	} {
		fields = append(fields, figure(row, metric, false)...)
	}
	return append(fields, row.Key.SizeFields()...)
}

// verdictReason is the figure that decided the row's verdict.
func verdictReason(row *compare.Row) string {
	if doubts := row.Doubts(); len(doubts) > 0 {
		return clean(doubts[0].Why)
	}
	return ""
}

// figure returns the column of a metric, and those of its spread behind it for a headline.
func figure(row *compare.Row, m compare.Metric, headline bool) []compare.Field {
	median, lo, hi := any(nil), any(nil), any(nil)
	if summary, ok := row.Summary(m); ok {
		median, lo, hi = number(m, summary.Median), number(m, summary.Lo), number(m, summary.Hi)
	}
	fields := []compare.Field{{Name: string(m), Value: median}}
	if headline {
		fields = append(fields, compare.Field{Name: string(m) + "_lo", Value: lo},
			compare.Field{Name: string(m) + "_hi", Value: hi})
	}
	return fields
}

// number rounds times and counts to integers, and rates and what is per call to decimals; CPU time is a time.
func number(m compare.Metric, value float64) any {
	name := string(m)
	isTime := strings.Contains(name, "_ns") && m != compare.ResponsePerOperation
	if isTime || strings.HasSuffix(name, "_memory_bytes") || slices.Contains(counts, m) {
		return int64(math.Round(value))
	}
	if m == compare.EnergyPerCall {
		return shortNumber(value) // far below a joule
	}
	return decimal(value)
}

// counts are the whole numbers whose names don't say so.
var counts = []compare.Metric{
	compare.Sockets, compare.EncodedBytes, compare.GzippedBytes, compare.ClientGCCycles, compare.ServerGCCycles,
	compare.ClientHeapBytes, compare.ServerHeapBytes, compare.UnpairedReplies,
}

func floorRatio(row *compare.Row) any {
	if ratio, ok := row.FloorRatio(); ok {
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
type object []compare.Field

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
