// Package stack is the contract between rpcbench and an RPC implementation.
//
// An adapter serves, opens connections, and makes Callers on them, one per slot. It opens no sockets itself: listeners and
// dial functions are passed in, because the worker counts sockets and bytes there. It knows nothing of loads, clocks or
// histograms, and the load loop knows nothing of an adapter except Caller and Pipeline.
package stack

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"rpcbench/internal/stack/loop"
)

// A Stack is one RPC implementation. Its methods may be called concurrently.
type Stack interface {
	Info() Info
	// Serve starts serving on config.Listener and returns at once. The stack owns the listener from then on.
	Serve(config ServeConfig) (Server, error)
	// Dial opens a connection. Where Info.Kinds has KindConnect it returns when the connection is ready for a call;
	// elsewhere it may return before anything is sent, and the first call connects.
	Dial(ctx context.Context, config DialConfig) (Conn, error)
}

// A Server answers calls until it is stopped.
type Server interface {
	// Stop closes the listener, waits for the calls in flight until ctx is done, then closes what is left.
	Stop(ctx context.Context) error
}

// A Conn is one connection, or, where the protocol does not multiplex, the sockets of DialConfig.InFlight slots.
type Conn interface {
	// Caller makes the Caller of one slot, 0 ≤ slot < DialConfig.InFlight. Slots are asked for in order, from 0, and all
	// of one call before the next call's; several calls may be asked for on one connection. A Caller lives as long as
	// the connection. An error says that the call can't be made here.
	Caller(call Call, slot int) (Caller, error)
	Close() error
}

// A Caller performs one slot's calls, one at a time.
type Caller interface {
	// Call performs one measured operation and returns when its answer is complete. Only this is timed. A failure is an *Error
	// with its code. The context stays the same from call to call until a call is canceled through it, so a stream may be opened
	// with it and kept. When another context comes, everything that depended on the old one is dead.
	Call(ctx context.Context) error
	// After is called once after every Call and is not timed. It checks the reply (a wrong one is MISMATCH), and undoes what the
	// next Call does anew. It returns nil if Call failed.
	After() error
}

// A Pipeliner is a Conn that makes calls without a goroutine for each slot.
type Pipeliner interface {
	Conn
	// Pipeline makes the replacement for all slots' Callers, before any Caller is made; Callers of other calls may follow. It
	// fails if the call can't be made here.
	Pipeline(call Call) (Pipeline, error)
}

// A Pipeline performs the calls of all slots of a connection, 0 to DialConfig.InFlight − 1, each one call at a time. Wait is for
// one goroutine; the other methods may be called concurrently and never block.
type Pipeline interface {
	// Send starts a call in each of the slots, which must be idle, with as few system calls as it can.
	Send(slots []int)
	// Wait reads, and then reports which calls have ended: none, or several, checked. An error is an *Error; for a wrong reply it
	// is MISMATCH. Wait returns false once the connection is closed. Only Wait answers what the server asks for between calls.
	Wait(ended func(slot int, err error)) bool
	// Cancel has the call of a slot end soon. A slot without a call is left alone.
	Cancel(slot int)
}

// A Joiner is a Conn whose sockets a loop can serve, together with those of others, so that its calls need no goroutine at all.
type Joiner interface {
	Conn
	// Join has a loop serve the connection, and replaces all slots' Callers. It must be called before any Caller is made; Callers
	// of other calls may follow. ended receives each call that has ended, as that of Pipeline.Wait does, on the loop's goroutine.
	// An error says that the call can't be made here.
	Join(on *loop.Loop, call Call, ended func(slot int, err error)) (Sender, error)
}

// A Sender makes the calls of all slots of a Joiner. Its methods may be called concurrently and never block.
type Sender interface {
	// Send starts a call in a slot, which must be idle. more says that another one follows at once, so that what this one writes
	// may wait for that.
	Send(slot int, more bool)
	// Cancel has the call of a slot end soon. A slot without a call is left alone.
	Cancel(slot int)
}

// A Blocker is a Conn whose Callers can wait for replies in the kernel instead of in Go's poller.
type Blocker interface {
	Conn
	// Block has them do so, where the system can. It must be called before any Caller is made, and pays where the connection's
	// only slot is all that the process has to do.
	Block()
}

// A Retrier is a Conn that resends calls which the server has not read, and counts them. A library's client that resends silently
// is not a Retrier.
type Retrier interface {
	Conn
	// Retries returns how many calls have been resent so far.
	Retries() int64
}

// A Calibrated reports its calibration. Every Caller of KindEncode and KindDecode is one.
type Calibrated interface {
	// Calibration returns what was measured when the Caller was made.
	Calibration() Calibration
}

// A Calibration describes a codec and a message before anything is measured.
type Calibration struct {
	Repeat       int64 // operations in one call
	EncodedBytes int   // of the message, as the codec writes it
	GzippedBytes int   // of its encoding through gzip at the default level; of a gzip codec, EncodedBytes
	PlainBytes   int   // of a gzip codec, what is compressed; of others EncodedBytes
}

