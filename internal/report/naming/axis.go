// Package naming names points, rows, tables and files: the columns in which rows differ, the line of what they have in
// common, captions, names for other tools, and where a file was made. The words of a name depend on the declarations in
// point and, where stated, on the other rows.
package naming

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/report/document"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/stack"
)

// An axis is a property in which rows of a table may differ. It is a column if they do, and otherwise part of the line below the
// caption.
type axis struct {
	head   string
	right  bool
	of     func(plan.Spec) string // "" where it is not applicable, or goes without saying
	common func(string) string    // the words for a value that all rows share; nil where the caption says it
	// unfloored says that the floor hasn't got it, so that it can't differ from the others in it.
	unfloored bool
}

// AllAxes are the axes in the order of their columns.
var AllAxes = append(sealedAxes, appendedAxes()...)

// sealedAxes have their own words for the columns of the sealed order.
var sealedAxes = []axis{
	{head: "message", of: inColumn("message"), common: after("message ")},
	{head: "codec", of: inColumn("codec"), common: after("codec ")},
	{head: "kind", of: inColumn("kind"), common: itself},
	{head: "method", of: inColumn("method")}, // of load, which has it as its title
	{head: "requests", of: inColumn("requests"), common: requestsFrom},
	{head: "request", right: true, of: requestSizes},
	{head: "server", of: serverOf, common: after("server "), unfloored: true},
	{head: "payload", right: true, of: payloadSize, common: itself},
	{head: "messages", right: true, of: func(s plan.Spec) string { return Counted(s.Messages) },
		common: messageWords},
	{head: "message rate", right: true, of: messageRate, common: messageRateWords},
	{head: "servers", right: true, of: inColumn("servers"), common: processWords("server")},
	{head: "clients", right: true, of: inColumn("clients"), common: processWords("client")},
	{head: LinkHead, of: called(LinkOf), common: linkWords},
	{head: BatchHead, right: true, of: func(s plan.Spec) string { return Counted(s.Batch) }, common: after("batch ")},
	{head: "shape", right: true, of: called(plan.Spec.Shape), common: shapeWords},
	{head: "streams", right: true, of: func(s plan.Spec) string { return Counted(s.Streams) }, common: streamWords},
	{head: "arrivals", of: inColumn("load")},
	{head: "offered/s", right: true, of: offered},
	{head: "ramp", of: func(s plan.Spec) string { return s.Schedule.String() }},
	{head: "security", of: inColumn("security"), common: itself},
	{head: "network", of: inColumn("network"), common: after("over ")},
	{head: "compression", of: inColumn("compression"), common: unlessNone, unfloored: true},
	{head: "content", of: content, common: func(name string) string { return name + " bytes" }},
	{head: "beside", of: Beside, common: after("background "), unfloored: true},
	{head: "deadline", right: true, of: deadline, common: after("deadline ")},
	{head: "client CPUs", of: inColumn("client_cpus"), common: after("client on CPU ")},
	{head: "server CPUs", of: inColumn("server_cpus"), common: after("server on CPU ")},
	{head: "options", of: inColumn("options"), common: after("options "), unfloored: true},
	{head: "JVM options", of: inColumn("jvm_options"), common: after("JVM options "), unfloored: true},
}

// appendedAxes are the columns that came later, in their own words.
func appendedAxes() []axis {
	var axes []axis
	for _, column := range point.Appended() {
		head := strings.ReplaceAll(column.Name, "_", " ")
		axes = append(axes, axis{head: head, of: inColumn(column.Name), common: after(head + " ")})
	}
	return axes
}

// inColumn is an axis in the words of a column.
func inColumn(name string) func(plan.Spec) string {
	column, _ := point.ColumnNamed(name)
	return column.Text
}

// Heads of axes that fits run along.
const (
	BatchHead = "batch"
	LinkHead  = "link"
)

// NoLink is the link of a row without an emulated one.
const NoLink = "loopback"

