package conform

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
)

// A defect is a way in which a worker breaks the protocol, and the case that must find it.
type defect struct {
	fails, why  string                     // none for a worker that is odd, not broken
	hangs       bool                       // it never does what its case waits for
	instead     func(*rig) (string, error) // in place of the case's own, where this is quick
	command     func(*control.Command) bool
	event       func(*control.Event) bool // both return false to swallow the message
	after       func()                    // the end of input
	obeysSIGINT bool
	prints      bool // on standard output, when it is told to with an argument
}

var breaks = map[string]defect{
	"client only": {event: onInfo(func(i *control.StackInfo) { i.Serves = false })},
	"server only": {event: onInfo(func(i *control.StackInfo) { i.Calls = false })},
	"a protocol of its own": {event: onInfo(func(i *control.StackInfo) {
		i.Protocol, i.Serves = "smoke-signals", false
	})},

	"an unknown word": {
		fails: "hello", why: "kinds has \"gossip\"",
		event: onInfo(func(i *control.StackInfo) { i.Kinds = append(i.Kinds, "gossip") }),
	},
	"drops an outcome": {
		fails: "tcp upload", why: "60 arrivals, but outcomes of 59",
		event: onDone(func(d *control.Done) { d.Outcomes[0].Calls-- }),
	},
	"counts a message more": {
		fails: "tcp ping_pong", why: "messages_in is 61, want 60",
		event: onDone(func(d *control.Done) { d.MessagesIn++ }),
	},
	"has no tail": {
		fails: "tcp late calls", why: "fixed sizes: done.tail.ok is 0, want 20: all calls ended after the window of 20ns",
		event: onDone(func(d *control.Done) { d.Tail = nil }),
	},
	"does not count what late calls carry": {
		fails: "grpc-go own methods", why: "unary, 0 messages/s: done.tail has 0 messages out of 0 bytes and 0 in of 0, want 10 ",
		event: onTail(func(t *control.Tail) { *t = control.Tail{Ok: t.Ok} }),
	},
	"does not count what some late calls carry": {
		fails: "tcp late calls", why: "some calls ended after the window: done.tail has 0 messages .*, want [0-9]+ ",
		event: onDone(func(d *control.Done) {
			if d.WindowNs == int64(lateWindow) {
				d.Tail = &control.Tail{Ok: d.Outcomes[0].Calls}
			}
		}),
	},
	"counts the late calls of a mix by another measure": {
		fails: "grpc-go mixed calls", why: "done.tail.ok is [0-9]+, want [0-9]+: all calls ended after the window",
		event: onTail(func(t *control.Tail) { t.Ok-- }),
	},
	"counts bytes wrongly": {
		fails: "tcp download", why: "the client sent [0-9]+ bytes, the server received [0-9]+", hangs: true,
		event: onSnapshot(func(s *control.Snapshot) { *s.BytesOut -= 100 }),
	},
	"says zero for unknown bytes": {
		fails: "tcp stream", why: "bytes are 0 after calls; unknown ones must be absent",
		event: onSnapshot(func(s *control.Snapshot) { s.BytesOut, s.BytesIn = new(int64), new(int64) }),
	},
	"opens more sockets": {
		fails: "tcp connect", why: "the client opened 61 sockets, expected 60", hangs: true,
		event: onSnapshot(func(s *control.Snapshot) { s.Sockets++ }),
	},
	"reuses no socket of its pool": {
		fails: "tcp unary", why: "the client opened 6[0-9] sockets, expected 2 to 30", hangs: true,
		event: inTwoWays(onInfo(func(i *control.StackInfo) { i.Multiplexed = false }),
			onSnapshot(func(s *control.Snapshot) { s.Sockets += 60 })),
	},
	"counts both ends": {
		fails: "tcp inproc, connect", why: "the worker opened 120 sockets, expected those of the client, at most 60",
		event: onSnapshot(func(s *control.Snapshot) { s.Sockets *= 2 }),
	},
	"counts frames as what they carry": {
		fails: "tcp unary, ws to a port of wsh", why: "[0-9]+ and [0-9]+ bytes are in frames that have [0-9]+ and [0-9]+",
		event: onSnapshot(func(s *control.Snapshot) {
			if s.FramedBytesOut != nil {
				s.FramedBytesOut = s.BytesOut
			}
		}),
	},
	"halves the rate": {
		fails: "tcp rate at 4x10", why: "outcomes are OK=50, want OK=100",
		command: onBegin(func(b *control.Begin) { b.Load.PerSec /= 2 }),
	},
	"sends all at once": {
		fails: "tcp rate at 1x1", why: "calls were done .* were due",
		instead: func(r *rig) (string, error) { return r.keepsRate(shape{1, 1}, 1, time.Hour) }, // no machine is as slow
		command: onBegin(func(b *control.Begin) {
			if b.Load.PerSec > 0 {
				calls := b.Load.PerSec * time.Duration(b.DurationNs).Seconds()
				b.Calls, b.DurationNs, b.Load.PerSec = int64(calls), 0, b.Load.PerSec*1e6
			}
		}),
	},
	"takes poisson for constant": {
		fails: "tcp poisson at 1x10", why: "outcomes are OK=200, want OK=[0-9]+",
		command: onBegin(func(b *control.Begin) {
			if b.Load.Arrivals == control.LoadPoisson {
				b.Load.Arrivals = control.LoadConstant
			}
		}),
	},
	"ignores the seed of arrivals": {
		fails: "tcp poisson at 1x1", why: "with the seed 20[0-9]+: outcomes are",
		command: onBegin(func(b *control.Begin) { b.Load.Seed = 1 }),
	},
	"begins at once": {
		fails: "tcp a delayed begin", why: "should have begun after 59m",
		instead: func(r *rig) (string, error) { return delayedBy(r, time.Hour-1) }, // no machine is as slow
		command: onBegin(func(b *control.Begin) {
			if b.DelayNs < int64(time.Hour) {
				b.DelayNs = 0
			}
		}),
	},
	"counts its delay": {
		fails: "tcp a delayed begin", why: "of which the delay is no part",
		event: func(e *control.Event) bool {
			if i := e.GetInterval(); i != nil {
				i.EndNs += int64(time.Minute)
			}
			return true
		},
	},
	"makes all parts of a load": {
		fails: "tcp parts of a load", why: "part 0 of 2 of a load that is constant: outcomes are OK=101, want OK=51",
		command: onBegin(func(b *control.Begin) { b.Load.Part, b.Load.Parts = 0, 0 }),
	},
	"changes no load": {
		fails: "tcp stages of a load", why: "outcomes are OK=100, want OK=200",
		command: onBegin(func(b *control.Begin) {
			if b.Load.Stages != nil {
				b.Load.Stages, b.Load.PerSec = nil, constantPerSec
			}
		}),
	},
	"does not say that it changes loads": {
		fails: "tcp stages of a load", why: "begin.load.stages: it was obeyed",
		event: onHello(func(h *control.Hello) { h.Stages = false }),
	},
	"serves without limits": {
		fails: "tcp limits of a server", why: "request_bytes: outcomes are OK=6, want RESOURCE_EXHAUSTED=6",
		command: onServe(func(s *control.Serve) { s.Limits = nil }),
	},
	"declares a deviation that does not happen": {
		fails: "tcp limits of a server", why: "request_bytes: outcomes are RESOURCE_EXHAUSTED=6 .*, want INTERNAL=6",
		event: onInfo(func(i *control.StackInfo) {
			i.Deviations = []*control.Deviation{{Rule: stack.RuleRequestBytes, Code: "INTERNAL", Reason: "It resets the stream."}}
		}),
	},
	"deviates from a rule that nobody knows": {
		fails: "hello", why: `deviations has the rule "gossip", which is unknown`,
		event: onInfo(func(i *control.StackInfo) {
			i.Deviations = []*control.Deviation{{Rule: "gossip", Code: "INTERNAL", Reason: "It tells."}}
		}),
	},
	"keeps histograms of intervals to itself": {
		fails: "tcp histograms of intervals", why: "quantiles without the requested histogram",
		command: onBegin(func(b *control.Begin) { b.IntervalHistograms = false }),
	},
	"keeps windows that nobody asked for": {
		fails: "tcp histograms of intervals", why: "done has 3 windows, where begin.windows is 0",
		event: onDone(func(d *control.Done) { d.Windows = []*control.Window{{}, {}, {}} }),
	},
	"a JVM":           {event: onHello(func(h *control.Hello) { h.Runtime = "java 17.0.2" })},
	"a JVM in an app": {event: onHello(func(h *control.Hello) { h.Runtime, h.Embedded = "java 0.9, Dalvik", true })},
	"a JVM that prints": {
		fails: "options that print", why: "it is not worker.v1 and begins with .*Using Serial", prints: true,
		event: onHello(func(h *control.Hello) { h.Runtime = "java 17.0.2" }),
	},
	"blames the profile for its end": {
		fails: "a profile", why: `profile.end: the Fault names "profile"`,
		event: func(e *control.Event) bool {
			if f := e.GetFault(); f.GetField() == "profile.end" {
				f.Field = "profile"
			}
			return true
		},
	},
	"profiles nothing": {
		fails: "a profile", why: "the profile is empty",
		event: onPiece(func(p *control.Piece) bool { p.Data = nil; return true }),
	},
	"dumps no heap": {
		fails: "a dump of the heap", why: "files in the dump: 1",
		event: onPiece(func(p *control.Piece) bool { return p.Name != "heap.pprof" }),
	},
	"dumps numbers": {
		fails: "tcp commands during a phase", why: "a Dump of the client: threads.txt names no thread",
		event: onPiece(func(p *control.Piece) bool { p.Data = []byte("12 threads"); return true }),
	},
	"sends a piece without a name": {
		fails: "a dump of the heap", why: "piece.name is empty",
		event: onPiece(func(p *control.Piece) bool { p.Name = ""; return true }),
	},
	"blames nothing for a second begin": {
		fails: "tcp commands during a phase", why: `a second Begin: begin: the Fault names ""`,
		event: func(e *control.Event) bool {
			if f := e.GetFault(); f.GetField() == "begin" {
				f.Field = ""
			}
			return true
		},
	},
	"relays without distance": {
		fails: "a relay", why: "took .*, want two round trips, 2h0m0",
		instead: func(r *rig) (string, error) { return relayingOver(r, link{time.Hour, relayLink.perSec}) }, // no machine is as slow
		command: onRelay(func(r *control.Relay) { r.RttNs = min(r.RttNs, 0) }),
	},
	"relays as fast as it can": {
		fails: "a relay", why: "took .*, want two round trips, 1h0m0",
		instead: func(r *rig) (string, error) {
			return relayingOver(r, link{relayLink.rtt, relayMessage / time.Hour.Seconds()})
		},
		command: onRelay(func(r *control.Relay) { r.UpBytesPerSec = min(r.UpBytesPerSec, 0) }),
	},
	"ignores a jitter": {
		fails: "a relay", why: "relay.jitter_ns: it was obeyed",
		command: onRelay(func(r *control.Relay) { r.JitterNs = 0 }),
	},
	"ignores permissions": {
		fails: "tcp permissions", why: "outcomes are OK=6, want PERMISSION_DENIED=6",
		command: onServe(func(s *control.Serve) { s.Permissions = nil }),
	},
	"ignores who is not in": {
		fails: "tcp permissions", why: `not in \["rpcbench:client"\]: outcomes are OK=6, want PERMISSION_DENIED=6`,
		command: onServe(func(s *control.Serve) {
			if s.Permissions != nil {
				s.Permissions.NotIn = nil
			}
		}),
	},
	"codes nothing": {
		fails: "codec-go json", why: "small: connected.codec.repeat is 0",
		event: func(e *control.Event) bool {
			if codec := e.GetConnected().GetCodec(); codec != nil {
				codec.Repeat = 0
			}
			return true
		},
	},
	"codes another message": {
		fails: "codec-go protobuf", why: "small: connected.codec.encoded_bytes is [0-9]+, want [0-9]+",
		command: onConnect(func(c *control.Connect) { c.Call.Seed++ }),
	},
	"ignores the codec": {
		fails: "codec-go connect refuses", why: "connect.call.codec: it was obeyed",
		command: onConnect(func(c *control.Connect) {
			if c.Call.Codec == noWord {
				c.Call.Codec = "json"
			}
		}),
	},
	"omits coordinatedly": {
		fails: "tcp a frozen server, 1 slot", why: "response histogram: [0-9]+ calls took over 100ms, but [0-9]+ waited",
		event: onDone(func(d *control.Done) {
			for _, h := range d.Histograms {
				if h.Name == "response" {
					h.V2Compressed = named(d, "service")
				}
			}
		}),
	},
	"takes queue for wake": {
		fails: "tcp a frozen server, 10 slots", why: "queue, wake and service make",
		event: onDone(func(d *control.Done) {
			for _, h := range d.Histograms {
				if h.Name == "wake" {
					h.V2Compressed = named(d, "queue")
				}
			}
		}),
	},
	"forgets what was unsent": {
		fails: "tcp overload", why: "arrivals, but outcomes of",
		event: onDone(func(d *control.Done) {
			d.Outcomes = slices.DeleteFunc(d.Outcomes, func(o *control.Outcome) bool { return o.Code == "UNSENT" })
		}),
	},
	"takes what it cut off for calls": {
		fails: "tcp overload", why: "histogram \"bound\" has 0 calls, and",
		event: onDone(func(d *control.Done) {
			d.Histograms = slices.DeleteFunc(d.Histograms, func(h *control.Histogram) bool { return h.Name == "bound" })
		}),
	},
	"ignores an unknown kind": {
		fails: "tcp connect refuses", why: "connect.call.kind: it was obeyed",
		command: onConnect(func(c *control.Connect) {
			if c.Call.Kind == noWord {
				c.Call.Kind = stack.KindUnary
			}
		}),
	},
	"ignores an option": {
		fails: "tcp connect refuses", why: "connect.options: it was obeyed",
		command: onConnect(func(c *control.Connect) { c.Options = nil }),
	},
	"ignores an unknown command": {
		fails: "an unknown command", why: "silently ignored",
		command: func(c *control.Command) bool { return c.Command != nil },
	},
	"gives calls up early": {
		fails: "tcp deadline", why: "with a deadline of 1h0m0s a call was given up after",
		instead: func(r *rig) (string, error) { return deadlineAt(r, time.Hour) },
		command: onConnect(func(c *control.Connect) { c.Call.DeadlineNs = int64(time.Millisecond) }),
	},
	"ignores lengths_only": {
		fails: "tcp a wrong reply is MISMATCH", why: "lengths_only true: outcomes are MISMATCH=8",
		command: onConnect(func(c *control.Connect) { c.Call.LengthsOnly = false }),
	},
	"ignores the seed": {
		fails: "tcp payload, json", why: "in the client's .* 0 times, want 3",
		command: func(c *control.Command) bool {
			if connect := c.GetConnect(); connect != nil {
				connect.Call.Seed = 1
			}
			if serve := c.GetServe(); serve != nil {
				serve.Seed = 1
			}
			return true
		},
	},
	"loses an interval": {
		fails: "tcp intervals", why: "the one before ended at|the intervals have",
		event: func() func(*control.Event) bool {
			var seen int
			return func(e *control.Event) bool {
				switch {
				case e.GetDone() != nil:
					seen = 0
				case e.GetInterval() != nil:
					seen++
					return seen != lostInterval
				}
				return true
			}
		}(),
	},
	"counts the background": {
		fails: "grpc-go a background", why: "outcomes are OK=",
		event: onDone(func(d *control.Done) {
			d.Arrivals += d.GetBackground().GetOk()
			d.Outcomes[0].Calls += d.GetBackground().GetOk()
		}),
	},
	"does not say that it begins anew": {
		fails: "tcp a further Connect", why: "connect: it was obeyed, not answered with a Fault",
		event: onHello(func(h *control.Hello) { h.Reconnects = false }),
	},
	"goes on counting after a further Connect": {
		fails: "tcp a further Connect", why: "after a further Connect, the client opened 3 sockets and counts 5", hangs: true,
		event: onSnapshot(func(s *control.Snapshot) { s.Sockets += 2 }),
	},
	"ignores a background": {
		fails: "tcp a background", why: "connect.background: it was obeyed",
		command: onConnect(func(c *control.Connect) { c.Background = nil }),
	},
	"does not time the first call": {
		fails: "tcp unary", why: "done.first.call_ns is 0",
		event: onDone(func(d *control.Done) { d.First = nil }),
	},
	"calls errors by another name": {
		fails: "tcp a dead port, first_call", why: "outcomes are UNKNOWN=12 .* want UNAVAILABLE=12",
		event: onDone(func(d *control.Done) {
			for _, o := range d.Outcomes {
				if o.Code == "UNAVAILABLE" {
					o.Code = "UNKNOWN"
				}
			}
		}),
	},
	"counts from another clock": {
		fails: "tcp marks", why: "snapshot.time_ns went from",
		event: onSnapshot(func(s *control.Snapshot) { s.TimeNs = -s.TimeNs }),
	},
	"forgets a count": {
		fails: "tcp marks", why: "snapshot.allocations was [0-9]+, and is absent after more calls",
		event: func() func(*control.Event) bool {
			var marks int
			return onSnapshot(func(s *control.Snapshot) {
				if marks++; marks > 1 {
					s.Allocations = nil
				}
			})
		}(),
	},
	"mixes histograms up": {
		fails: "tcp histograms", why: "queue, wake and service make",
		event: onDone(func(d *control.Done) {
			for _, h := range d.Histograms {
				if h.Name == "queue" {
					h.V2Compressed = named(d, "response") // the largest, on a busy machine too
				}
			}
		}),
	},
	"does not stop": {
		fails: "tcp stop ends a warm-up", why: "the warm-up went on for .* after Stop", hangs: true,
		command: func(c *control.Command) bool { return c.GetStop() == nil },
	},
	"drains as long as it was told at first": {
		fails: "tcp stop shortens the drain", why: "the measured phase went on for .* after Stop", hangs: true,
		command: func(c *control.Command) bool {
			if s := c.GetStop(); s != nil {
				s.DrainNs = nil
			}
			return true
		},
	},
	"does not say when it was stopped": {
		fails: "tcp stop shortens the drain", why: "it says that it was stopped at 0s",
		event: onDone(func(d *control.Done) { d.StoppedNs = 0 }),
	},
	"has a window that goes on after the Stop": {
		fails: "tcp stop shortens the drain", why: "its window is .*, but it was stopped at",
		event: onDone(func(d *control.Done) { d.WindowNs++ }),
	},
	"opens connections anew": {
		fails: "tcp stop ends a warm-up", why: "2 sockets after the measured phase, 3 after another one",
		event: func() func(*control.Event) bool {
			var marks int64
			return onSnapshot(func(s *control.Snapshot) { s.Sockets += marks; marks++ })
		}(),
	},
	"does not compress": {
		fails: "grpc-go unary, gzip", why: "they are not compressed",
		command: onConnect(func(c *control.Connect) { c.Call.Compression = stack.CompressionNone }),
	},
	"lets every client in": {
		fails: "tcp unary, mtls", why: "a client that the server does not trust: its calls succeeded",
		command: onServe(func(s *control.Serve) {
			if s.Security.Mode == stack.SecurityMTLS {
				s.Security.Mode = stack.SecurityTLS
			}
		}),
	},
	"talks without TLS": {
		fails: "tcp unary, tls", why: "a client that does not trust the server: its calls succeeded",
		command: func(c *control.Command) bool {
			if serve := c.GetServe(); serve != nil {
				serve.Security = &control.Security{Mode: stack.SecurityPlaintext}
			}
			if connect := c.GetConnect(); connect != nil {
				connect.Security = &control.Security{Mode: stack.SecurityPlaintext}
			}
			return true
		},
	},
	"replies with bytes of its own": {
		fails: "tcp payload, random", why: "a reply of another length: outcomes are MISMATCH=3",
		command: onServe(func(s *control.Serve) { s.Seed = 1 }),
	},
	"declares a number that it refuses": {
		fails: "grpc-go options of a server", why: "serve.options: stream_workers=-1, which is declared: .* it must be",
		event: onOption("stream_workers", func(o *control.OptionInfo) { o.Numbers.Min-- }),
	},
	"declares a word that it refuses": {
		fails: "grpc-go options of a client", why: "connect.options: codec=xml, which is declared: .*proto, pooled or bytes",
		event: onOption("codec", func(o *control.OptionInfo) { o.Words = append(o.Words, "xml") }),
	},
	"takes a word that it does not declare": {
		fails: "grpc-go options of a client", why: "connect.options: send_deadline=no-such-word, which is not declared: it was obeyed",
		command: onConnect(func(c *control.Connect) { delete(c.Options, "send_deadline") }),
	},
	"takes a number that it does not declare": {
		fails: "grpc-go options of a server", why: "serve.options: window_bytes=65535, which is not declared: it was obeyed",
		event: onOption("window_bytes", func(o *control.OptionInfo) { o.Numbers.Min++ }),
	},
	"has a default that it does not take": {
		fails: "hello", why: `the default of the option codec is "xml"; it must be proto, pooled or bytes`,
		event: onOption("codec", func(o *control.OptionInfo) { o.DefaultValue = "xml" }),
	},
	"ignores a server's option": {
		fails: "tcp serve refuses", why: "serve.options: it was obeyed",
		command: onServe(func(s *control.Serve) { s.Options = nil }),
	},
	"ignores a negative drain": {
		fails: "tcp begin refuses", why: "begin.drain_ns: it was obeyed",
		command: onBegin(func(b *control.Begin) { b.DrainNs = max(b.DrainNs, 0) }),
	},
	"calls a lost server by another name": {
		fails: "tcp the server dies", why: "outcomes are INTERNAL=160 .* want UNAVAILABLE=160",
		event: onDone(func(d *control.Done) {
			for _, o := range d.Outcomes {
				if o.Code == "UNAVAILABLE" {
					o.Code = "INTERNAL"
				}
			}
		}),
	},
	"obeys an interrupt": {
		fails: "an interrupt is ignored", why: "the worker ended|signal: interrupt",
		obeysSIGINT: true,
	},
	"hangs as a server": {
		fails: "tcp end of input, serving", why: "did not end within .* and was killed", hangs: true,
		after: func() { time.Sleep(time.Hour) },
	},
	"ends badly as a client": {
		fails: "tcp end of input, calling", why: "exit status 7",
		after: func() { os.Exit(7) },
	},
	"hangs at the end of input": {
		fails: "end of input, idle", why: "did not end within .* and was killed", hangs: true,
		after: func() { time.Sleep(time.Hour) },
	},
	"ends badly": {
		fails: "end of input, idle", why: "exit status 7",
		after: func() { os.Exit(7) },
	},
}

