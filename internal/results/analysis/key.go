package analysis

import (
	"cmp"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/stack"
)

// A Key tells rows apart. Its fields are those of plan.Spec that say what was measured; how long it was measured is
// none of them.
type Key struct {
	Scenario      string
	Stack         string
	Server        string
	Protocol      string
	Kind          string
	RequestBytes  int
	ResponseBytes int
	Messages      int
	Connections   int
	InFlight      int
	Streams       int
	Load          string
	OfferedPerSec float64
	Security      string
	Network       string
	Compression   string
	Payload       string
	DeadlineNs    int64
	ClientCPUs    string
	ServerCPUs    string
	Background    string // "kind=stream;messages=100;request_bytes=10;response_bytes=10", or empty
	Options       string // sorted "k=v;k=v"
	Message       string // of encode and decode, as is the codec
	Codec         string
	JVMOptions    string
	Batch         int       // operations in a message, 0 without
	Servers       int       // server processes, 1 and more; 0 where there is none
	Link          plan.Link // zero without one
	Method        string    // somebody else's, package.Service/Method; empty of our own services
	Requests      string    // where those of Method are from
	// Schedule is how the load changes: the rate, of which OfferedPerSec is the mean, or the calls in flight of a closed load,
	// of which Slots is the most. Empty for one load.
	Schedule string
	// MessageRatePerSec is how many messages a second each call sends; 0 as fast as it can.
	MessageRatePerSec float64
	// RequestSizes are of Method's requests: results hold no more of what they are.
	RequestSizes plan.RequestSizes
}

// KeyOf returns the key of a trial in a scenario.
func KeyOf(scenario string, spec plan.Spec) Key {
	return Key{
		Scenario: scenario, Stack: spec.Stack, Server: cmp.Or(spec.Target, spec.Server), Protocol: spec.Protocol, Kind: spec.Kind,
		RequestBytes: spec.RequestBytes, ResponseBytes: spec.ResponseBytes, Messages: spec.Messages,
		Connections: spec.Connections, InFlight: spec.InFlight, Streams: spec.Streams, Load: spec.Load,
		OfferedPerSec: spec.OfferedPerSec, Security: security(spec), Network: spec.Network,
		Compression: spec.Compression, Payload: spec.Payload, DeadlineNs: spec.DeadlineNs,
		ClientCPUs: spec.ClientCPUs, ServerCPUs: spec.ServerCPUs, Background: backgroundText(spec.Background),
		Options: options(spec.Options), Message: spec.Message, Codec: spec.Codec, JVMOptions: spec.JVMOptions,
		Batch: spec.Batch, Servers: servers(spec), Link: linkOf(spec.Link),
		Method: method(spec.Method).Name, Requests: method(spec.Method).Requests, Schedule: schedule(spec.Schedule),
		MessageRatePerSec: spec.MessageRatePerSec, RequestSizes: spec.Method.RequestSizes(),
	}
}

// security tells where nobody looked at the server's certificate.
func security(spec plan.Spec) string {
	if spec.Unverified {
		return spec.Security + " unverified"
	}
	return spec.Security
}

func schedule(s *plan.Schedule) string {
	if s == nil {
		return ""
	}
	return s.Name
}

func method(m *plan.Method) plan.Method {
	if m == nil {
		return plan.Method{}
	}
	return *m
}

func options(set map[string]string) string {
	pairs := make([]string, 0, len(set))
	for name, value := range set {
		pairs = append(pairs, name+"="+value)
	}
	slices.Sort(pairs)
	return strings.Join(pairs, ";")
}

// floor returns the key of the floor at the same point. The floor has no options, compresses nothing, and has no codec.
func (k Key) floor() Key {
	k.Stack, k.Server, k.Protocol = plan.FloorStack, plan.FloorStack, stack.ProtocolTCP
	k.Options, k.JVMOptions, k.Compression, k.Codec = "", "", stack.CompressionNone, ""
	return k
}

// likeFloor tells whether the row of this key can be the floor of its point; Row.IsFloor knows whether it is.
func (k Key) likeFloor() bool { return k == k.floor() }

// SamePoint tells whether two rows differ in nothing but who carried the calls, and how.
func (k Key) SamePoint(other Key) bool { return k.floor() == other.floor() }

// Closed tells whether the load was a closed one, which has one latency only.
func (k Key) Closed() bool { return k.Load == plan.LoadClosed }

// Slots is the number of calls that may be in flight at once.
func (k Key) Slots() int { return k.Connections * k.InFlight }

// Opens tells whether every call opens a connection.
func (k Key) Opens() bool { return k.Kind == stack.KindConnect || k.Kind == stack.KindFirstCall }

// Streaming tells whether one call carries several messages.
func (k Key) Streaming() bool {
	switch k.Kind {
	case stack.KindStream, stack.KindBurst, stack.KindUpload, stack.KindDownload:
		return true
	default:
		return false
	}
}

// Coding tells whether a call is many operations of a codec, without a server.
func (k Key) Coding() bool { return stack.IsCodec(k.Kind) }

// RateLike tells whether a row's headline is how much it carries, not how long a call takes: closed loads with more
// than one call in flight, or with several messages in a call.
func (k Key) RateLike() bool { return k.Closed() && (k.Slots() > 1 || k.Streaming()) }

// kinds in the order in which a reader asks for them.
var kinds = []string{
	stack.KindConnect, stack.KindFirstCall, stack.KindUnary, stack.KindPingPong, stack.KindStream, stack.KindBurst,
	stack.KindUpload, stack.KindDownload, stack.KindEncode, stack.KindDecode,
}