// Info states what a stack is and what it supports. Lists hold the constants of this package.
type Info struct {
	Name         string // unique, "grpc-go"
	Protocol     string // ProtocolGRPC, …: clients and servers of one protocol pair
	Module       string // the library's Go module, "google.golang.org/grpc", or several with spaces; "" is Go's own
	Serves       bool
	Calls        bool
	Kinds        []string
	Networks     []string
	Securities   []string
	Compressions []string
	Multiplexed  bool // many calls share one connection
	Options      []Option
	Messages     []string // of encode and decode; nil on stacks with neither
	Codecs       []string // of encode and decode; nil on stacks with neither
	Methods      bool     // it calls other services than ours: over gRPC Call.Method, over http-json Call.Resource
	// PreparedMethods says that a worker elsewhere does so with requests that were encoded for it.
	PreparedMethods bool
	Sizes           bool // its client sends requests, and takes replies, whose lengths differ by chance: Call.Sizes
	Stores          bool // its client makes Call.Accesses, where it calls, and its server answers from a Store, where it serves
	Deviations      []Deviation
}

// A Deviation describes how a stack's library deviates from a rule that applies to every stack.
type Deviation struct {
	Rule   string // RuleRequestBytes
	Code   string // the outcome of such a call instead
	Reason string // one sentence
}

// RuleRequestBytes asks a server to refuse a request above Limits.RequestBytes with RESOURCE_EXHAUSTED.
const RuleRequestBytes = "serve.limits.request_bytes"

// ServeConfig configures a server.
type ServeConfig struct {
	Listener net.Listener // never ended TLS: the stack does that
	TLS      *tls.Config  // nil is plaintext; the stack adds the ALPN protocols that it speaks
	// Authorize reports whether the client on a connection may call; nil lets everybody. It is asked as each call begins,
	// a stream being one call, before the service does anything for it. Its error is an *Error with PERMISSION_DENIED,
	// which fails the call and leaves the connection as it is. Without TLS it is asked with the zero state. It may be
	// called concurrently.
	Authorize func(state tls.ConnectionState) error
	// Reply returns the payload of a reply of n bytes whose request had another size. It is shared: never write to it.
	// Replies as long as their request carry the request's own bytes.
	Reply   func(n int) []byte
	Store   Store // of the records that accesses are to; nil has none. Only where Info.Stores
	Limits  Limits
	Options map[string]string // those of Info.Options that have Server, no others
}

// DialConfig configures a connection.
type DialConfig struct {
	Network string // one of Info.Networks
	Address string // host:port, or a socket's path
	// Dial opens the socket. Every socket must come from here.
	Dial        func(ctx context.Context, network, address string) (net.Conn, error)
	TLS         *tls.Config // nil is plaintext; ServerName is set; the stack adds the ALPN protocols that it speaks
	Compression string
	Authority   string            // of every call; "" is the server's: TLS's name of it, or the address
	InFlight    int               // slots that will share this connection
	ReplyShare  int               // the most bytes of a reply that may have any length; 0 is EncodedBytesMax
	Options     map[string]string // those of Info.Options that have Client, no others
}

// Call describes the measured operation to Conn.Caller.
type Call struct {
	Kind          string
	Request       []byte // the payload of every message sent, or of every operation; shared: never write to it
	ResponseBytes int    // the payload length of every message received, or of every answer
	Messages      int    // of a stream, burst, upload or download, and both ways each
	Streams       int    // of ping_pong and burst: how many streams the connection's slots share, 1 ≤ Streams ≤ InFlight
	PerStream     int    // of ping_pong: calls after which a slot's stream ends, and the next call opens another; 0 is never
	Batch         int    // operations in one message of BatchService; 0 is BenchmarkService, whose messages have none
	// Deadline is the maximum time of each call, which the worker enforces. A stack sends it if SendDeadline is set; 0 is none.
	Deadline time.Duration
	// Check reports whether a reply's payload, or an answer's, is right; nil when it is, an *Error with MISMATCH otherwise.
	Check func(reply []byte) error
	Codec *Codec // of encode and decode, which have nothing of the above but Kind; nil elsewhere
	// Sizes are the lengths of requests and replies where they differ by chance, Request and ResponseBytes being the longest;
	// nil where all are alike. Only where Info.Sizes, without a Batch, and of the kinds of IsSizedKind.
	Sizes *Sizes
	// Accesses says what operations do with the server's Store instead of being echoed. Request and ResponseBytes then have the
	// length of its values. nil elsewhere. Only where Info.Stores, and with a Batch.
	Accesses *Accesses
	// Method is a foreign method to call instead of BenchmarkService's; nil elsewhere. Of the fields above, its calls use only
	// Kind, Deadline, Messages (0 where the request or the server decides) and, for ping_pong, Streams.
	Method *Method
	// Resource is a foreign HTTP resource to call; nil elsewhere. Of the fields above, its calls use only Kind, which is unary.
	Resource *Resource
	// Tallies are of Ledger, one for each of the connection's slots; nil has NewReplies make them.
	Tallies []*Tally
}

