package report

import (
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/cell"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// A view is a table of rows: columns chosen for its question, units and digits for its figures.
type view struct {
	document.Table

	rows []*analysis.Row // one for each line
	few  []string        // explains the mark of percentiles, where one has it
}

// tablesOf returns the tables shown for a table: itself, or one for each encoded or decoded message. Further tables show each row
// with a changing load along its schedule, garbage collections of a JVM, operations of batches, times within calls and status
// codes of a foreign server, and costs per call at an equal rate.
func tablesOf(table *analysis.Table, options Options) []*document.Table {
	var tables []*document.Table
	for _, part := range byMessage(table) {
		main := mainTable(part)
		if len(options.Answer) == 0 {
			main.Answer = leads(part.Rows)
		}
		main.Notes = append(main.Notes, meanings(part.Rows, options.MaxLatency)...)
		tables = append(tables, main)
		tables = append(tables, alongTables(part.Rows)...)
		tables = append(tables, withinTables(part.Rows)...)
		if slices.ContainsFunc(part.Rows, showsOutcomes) {
			tables = append(tables, outcomeTable(part.Rows))
		}
		tables = append(tables, besideTables(part)...)
	}
	also := &tables[0].Notes
	for _, title := range table.Also {
		*also = append(*also, fmt.Sprintf("The case %q has the same rows.", title))
	}
	return tables
}

// besideTables are the tables of figures that only some rows have.
func besideTables(part *analysis.Table) []*document.Table {
	var tables []*document.Table
	if slices.ContainsFunc(part.Rows, hasBatch) {
		tables = append(tables, newView(part.Rows, "Per operation: "+part.Title, "", operationFigures).table())
	}
	if slices.ContainsFunc(part.Rows, func(row *analysis.Row) bool { return row.Key.Client > 0 }) {
		tables = append(tables, newView(part.Rows, "Hosts of the clients: "+part.Title,
			"activity of each client's host during the trials; steal and others are shares of all processors' time", hostFigures).table())
	}
	if atEqualRate(part.Rows) {
		tables = append(tables, costTables(part)...)
	}
	if naming.QuestionOf(part.Rows) != naming.Coding && slices.ContainsFunc(part.Rows, onJVM) {
		tables = append(tables, newView(part.Rows, "Garbage collection: "+part.Title,
			"in the measured phase; heap in use at its end, including garbage", gcFigures).table())
	}
	return tables
}

func mainTable(table *analysis.Table) *document.Table {
	varying, common := naming.Axes(table.Rows)
	v := newView(table.Rows, naming.Caption(table), naming.Detail(table.Rows, common), figuresOf(table.Rows))
	v.addEnergy()
	v.Columns = append(v.Columns, verdictColumn(table.Rows))
	v.Notes = rowNotes(table.Rows, varying)
	return v.table()
}

// newView makes a view of rows, with their names and the figures that at least one of them has.
func newView(rows []*analysis.Row, caption, detail string, figures []figureColumn) *view {
	varying, _ := naming.Axes(rows)
	v := &view{rows: rows, Table: document.Table{Caption: caption, Detail: detail,
		Columns: keys(append([]document.Column{stackColumn(rows)}, varying...))}}
	for _, figure := range figures {
		v.add(figure)
	}
	return v
}

// keys marks columns as keys, which distinguish rows.
func keys(columns []document.Column) []document.Column {
	for i := range columns {
		columns[i].Key = true
	}
	return columns
}

// table returns the table, with the floor in the background, and apart where a point has several rows. Of its notes that on marks
// comes first.
func (v *view) table() *document.Table {
	v.Notes = slices.Concat(v.few, v.Notes)
	same := func(i int) bool { return i > 0 && v.rows[i].SamePoint(v.rows[i-1]) }
	several := false
	for i := range v.rows {
		several = several || same(i)
	}
	for i, row := range v.rows {
		v.Lines = append(v.Lines, document.Line{Quiet: row.IsFloor(), Apart: several && i > 0 && !same(i)})
	}
	return &v.Table
}

// figuresOf returns the columns of a table. In tables with streams, calls with one message each also have calls per second.
func figuresOf(rows []*analysis.Row) []figureColumn {
	asked := naming.QuestionOf(rows)
	single := func(row *analysis.Row) bool { return naming.QuestionAt(row.Spec) < naming.Streaming }
	if asked == naming.Streaming && slices.ContainsFunc(rows, single) {
		plain := callRate
		plain.spread = false // there is no room for two
		return slices.Concat([]figureColumn{plain}, figures[asked])
	}
	return figures[asked]
}

func stackColumn(rows []*analysis.Row) document.Column {
	return document.TextOf(document.Column{Head: "stack"}, rows, naming.Stack)
}

func verdictColumn(rows []*analysis.Row) document.Column {
	tones := map[string]document.Tone{analysis.VerdictOK: document.Even, analysis.VerdictFailed: document.Alarm}
	return document.Of(document.Column{Head: "verdict", First: true}, rows, func(row *analysis.Row) document.Cell {
		tone, known := tones[row.Verdict()]
		if !known {
			tone = document.Warning
		}
		return document.Cell{Text: row.Verdict(), Tone: tone}
	})
}

// A figureColumn is a column of one metric, or of a ratio. The unit is added to the group, or to the head where there is
// no group.
type figureColumn struct {
	group, head string
	metric      analysis.Metric
	ratio       *rowRatio // in the place of a metric
	spread      bool
	bare        bool // the head has the unit already
}

// A rowRatio sets a row against another. No trial has it.
type rowRatio struct {
	of       func(*analysis.Row) (stat.Summary, bool)
	doubtful func(*analysis.Row) bool
	own      bool // the other row is of the same stack: from 1 up to as many as a batch has operations, or a link is farther away
}

func ratioTo(q analysis.Ratio, own bool) *rowRatio {
	return &rowRatio{of: q.Summary, doubtful: q.Doubtful, own: own}
}

var (
	floorRatio    = ratioTo(analysis.FloorTimes, false)
	protobufRatio = ratioTo(analysis.ProtobufTimes, false)
	batchRatio    = ratioTo(analysis.BatchTimes, true)
	efficiency    = &rowRatio{of: (*analysis.Row).BatchEfficiency, doubtful: analysis.BatchTimes.Doubtful, own: true}
	patternRatio  = ratioTo(analysis.PatternTimes, true)
	distanceRatio = ratioTo(analysis.LinkTimes, true)
)

var (
	floorColumn    = figureColumn{head: "× floor", ratio: floorRatio}
	callRate       = figureColumn{head: "calls/s", metric: analysis.CallsPerSec, spread: true}
	distanceColumn = figureColumn{head: "× " + naming.NoLink, ratio: distanceRatio}
	callCPU        = []figureColumn{
		{group: "CPU/call", head: "client", metric: analysis.ClientCPUPerCall},
		{group: "CPU/call", head: "(pacer)", metric: analysis.ClientPacerPerCall},
		{group: "CPU/call", head: "proxy", metric: analysis.ProxyCPUPerCall},
		{group: "CPU/call", head: "server", metric: analysis.ServerCPUPerCall},
	}
	messageCPU = []figureColumn{
		{group: "CPU/message", head: "client", metric: analysis.ClientCPUPerMessage},
		{group: "CPU/message", head: "server", metric: analysis.ServerCPUPerMessage},
	}
	wire = []figureColumn{
		{group: "wire B/call", head: "out", metric: analysis.WireOutPerCall},
		{group: "wire B/call", head: "in", metric: analysis.WireInPerCall},
	}
)

// oneByOne are the figures of calls that don't overlap.
var oneByOne = slices.Concat([]figureColumn{
	{head: "p50", metric: analysis.ResponseP50Ns, spread: true},
	{head: "p99", metric: analysis.ResponseP99Ns},
	floorColumn, distanceColumn,
}, callCPU, wire)

var figures = map[naming.Question][]figureColumn{
	naming.Setup: oneByOne, naming.Latency: oneByOne,
	naming.Rate: slices.Concat([]figureColumn{
		callRate,
		floorColumn, distanceColumn,
		{head: "p50", metric: analysis.ResponseP50Ns},
		{head: "p99", metric: analysis.ResponseP99Ns},
	}, callCPU, wire),
	naming.Streaming: slices.Concat([]figureColumn{
		{head: "messages/s", metric: analysis.MessagesPerSec, spread: true},
		{head: "MB/s", metric: analysis.PayloadMBPerSec},
		floorColumn, distanceColumn,
		{group: "call", head: "p50", metric: analysis.ResponseP50Ns},
		{group: "call", head: "p99", metric: analysis.ResponseP99Ns},
	}, messageCPU),
	naming.Batching: {
		{head: "ops/s", metric: analysis.OperationsPerSec, spread: true},
		{head: "× batch 1", ratio: batchRatio},
		{head: "efficiency", ratio: efficiency},
		{head: "× alternate", ratio: patternRatio},
		floorColumn, distanceColumn,
		{group: "call", head: "p50", metric: analysis.ResponseP50Ns},
		{group: "call", head: "p99", metric: analysis.ResponseP99Ns},
	},
	naming.Open: slices.Concat([]figureColumn{
		{head: "calls/s", metric: analysis.CallsPerSec},
		{group: "response", head: "p50", metric: analysis.ResponseP50Ns, spread: true},
		{group: "response", head: "p99", metric: analysis.ResponseP99Ns},
		floorColumn, distanceColumn,
		{group: "p99", head: "service", metric: analysis.ServiceP99Ns},
		{group: "p99", head: "wake", metric: analysis.WakeP99Ns},
		{group: "p99", head: "queue", metric: analysis.QueueP99Ns},
	}, callCPU),
	naming.Coding: {
		{group: "size B", head: "encoded", metric: analysis.EncodedBytes},
		{group: "size B", head: "gzipped", metric: analysis.GzippedBytes},
		{head: "ns/op", metric: analysis.NsPerOperation, bare: true, spread: true},
		{head: "× protobuf", ratio: protobufRatio},
		{head: "MB/s", metric: analysis.OperationMBPerSec},
		{head: "allocs/op", metric: analysis.AllocsPerOperation},
		{head: "GC", metric: analysis.ClientGCPausePerSec},
	},
}

// hostFigures are of the host that a client runs on, and of the way to it.
var hostFigures = []figureColumn{
	{head: "began after", metric: analysis.ClientBegunNs},
	{head: "round trip", metric: analysis.ClientRoundTripNs},
	{head: "late wakes p99", metric: analysis.HiccupP99Ns},
	{head: "steal", metric: analysis.HostStealRatio},
	{head: "others", metric: analysis.HostOtherRatio},
	{head: "throttled", metric: analysis.HostThrottledNs},
	{head: "heat", metric: analysis.HostHeatThrottles},
	{head: "clock", metric: analysis.HostFrequencyMHz},
	{head: "sent again", metric: analysis.HostRetransmitRatio},
	{head: "dropped", metric: analysis.HostDroppedPackets},
}

// add appends a column of figures, unless no row has one.
func (v *view) add(f figureColumn) {
	var figures []rowFigure
	var medians []float64
	for _, row := range v.rows {
		s := f.summary(row)
		figures = append(figures, rowFigure{s, f.isDoubtful(row)})
		if s != nil {
			medians = append(medians, s.Median)
		}
	}
	if len(medians) == 0 || (f.ratio == batchRatio || f.ratio == efficiency) && !slices.ContainsFunc(v.rows, hasBatch) {
		return
	}
	if f.ratio == nil && len(v.few) == 0 {
		v.few = fewNote("calls", v.rows, f.metric)
	}
	printed := v.formatOf(f, medians)
	c := document.Column{Group: f.group, Head: f.head, Right: true, Headline: f.spread}
	if unit := printed.Scale.Name; unit != "" && f.group != "" {
		c.Group += " " + unit
	} else if unit != "" {
		c.Head += " " + unit
	}
	v.Columns = append(v.Columns, document.Of(c, figures, func(r rowFigure) document.Cell {
		cell := cell.Of(r.Summary, printed, f.spread || f.ratio != nil)
		if r.doubtful && r.Summary != nil {
			cell.Text += doubted
		}
		return cell
	}))
}

// doubted marks a ratio of which a row is UNSTABLE, and a percentile of too few calls.
const doubted = fewCalls

// A rowFigure is a row's figure in a column, nil if it has none. A ratio is doubtful if one of its rows is UNSTABLE.
type rowFigure struct {
	*stat.Summary

	doubtful bool
}

// isDoubtful reports whether the figure of a row has a mark.
func (f figureColumn) isDoubtful(row *analysis.Row) bool {
	if f.ratio != nil {
		return f.ratio.doubtful(row)
	}
	return isOfFew(row, f.metric)
}

func (f figureColumn) summary(row *analysis.Row) *stat.Summary {
	if f.ratio == nil {
		return summaryOf(row, f.metric)
	}
	if s, ok := f.ratio.of(row); ok {
		return &s
	}
	return nil
}

// timesWords is "44.9× (41.2–48.0)", in a sentence. It names the verdict of a ratio of which a row is UNSTABLE.
func timesWords(q analysis.Ratio, row *analysis.Row) (string, bool) {
	s, ok := q.Summary(row)
	printed := number.None.Format().At(s.Median)
	var also []string
	if s.N > 1 {
		also = append(also, cell.Between(s, printed))
	}
	if q.Doubtful(row) {
		also = append(also, analysis.VerdictUnstable)
	}
	words := printed.Text(s.Median) + "×"
	if len(also) > 0 {
		words += " (" + strings.Join(also, ", ") + ")"
	}
	return words, ok
}

func summaryOf(row *analysis.Row, m analysis.Metric) *stat.Summary {
	if s, ok := row.Summary(m); ok {
		return &s
	}
	return nil
}