// LinkOf is "wan", or "rtt 20 ms jitter 1 ms up 1.5 Mbit/s".
func LinkOf(s plan.Spec) string {
	link := s.Link
	switch {
	case link == nil:
		return NoLink
	case link.Name != "":
		return link.Name
	}
	words := []string{"rtt", milli(link.RTTNs)}
	if link.JitterNs > 0 {
		words = append(words, "jitter", milli(link.JitterNs))
	}
	for _, way := range []struct {
		name   string
		perSec float64
	}{{"up", link.UpBytesPerSec}, {"down", link.DownBytesPerSec}} {
		if way.perSec > 0 {
			words = append(words, way.name, number.Short(way.perSec*8/1e6), "Mbit/s")
		}
	}
	return strings.Join(words, " ")
}

// milli is a time of an axis: "20 ms", "0.25 ms".
func milli(ns int64) string {
	text := number.Short(float64(ns) / 1e6)
	_, fraction, _ := strings.Cut(text, ".")
	return number.Grouped(float64(ns)/1e6, len(fraction)) + " ms"
}

func linkWords(link string) string {
	if link == NoLink {
		return ""
	}
	return "over an emulated link: " + link
}

// processWords describes a side's number of processes; one goes without saying.
func processWords(side string) func(n string) string {
	return func(n string) string {
		if n == "1" {
			return ""
		}
		return n + " " + side + " processes"
	}
}

// called makes an axis empty for codecs, which make no calls.
func called(of func(plan.Spec) string) func(plan.Spec) string {
	return func(s plan.Spec) string {
		if s.Coding() {
			return ""
		}
		return of(s)
	}
}

func itself(value string) string { return value }

func after(words string) func(string) string {
	return func(value string) string { return words + value }
}

// requestsFrom says where requests are from, by the words of plan.Method.
func requestsFrom(source string) string {
	if source == "nothing" {
		return "empty requests"
	}
	return "requests from " + source
}

// requestSizes is "22 B", or "sampled of 3 of up to 10 × 22 B–4 kB".
func requestSizes(s plan.Spec) string {
	sizes := s.Method.RequestSizes()
	if sizes.Count == 0 {
		return ""
	}
	words := number.Size(sizes.BytesMost)
	if sizes.BytesLeast < sizes.BytesMost {
		words = number.Size(sizes.BytesLeast) + "–" + words
	}
	if sizes.MessagesMost > 1 {
		words = fmt.Sprintf("up to %s × %s", Counted(sizes.MessagesMost), words)
	}
	if sizes.Count > 1 {
		words = fmt.Sprintf("%s of %s", Counted(sizes.Count), words)
	}
	if sizes.Sample {
		words = "sampled from " + words
	}
	return words
}

func unlessNone(compression string) string {
	if compression == stack.CompressionNone {
		return ""
	}
	return compression
}

func serverOf(s plan.Spec) string {
	if s.Against() == s.Stack {
		return "" // goes without saying
	}
	return s.Against()
}

func payloadSize(s plan.Spec) string {
	switch {
	case s.Opens(), s.Coding(), s.Method != nil:
		return ""
	case s.RequestSizes != nil:
		return "" // columns of their own say how they differ
	case s.ResponseSizes != nil:
		return number.Size(s.RequestBytes)
	case s.Batch > 0 && s.RequestBytes == s.ResponseBytes:
		return number.Size(s.RequestBytes) + " per operation"
	case s.RequestBytes == s.ResponseBytes:
		return number.Size(s.RequestBytes)
	default:
		return number.Size(s.RequestBytes) + " → " + number.Size(s.ResponseBytes)
	}
}

func content(s plan.Spec) string {
	if payloadSize(s) == "" && s.RequestSizes == nil {
		return ""
	}
	return s.Payload
}

// Counted prints a count, and nothing of none.
func Counted(n int) string {
	if n == 0 {
		return ""
	}
	return number.Grouped(float64(n), 0)
}

func messageWords(n string) string {
	if n == "1" {
		return "1 message per call"
	}
	return n + " messages per call"
}

// messageRate is that within each call.
func messageRate(s plan.Spec) string {
	if s.MessageRatePerSec == 0 {
		return ""
	}
	return number.Short(s.MessageRatePerSec)
}