// IsForeign reports whether the call is of a foreign service.
func (c Call) IsForeign() bool { return c.Method != nil || c.Resource != nil }

// Ledger returns the counters of what calls carry where they differ, and nil where they are all alike.
func (c Call) Ledger() *Ledger {
	switch {
	case c.Method != nil:
		return &c.Method.Ledger
	case c.Resource != nil:
		return &c.Resource.Ledger
	case c.Sizes != nil:
		return c.Sizes.ledger
	case c.Accesses != nil:
		return c.Accesses.ledger
	default:
		return nil
	}
}

// tally returns the counters of a slot of a call that has a Ledger.
func (c Call) tally(slot int) *Tally {
	if c.Tallies != nil {
		return c.Tallies[slot]
	}
	return c.Ledger().NewTally()
}

// A Codec specifies the operations of a call of KindEncode or KindDecode.
type Codec struct {
	Message string        // one of Info.Messages
	Codec   string        // one of Info.Codecs
	Seed    uint64        // of the message's contents
	Sample  time.Duration // how long the operations of one call should take together, SampleMin to SampleMax
}

// Call kinds. The manual's table defines one call of each.
const (
	KindConnect   = "connect"
	KindFirstCall = "first_call"
	KindUnary     = "unary"
	KindStream    = "stream"
	KindPingPong  = "ping_pong"
	KindBurst     = "burst"
	KindUpload    = "upload"
	KindDownload  = "download"
	KindBothWays  = "both_ways"
	KindEncode    = "encode"
	KindDecode    = "decode"
)

// IsCodec reports whether the kind works on a message alone: it has no server, connection or payload.
func IsCodec(kind string) bool { return kind == KindEncode || kind == KindDecode }

// SharesStreams reports whether a kind's calls are made on open streams, which slots may share.
func SharesStreams(kind string) bool { return kind == KindPingPong || kind == KindBurst }

// HasMessages reports whether a call of the kind has a number of messages.
func HasMessages(kind string) bool {
	return kind == KindStream || kind == KindBurst || kind == KindUpload || kind == KindDownload || kind == KindBothWays
}

// SendsMany reports whether a call of the kind sends several messages to the end of its own stream.
func SendsMany(kind string) bool { return kind == KindStream || kind == KindUpload }

// Protocols.
const (
	ProtocolGRPC     = "grpc"
	ProtocolConnect  = "connect"
	ProtocolHTTPJSON = "http-json"
	ProtocolTCP      = "tcp"
	ProtocolCodec    = "codec" // encode and decode: no server
)

// Networks, securities and compressions.
const (
	NetworkTCP  = "tcp"
	NetworkUnix = "unix"
	// NetworkWS is a WebSocket over TCP. A server of NetworkWSH takes WebSockets and bare sockets on one port, and a client of it
	// has a bare one.
	NetworkWS  = "ws"
	NetworkWSH = "wsh"
	// NetworkInproc is no socket, but memory: client and server are in one process.
	NetworkInproc = "inproc"

	SecurityPlaintext = "plaintext"
	SecurityTLS       = "tls"
	SecurityMTLS      = "mtls"

	CompressionNone = "none"
	CompressionGzip = "gzip"
)

// Networks returns the networks that carry any bytes. An adapter uses them through its listener and dial function. A stack with
// its own transport names those that it supports.
func Networks() []string {
	return []string{NetworkTCP, NetworkUnix, NetworkWS, NetworkWSH, NetworkInproc}
}

// SocketNetwork is the network of the sockets that a network has: TCP or Unix ones.
func SocketNetwork(network string) string {
	if network == NetworkWS || network == NetworkWSH {
		return NetworkTCP
	}
	return network
}

// MessageBytesMax is the largest payload of one message, request or reply. Adapters raise their library's limits to
// hold it and its envelope.
const MessageBytesMax = 64 << 20

// SampleMin and SampleMax bound how long the operations of one call of encode or decode should take together. A shorter
// call would measure the clock.
const (
	SampleMin = time.Millisecond
	SampleMax = time.Minute
)

// MessagesMetadata is the request metadata that tells our servers how many messages a download has, or both_ways from the server.
const MessagesMetadata = "rpcbench-messages"

// BurstMetadata is the request metadata that tells our servers how many messages of a stream to collect before answering them,
// repeatedly. Without it they answer every message at once, and a burst longer than buffers and flow control hold would hang.
const BurstMetadata = "rpcbench-burst"

// BurstMax is the most messages of a burst, which a server holds all at once: as many as RogueDB's benchmark sends. Their
// bytes together are at most MessageBytesMax.
const BurstMax = 540_000

// StopGrace is how long a server waits for calls in flight when a worker stops it.
const StopGrace = 2 * time.Second