// lostInterval is lost in every phase: a busy machine may send few intervals in the one that is judged, and many in the one
// before it.
const lostInterval = 2

func onInfo(change func(*control.StackInfo)) func(*control.Event) bool {
	return func(e *control.Event) bool {
		for _, i := range e.GetHello().GetStacks() {
			change(i)
		}
		return true
	}
}

// onOption changes what is declared about an option.
func onOption(name string, change func(*control.OptionInfo)) func(*control.Event) bool {
	return onInfo(func(i *control.StackInfo) {
		for _, o := range i.GetOptions() {
			if o.GetName() == name {
				change(o)
			}
		}
	})
}

func onHello(change func(*control.Hello)) func(*control.Event) bool {
	return func(e *control.Event) bool {
		if h := e.GetHello(); h != nil {
			change(h)
		}
		return true
	}
}

func onPiece(change func(*control.Piece) bool) func(*control.Event) bool {
	return func(e *control.Event) bool {
		p := e.GetPiece()
		return p == nil || change(p)
	}
}

// inTwoWays changes an event twice.
func inTwoWays(one, other func(*control.Event) bool) func(*control.Event) bool {
	return func(e *control.Event) bool { return one(e) && other(e) }
}

func onDone(change func(*control.Done)) func(*control.Event) bool {
	return func(e *control.Event) bool {
		if d := e.GetDone(); d != nil {
			change(d)
		}
		return true
	}
}