func messageRateWords(rate string) string { return rate + " messages/s in each call" }

func shapeWords(shape string) string {
	connections, inFlight, _ := strings.Cut(shape, "x")
	if connections == "1" {
		return "1 connection, " + inFlight + " in flight"
	}
	return connections + " connections, " + inFlight + " in flight on each"
}

func streamWords(n string) string {
	if n == "1" {
		return "1 stream per connection"
	}
	return n + " streams per connection"
}

// Beside names the background: "stream 100 × 1 kB".
func Beside(s plan.Spec) string {
	b := s.Background
	if b == nil {
		return ""
	}
	words := payloadSize(plan.Spec{Kind: b.Kind, RequestBytes: b.RequestBytes, ResponseBytes: b.ResponseBytes})
	if b.Messages > 0 {
		words = Counted(b.Messages) + " × " + words
	}
	return b.Kind + " " + words
}

func offered(s plan.Spec) string {
	if s.Load == plan.LoadClosed {
		return ""
	}
	if s.OfferedPerSec == math.Trunc(s.OfferedPerSec) {
		return number.Grouped(s.OfferedPerSec, 0)
	}
	return number.Grouped(s.OfferedPerSec, 2)
}

func deadline(s plan.Spec) string {
	if column, _ := point.ColumnNamed("deadline_ns"); column.Text(s) == column.Usual {
		return ""
	}
	return milli(s.DeadlineNs)
}

// Axes returns the columns of the axes that vary over the rows, and what they have in common, in words.
func Axes(rows []*analysis.Row) (varying []document.Column, common []string) {
	for _, a := range AllAxes {
		values := a.Values(rows)
		switch {
		case len(values) > 1:
			varying = append(varying, a.Column(rows))
		case len(values) == 1 && values[0] != "" && a.common != nil:
			if words := a.common(values[0]); words != "" {
				common = append(common, words)
			}
		}
	}
	return append(varying, clientColumns(rows)...), common
}

// clientColumns distinguish rows for single clients of a point.
func clientColumns(rows []*analysis.Row) []document.Column {
	var numbers, hosts []string
	for _, row := range rows {
		number, host := row.Client()
		numbers = append(numbers, Counted(number))
		hosts = append(hosts, host)
	}
	own := func(text string) string { return text }
	var columns []document.Column
	if slices.ContainsFunc(rows, func(row *analysis.Row) bool { return row.Key.Client > 0 }) {
		columns = append(columns, document.TextOf(document.Column{Head: "client", Right: true}, numbers, own))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(hosts)))) > 1 {
		columns = append(columns, document.TextOf(document.Column{Head: "host"}, hosts, own))
	}
	return columns
}

// Values returns the different values of an axis.
func (a axis) Values(rows []*analysis.Row) []string {
	var values []string
	for _, row := range rows {
		value := a.of(row.Spec)
		if (!a.unfloored || !row.IsFloor()) && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

func (a axis) Column(rows []*analysis.Row) document.Column {
	value := func(row *analysis.Row) string { return a.of(row.Spec) }
	return document.TextOf(document.Column{Head: a.head, Right: a.right}, rows, value)
}

// Among names a row by its stack and by what distinguishes it from rows, without the named axes.
func Among(row *analysis.Row, rows []*analysis.Row, without ...string) string {
	return Namer(rows, without...)(row)
}

// Namer names many rows as Among does one.
func Namer(rows []*analysis.Row, without ...string) func(*analysis.Row) string {
	var varying []axis
	for _, a := range AllAxes {
		if !slices.Contains(without, a.head) && len(a.Values(rows)) > 1 {
			varying = append(varying, a)
		}
	}
	return func(row *analysis.Row) string {
		parts := []string{Stack(row)}
		for _, a := range varying {
			if value := a.of(row.Spec); value != "" {
				parts = append(parts, a.head+" "+value)
			}
		}
		return strings.Join(parts, ", ")
	}
}

// SweptHeads are the axes that a sweep of callers runs along.
var SweptHeads = []string{"shape", "streams"}
