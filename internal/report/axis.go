package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/stack"
)

// An axis is what rows of one table may differ in. It is a column where they do, and part of the line under the
// caption where they don't.
type axis struct {
	head   string
	right  bool
	of     func(analysis.Key) string // "" where it is not applicable, or goes without saying
	common func(string) string       // the words for a value that all rows share; nil where the caption says it
	// unfloored says that the floor hasn't got it, so that it can't differ from the others in it.
	unfloored bool
}

var allAxes = []axis{
	{head: "message", of: func(k analysis.Key) string { return k.Message }, common: after("message ")},
	{head: "codec", of: func(k analysis.Key) string { return k.Codec }, common: after("codec ")},
	{head: "kind", of: func(k analysis.Key) string { return k.Kind }, common: itself},
	{head: "method", of: func(k analysis.Key) string { return k.Method }}, // of load, which has it as its title
	{head: "requests", of: func(k analysis.Key) string { return clean(k.Requests) }, common: requestsFrom},
	{head: "request", right: true, of: requestSizes},
	{head: "server", of: serverOf, common: after("server "), unfloored: true},
	{head: "payload", right: true, of: payloadSize, common: itself},
	{head: "messages", right: true, of: func(k analysis.Key) string { return counted(k.Messages) },
		common: messageWords},
	{head: "message rate", right: true, of: messageRate, common: messageRateWords},
	{head: "servers", right: true, of: func(k analysis.Key) string { return counted(k.Servers) }, common: serverWords},
	{head: linkHead, of: called(linkOf), common: linkWords},
	{head: batchHead, right: true, of: func(k analysis.Key) string { return counted(k.Batch) }, common: after("batch ")},
	{head: "shape", right: true, of: called(shape), common: shapeWords},
	{head: "streams", right: true, of: func(k analysis.Key) string { return counted(k.Streams) }, common: streamWords},
	{head: "arrivals", of: func(k analysis.Key) string { return k.Load }},
	{head: "offered/s", right: true, of: offered},
	{head: "schedule", of: func(k analysis.Key) string { return clean(k.Schedule) }},
	{head: "security", of: called(func(k analysis.Key) string { return k.Security }), common: itself},
	{head: "network", of: called(func(k analysis.Key) string { return k.Network }), common: after("over ")},
	{head: "compression", of: called(func(k analysis.Key) string { return k.Compression }), common: unlessNone,
		unfloored: true},
	{head: "content", of: content, common: func(name string) string { return name + " bytes" }},
	{head: "beside", of: beside, common: after("beside "), unfloored: true},
	{head: "deadline", right: true, of: deadline, common: after("deadline ")},
	{head: "client CPUs", of: func(k analysis.Key) string { return k.ClientCPUs }, common: after("client on CPU ")},
	{head: "server CPUs", of: func(k analysis.Key) string { return k.ServerCPUs }, common: after("server on CPU ")},
	{head: "options", of: func(k analysis.Key) string { return k.Options }, common: after("options "), unfloored: true},
	{head: "JVM options", of: func(k analysis.Key) string { return k.JVMOptions }, common: after("JVM options "),
		unfloored: true},
}

// Heads of axes that fits run along.
const (
	batchHead = "batch"
	linkHead  = "link"
)

// noLink is what a row without an emulated link went over.
const noLink = "loopback"

// linkOf is "wan", or "rtt 20 ms jitter 1 ms up 1.5 Mbit/s".
func linkOf(k analysis.Key) string {
	link := k.Link
	switch {
	case !k.Linked():
		return noLink
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
			words = append(words, way.name, shortNumber(way.perSec*8/1e6).String(), "Mbit/s")
		}
	}
	return strings.Join(words, " ")
}

// milli is a time of an axis: "20 ms", "0.25 ms".
func milli(ns int64) string {
	text := shortNumber(float64(ns) / 1e6).String()
	_, fraction, _ := strings.Cut(text, ".")
	return grouped(float64(ns)/1e6, len(fraction)) + " ms"
}

func linkWords(link string) string {
	if link == noLink {
		return ""
	}
	return "over an emulated link: " + link
}

func serverWords(n string) string {
	if n == "1" {
		return "" // goes without saying
	}
	return n + " server processes"
}