func onTail(change func(*control.Tail)) func(*control.Event) bool {
	return onDone(func(d *control.Done) {
		if d.Tail != nil {
			change(d.Tail)
		}
	})
}

func onSnapshot(change func(*control.Snapshot)) func(*control.Event) bool {
	return func(e *control.Event) bool {
		if s := e.GetSnapshot(); s != nil && s.Sockets > 0 {
			change(s)
		}
		return true
	}
}

func onBegin(change func(*control.Begin)) func(*control.Command) bool {
	return func(c *control.Command) bool {
		if b := c.GetBegin(); b != nil {
			change(b)
		}
		return true
	}
}

func onRelay(change func(*control.Relay)) func(*control.Command) bool {
	return func(c *control.Command) bool {
		if relay := c.GetRelay(); relay != nil {
			change(relay)
		}
		return true
	}
}

func onServe(change func(*control.Serve)) func(*control.Command) bool {
	return func(c *control.Command) bool {
		if serve := c.GetServe(); serve != nil {
			change(serve)
		}
		return true
	}
}

func onConnect(change func(*control.Connect)) func(*control.Command) bool {
	return func(c *control.Command) bool {
		if connect := c.GetConnect(); connect != nil {
			change(connect)
		}
		return true
	}
}

func named(d *control.Done, name string) []byte {
	for _, h := range d.Histograms {
		if h.Name == name {
			return h.V2Compressed
		}
	}
	return nil
}

// run stands between the protocol and a good worker, and changes what passes.
func (d defect) run(stacks []stack.Stack) error {
	commands, in := io.Pipe()
	out, events := io.Pipe()
	go func() {
		_ = passOn(in, os.Stdin, d.command)
		in.Close()
	}()
	passed := make(chan error, 1)
	go func() { passed <- passOn(os.Stdout, out, d.event) }()
	err := worker.Run(context.Background(), commands, events, stacks)
	events.Close()
	err = errors.Join(err, <-passed)
	if d.after != nil {
		d.after()
	}
	return err
}

// passOn passes messages on that change lets pass.
func passOn[M any, P interface {
	*M
	proto.Message
}](to io.Writer, from io.Reader, change func(P) bool) error {
	in := bufio.NewReader(from)
	for {
		message := P(new(M))
		if err := protodelim.UnmarshalFrom(in, message); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if change != nil && !change(message) {
			continue
		}
		if _, err := protodelim.MarshalTo(to, message); err != nil {
			return err
		}
	}
}