// messages of encode and decode, small ones first. Others follow in alphabetical order.
var messages = []string{"small", "address-book", "newsfeed", "large", "large-dense", "large-sparse"}

func compareMessages(a, b string) int {
	rank := func(message string) int {
		if i := slices.Index(messages, message); i >= 0 {
			return i
		}
		return len(messages)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// compareCodecs has those of protobuf first, which the others are set against.
func compareCodecs(a, b string) int {
	return cmp.Or(-compareBool(strings.HasPrefix(a, protobuf), strings.HasPrefix(b, protobuf)), cmp.Compare(a, b))
}

// Compare orders keys of one scenario: by point, smaller ones first, and within a point the floor before the others.
func (k Key) Compare(o Key) int {
	return cmp.Or(
		k.comparePoint(o),
		-compareBool(k.likeFloor(), o.likeFloor()),
		cmp.Compare(k.Stack, o.Stack),
		cmp.Compare(k.Server, o.Server),
		cmp.Compare(k.Protocol, o.Protocol),
		-cmp.Compare(k.Compression, o.Compression), // none before gzip
		compareCodecs(k.Codec, o.Codec),
		cmp.Compare(k.Options, o.Options),
		cmp.Compare(k.JVMOptions, o.JVMOptions),
	)
}

func (k Key) comparePoint(o Key) int {
	return cmp.Or(
		-compareBool(k.Closed(), o.Closed()),
		compareMessages(k.Message, o.Message),
		cmp.Compare(slices.Index(kinds, k.Kind), slices.Index(kinds, o.Kind)),
		cmp.Compare(k.Method, o.Method),
		cmp.Compare(k.Requests, o.Requests),
		k.RequestSizes.Compare(o.RequestSizes),
		cmp.Compare(k.Schedule, o.Schedule),
		cmp.Compare(k.MessageRatePerSec, o.MessageRatePerSec),
		cmp.Compare(k.Slots(), o.Slots()),
		cmp.Compare(k.Connections, o.Connections),
		cmp.Compare(k.Streams, o.Streams),
		cmp.Compare(k.Load, o.Load),
		cmp.Compare(k.OfferedPerSec, o.OfferedPerSec),
		cmp.Compare(k.RequestBytes+k.ResponseBytes, o.RequestBytes+o.ResponseBytes),
		cmp.Compare(k.RequestBytes, o.RequestBytes),
		cmp.Compare(k.Messages, o.Messages),
		cmp.Compare(k.Servers, o.Servers),
		cmp.Compare(k.Link.RTTNs, o.Link.RTTNs),
		cmp.Compare(k.LinkText(), o.LinkText()),
		cmp.Compare(k.Batch, o.Batch),
		cmp.Compare(k.Network, o.Network),
		cmp.Compare(k.Security, o.Security),
		cmp.Compare(k.Payload, o.Payload),
		cmp.Compare(k.DeadlineNs, o.DeadlineNs),
		compareBackgrounds(k, o),
		cmp.Compare(k.ClientCPUs, o.ClientCPUs),
		cmp.Compare(k.ServerCPUs, o.ServerCPUs),
	)
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return 1
	default:
		return -1
	}
}

// A Field is one column of a row. Its Value is a string, an int64, a float64, or nil where it is not applicable.
type Field struct {
	Name  string
	Value any
}

// Fields returns all key columns in the order of the scripting contract: who was measured, what a call was, and under which
// conditions. Together they tell any two rows apart.
func (k Key) Fields() []Field {
	return []Field{
		{"scenario", k.Scenario},
		{"stack", k.Stack},
		{"server", text(k.Server)},
		{"protocol", k.Protocol},
		{"kind", k.Kind},
		{"method", text(k.Method)},
		{"requests", text(k.Requests)},
		{"request_sizes", text(k.RequestSizes.String())},
		{"message", text(k.Message)},
		{"codec", text(k.Codec)},
		{"request_bytes", k.bytes(k.RequestBytes)},
		{"response_bytes", k.bytes(k.ResponseBytes)},
		{"messages", positive(k.Messages)},
		{"message_rate_per_sec", positive(k.MessageRatePerSec)},
		{"batch", positive(k.Batch)},
		{"connections", k.called(int64(k.Connections))},
		{"in_flight", k.called(int64(k.InFlight))},
		{"streams", positive(k.Streams)},
		{"servers", positive(k.Servers)},
		{"load", k.Load},
		{"offered_per_sec", positive(k.OfferedPerSec)},
		{"schedule", text(k.Schedule)},
		{"security", k.called(text(k.Security))},
		{"network", k.called(text(k.Network))},
		{"compression", k.called(text(k.Compression))},
		{"payload", k.called(text(k.Payload))},
		{"link", text(k.LinkText())},
		{"deadline_ns", positive(k.DeadlineNs)},
		{"background", text(k.Background)},
		{"client_cpus", text(k.ClientCPUs)},
		{"server_cpus", text(k.ServerCPUs)},
		{"options", text(k.Options)},
		{"jvm_options", text(k.JVMOptions)},
	}
}

// called is a column that a codec, which calls nobody, has not got.
func (k Key) called(value any) any {
	if k.Coding() {
		return nil
	}
	return value
}

// bytes is a payload's size; a call that only connects has none, nor has a codec, and a method's is its own.
func (k Key) bytes(n int) any {
	if k.Kind == stack.KindConnect || k.Coding() || k.Method != "" {
		return nil
	}
	return int64(n)
}

func positive[N int | int64 | float64](n N) any {
	if n <= 0 {
		return nil
	}
	if rate, ok := any(n).(float64); ok {
		return rate
	}
	return int64(n)
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}
