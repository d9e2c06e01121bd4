package point

import (
	"fmt"
	"strconv"

	"rpcbench/internal/stack"
)

// declaredLoads say how many calls there are at once, and when they are due.
var declaredLoads = []*Key{
	{
		Name: "shape", Axis: true, Kinds: served, fallback: always("1x1"), Trust: Harmless,
		form: formOf(scalarOf(readShape), setShape, writeShape),
		Values: "`connections` and `in_flight` in one word, such as `4x25`; 1 to 10,000 connections, at most 1,000,000 calls in " +
			"flight in total",
		Otherwise: "`1x1`",
		Columns: []Column{
			{
				Name: "connections", Is: "connections of the client", Absent: uncalled,
				value: called(func(s Spec) any { return int64(s.Connections) }),
			},
			{
				Name: "in_flight", Is: "calls in flight on each connection", Absent: uncalled,
				value: called(func(s Spec) any { return int64(s.InFlight) }),
			},
		},
		Sides: &Sides{Spec.Shape, func(s *Spec) { s.Connections, s.InFlight, s.Streams = 0, 0, 0 }},
	},
	{
		Name: "connections", Axis: true, Kinds: served, Part: Part{Of: "shape"}, fallback: nothing, Trust: Harmless,
		form:      formOf(scalarOf(count(1, ConnectionsMax)), func(a *Asked, n int) { a.Connections = n }, unwritten),
		Values:    "1 to 10,000 connections, instead of a `shape`",
		Otherwise: "those of `shape`",
		Run:       Flag{Name: "connections", Help: "`number` of connections"},
	},
	{
		Name: "in_flight", Axis: true, Kinds: served, Part: Part{Of: "shape"}, fallback: nothing, Trust: Harmless,
		form:      formOf(scalarOf(count(1, SlotsMax)), func(a *Asked, n int) { a.InFlight = n }, unwritten),
		Values:    "calls in flight on each connection, instead of a `shape`",
		Otherwise: "those of `shape`",
		Run:       Flag{Name: "in-flight", Help: "`calls` in flight per connection"},
	},
	{
		Name: "streams", Axis: true, Kinds: sharing, fallback: nothing, Trust: Harmless,
		form:      whole(func(a *Asked) *int { return &a.Streams }, count(1, SlotsMax)),
		Values:    "open streams on each connection, shared by its calls in flight; 1 to the number of calls in flight",
		Otherwise: "as many as calls in flight",
		Load: Flag{Name: "streams",
			Help: "open `streams` per connection of ping_pong and burst (default: the calls in flight)"},
		Columns: []Column{{
			Name: "streams", Is: "streams that the calls in flight of a connection share", Absent: "all kinds but ping_pong, burst",
			value: positive(func(s Spec) int { return s.Streams }),
		}},
	},
	{
		Name: "messages_per_stream", Axis: true, Kinds: []string{stack.KindPingPong}, fallback: nothing, Trust: Harmless,
		form: whole(func(a *Asked) *int { return &a.MessagesPerStream }, count(1, MessagesMax)),
		Values: "calls after which a stream ends and the next begins, 1 to 10,000,000; the first call of a stream then includes its " +
			"opening, and the last its end. Needs a stream for each call in flight",
		Otherwise: "streams stay open",
		Load: Flag{Name: "messages-per-stream",
			Help: "`calls` of ping_pong after which a stream ends and the next begins (default: streams stay open)"},
		Columns: []Column{{
			Name: "messages_per_stream", Is: "calls after which a stream of ping_pong ends", Absent: "streams stay open",
			value: positive(func(s Spec) int { return s.MessagesPerStream }),
		}},
		Words: func(s Spec) string {
			if s.MessagesPerStream == 0 {
				return ""
			}
			return strconv.Itoa(s.MessagesPerStream) + " per stream"
		},
	},
	{
		Name: "idle_streams", Axis: true, Kinds: carrying, fallback: nothing, Trust: Harmless,
		form:      whole(func(a *Asked) *int { return &a.IdleStreams }, count(0, IdleStreamsMax)),
		Values:    "0 to 10,000 further streams on each connection that are open, and idle, while calls are made",
		Otherwise: "none",
		Load:      Flag{Name: "idle-streams", Help: "idle `streams` to hold open on each connection (default 0)"},
		Columns: []Column{{
			Name: "idle_streams", Is: "idle streams on each connection", Absent: "none",
			value: positive(func(s Spec) int { return s.IdleStreams }),
		}},
		Sides: &Sides{func(s Spec) string { return countNode(s.IdleStreams).Text }, func(s *Spec) { s.IdleStreams = 0 }},
		Words: func(s Spec) string {
			if s.IdleStreams == 0 {
				return ""
			}
			return fmt.Sprintf("beside %d idle", s.IdleStreams)
		},
	},
	{
		Name: "ports", Axis: true, Kinds: served, fallback: nothing, Trust: Harmless,
		form: formOf(scalarOf(count(1, PortsMax)), setPorts, func(a Asked) Node { return countNode(a.Ports) }),
		Values: "1 to 64 ports on which each server process listens, over which the connections are distributed round-robin; at most " +
			"as many as connections",
		Otherwise: "1",
		Columns: []Column{{
			Name: "ports", Is: "ports of each server process", Absent: "one", value: positive(func(s Spec) int { return s.Ports }),
		}},
		Sides: &Sides{func(s Spec) string { return countNode(max(1, s.Ports)).Text }, func(s *Spec) { s.Ports = 0 }},
		Words: func(s Spec) string {
			if s.Ports == 0 {
				return ""
			}
			return strconv.Itoa(s.Ports) + " ports"
		},
	},
	{
		Name: "servers", Axis: true, Kinds: served, fallback: nothing, Trust: Harmless,
		form:      formOf(scalarOf(count(1, ServersMax)), setServers, func(a Asked) Node { return countNode(a.Servers) }),
		Values:    "1 to 64 server processes, over which the connections are distributed round-robin; at most as many as connections",
		Otherwise: "1",
		Columns: []Column{{
			Name: "servers", Is: "server processes behind the client", Absent: uncalled, Usual: "1",
			value: positive(Spec.ServerCount),
		}},
		Sides: &Sides{func(s Spec) string { return countNode(s.ServerCount()).Text }, func(s *Spec) { s.Servers = 0 }},
	},
	{
		Name: "clients", Axis: true, Kinds: served, fallback: nothing, Trust: Harmless,
		form:      formOf(scalarOf(count(1, ClientsMax)), setClients, func(a Asked) Node { return countNode(a.Clients) }),
		Values:    "1 to 64 client processes, which [share](#clients) connections, load and calls; at most as many as connections",
		Otherwise: "1",
		Load:      Flag{Name: "clients", Help: "client `processes`, which share connections, rate and calls (default 1)"},
		Columns: []Column{{
			Name: "clients", Is: "client processes, which share connections, load and calls", Absent: uncalled, Usual: "1",
			value: called(func(s Spec) any { return int64(s.ClientCount()) }),
		}},
		Sides: &Sides{func(s Spec) string { return countNode(s.ClientCount()).Text }, func(s *Spec) { s.Clients = 0 }},
	},
	{
		Name: "load", Axis: true, Kinds: served, fallback: always(LoadClosed), Trust: Harmless,
		form: formOf(scalarOf(readLoad), setLoad, writeLoad),
		Values: "`closed`, or when calls arrive: `constant` or `poisson`, with a `rate` above 0 and up to 10,000,000 calls " +
			"per second, or both in one word: `poisson 1000/s`",
		Otherwise: "`closed`",
		Columns: []Column{
			{Name: "load", Is: "`closed`, `constant`, `poisson`", Usual: LoadClosed, value: func(s Spec) any { return s.Load }},
			{
				Name: "offered_per_sec", Is: "calls due per second", Absent: LoadClosed,
				value: positive(func(s Spec) float64 { return s.OfferedPerSec }),
			},
		},
	},
	{
		Name: "rate", Axis: true, Kinds: served, Part: Part{Of: "load", Beside: isProcess}, fallback: nothing, Trust: Harmless,
		form: formOf(scalarOf(readRate), func(a *Asked, perSec float64) { a.OfferedPerSec = perSec }, unwritten),
		Values: "calls per second of all connections together, such as `1000`: an open loop, evenly spaced unless `load` is " +
			"`poisson`; `in_flight` is then 50 unless given",
		Otherwise: "a closed loop",
		Run:       Flag{Name: "rate", Help: "arrival `rate` in calls per second: an open loop"},
	},
	{
		Name: "ramp", Kinds: served, Part: Part{Of: "rate"}, fallback: nothing, Trust: Harmless, form: rampForm,
		Values: "a load that changes: calls in flight of all connections together (`step:10..100/10@5s`, `line:1..100@60s`, " +
			"`hold:50@30s`), or calls per second (`step:100..1000/100/s@5s`, `line:100..1000/s@60s`, `hold:500/s@30s`), evenly " +
			"spaced unless `load` is `poisson`; several of these joined by `+` follow one another",
		Otherwise: "one load",
		Load: Flag{Name: "ramp", Form: AsText, Help: "`load` that changes: calls in flight, step:10..100/10@5s (steps of 5s) or " +
			"line:1..100@60s, or calls per second, step:100..1000/100/s@5s or line:100..1000/s@60s; +hold:1000/s@2m and others " +
			"may follow"},
		Run: Flag{Name: "ramp", Form: AsText, Help: "`load` that changes, such as line:1..100@60s (calls in flight) or " +
			"line:100..1000/s@60s (calls per second)"},
		Columns: []Column{{
			Name: "ramp", Is: "of a [changing load](load.md#loads-that-change): in an open loop the rate, with `offered_per_sec` as " +
				"its mean; in a closed loop the calls in flight, with `in_flight` large enough for the maximum",
			Absent: "a load that does not change", value: plain(wholeRamp),
		}},
	},
}

// isProcess reports whether a load says when calls arrive and not how many.
func isProcess(load string) bool { return load == LoadConstant || load == LoadPoisson }