// called is what a codec, which calls nobody, has not got.
func called(of func(analysis.Key) string) func(analysis.Key) string {
	return func(k analysis.Key) string {
		if k.Coding() {
			return ""
		}
		return of(k)
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
func requestSizes(k analysis.Key) string {
	s := k.RequestSizes
	if s.Count == 0 {
		return ""
	}
	words := size(s.BytesMost)
	if s.BytesLeast < s.BytesMost {
		words = size(s.BytesLeast) + "–" + words
	}
	if s.MessagesMost > 1 {
		words = fmt.Sprintf("up to %s × %s", counted(s.MessagesMost), words)
	}
	if s.Count > 1 {
		words = fmt.Sprintf("%s of %s", counted(s.Count), words)
	}
	if s.Sample {
		words = "sampled of " + words
	}
	return words
}

func unlessNone(compression string) string {
	if compression == stack.CompressionNone {
		return ""
	}
	return compression
}

func serverOf(k analysis.Key) string {
	if k.Server == k.Stack {
		return "" // goes without saying
	}
	return k.Server
}

func payloadSize(k analysis.Key) string {
	switch {
	case k.Opens(), k.Coding(), k.Method != "":
		return ""
	case k.Batch > 0 && k.RequestBytes == k.ResponseBytes:
		return size(k.RequestBytes) + " an operation"
	case k.RequestBytes == k.ResponseBytes:
		return size(k.RequestBytes)
	default:
		return size(k.RequestBytes) + " → " + size(k.ResponseBytes)
	}
}

func content(k analysis.Key) string {
	if payloadSize(k) == "" {
		return ""
	}
	return k.Payload
}

func counted(n int) string {
	if n == 0 {
		return ""
	}
	return grouped(float64(n), 0)
}

func messageWords(n string) string {
	if n == "1" {
		return "1 message a call"
	}
	return n + " messages a call"
}

// messageRate is that within each call.
func messageRate(k analysis.Key) string {
	if k.MessageRatePerSec == 0 {
		return ""
	}
	return shortNumber(k.MessageRatePerSec).String()
}

func messageRateWords(rate string) string { return rate + " messages/s in each call" }

func shape(k analysis.Key) string { return fmt.Sprintf("%dx%d", k.Connections, k.InFlight) }

func shapeWords(shape string) string {
	connections, inFlight, _ := strings.Cut(shape, "x")
	if connections == "1" {
		return "1 connection, " + inFlight + " in flight"
	}
	return connections + " connections, " + inFlight + " in flight on each"
}

func streamWords(n string) string {
	if n == "1" {
		return "1 stream a connection"
	}
	return n + " streams a connection"
}

// beside names the background: "stream 100 × 1 kB".
func beside(k analysis.Key) string {
	b := k.Beside()
	if b == nil {
		return ""
	}
	words := payloadSize(analysis.Key{Kind: b.Kind, RequestBytes: b.RequestBytes, ResponseBytes: b.ResponseBytes})
	if b.Messages > 0 {
		words = counted(b.Messages) + " × " + words
	}
	return b.Kind + " " + words
}

func offered(k analysis.Key) string {
	if k.Load == plan.LoadClosed {
		return ""
	}
	if k.OfferedPerSec == math.Trunc(k.OfferedPerSec) {
		return grouped(k.OfferedPerSec, 0)
	}
	return grouped(k.OfferedPerSec, 2)
}

func deadline(k analysis.Key) string {
	if plain(k.DeadlineNs) == usual["deadline_ns"] {
		return ""
	}
	return milli(k.DeadlineNs)
}

// axes returns the columns of the axes that vary over the rows, and what they have in common in words.
func axes(rows []*analysis.Row) (varying []column, common []string) {
	for _, a := range allAxes {
		values := a.values(rows)
		switch {
		case len(values) > 1:
			varying = append(varying, a.column(rows))
		case len(values) == 1 && values[0] != "" && a.common != nil:
			if words := a.common(values[0]); words != "" {
				common = append(common, words)
			}
		}
	}
	return varying, common
}

// values returns the different values of an axis.
func (a axis) values(rows []*analysis.Row) []string {
	var values []string
	for _, row := range rows {
		value := a.of(row.Key)
		if (!a.unfloored || !row.IsFloor()) && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

func (a axis) column(rows []*analysis.Row) column {
	c := column{head: a.head, right: a.right}
	for _, row := range rows {
		c.cells = append(c.cells, cell{value: a.of(row.Key)})
	}
	return c
}
