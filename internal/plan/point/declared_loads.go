package point

// declaredLoads say how many calls there are at once, and when they are due.
var declaredLoads = []*Key{
	{
		Name: "shape", Axis: true, Kinds: served, fallback: always("1x1"), Trust: Harmless,
		form: formOf(scalarOf(readShape), setShape, writeShape),
		Values: "connections x calls in flight on each, such as `4x25`; 1 to 10,000 connections, at most 1,000,000 calls in flight " +
			"in all",
		Otherwise: "`1x1`",
		Columns: []Column{
			{
				Name: "connections", Absent: uncalled, value: called(func(s Spec) any { return int64(s.Connections) }),
			},
			{
				Name: "in_flight", Is: "calls on each connection", Absent: uncalled,
				value: called(func(s Spec) any { return int64(s.InFlight) }),
			},
		},
		Sides: &Sides{Spec.Shape, func(s *Spec) { s.Connections, s.InFlight, s.Streams = 0, 0, 0 }},
	},
	{
		Name: "streams", Axis: true, Kinds: sharing, fallback: nothing, Trust: Harmless,
		form:      whole(func(a *Asked) *int { return &a.Streams }, count(1, SlotsMax)),
		Values:    "open streams on each connection that the calls in flight share, 1 to the calls in flight",
		Otherwise: "as many as calls in flight",
		Load:      Flag{Name: "streams", Help: "of ping_pong and burst: open streams on a connection (as many as calls in flight)"},
		Columns: []Column{{
			Name: "streams", Is: "that the calls in flight of a connection share", Absent: "all kinds but ping_pong, burst",
			value: positive(func(s Spec) int { return s.Streams }),
		}},
	},
	{
		Name: "servers", Axis: true, Kinds: served, fallback: nothing, Trust: Harmless,
		form:      formOf(scalarOf(count(1, ServersMax)), setServers, func(a Asked) Node { return countNode(a.Servers) }),
		Values:    "1 to 64 server processes, to which the connections are dealt round-robin; at most as many as connections",
		Otherwise: "1",
		Columns: []Column{{
			Name: "servers", Is: "server processes behind the client", Absent: uncalled, Usual: "1",
			value: positive(Spec.ServerCount),
		}},
		Sides: &Sides{func(s Spec) string { return countNode(s.ServerCount()).Text }, func(s *Spec) { s.Servers = 0 }},
	},
	{
		Name: "load", Axis: true, Kinds: served, fallback: always(LoadClosed), Trust: Harmless,
		form: formOf(scalarOf(readLoad), setLoad, writeLoad),
		Values: "`closed`, `constant 1000/s` or `poisson 1000/s`: the rate of all connections together, more than 0 and up to " +
			"10,000,000/s",
		Otherwise: "`closed`",
		Columns: []Column{
			{Name: "load", Is: "`closed`, `constant`, `poisson`", Usual: LoadClosed, value: func(s Spec) any { return s.Load }},
			{
				Name: "offered_per_sec", Is: "calls due a second", Absent: LoadClosed,
				value: positive(func(s Spec) float64 { return s.OfferedPerSec }),
			},
		},
	},
	{
		Name: "schedule",
		Columns: []Column{{
			Name: "schedule", Is: "of a [load that changes](load.md#loads-that-change): the rate of an open one, of which " +
				"`offered_per_sec` is then the mean, or the calls in flight of a closed one, whose `in_flight` then has room for the most",
			Absent: "a load that does not", value: plain(func(s Spec) string { return s.Schedule.String() }),
		}},
	},
}
