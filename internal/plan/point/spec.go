package point

// A Spec says everything about one trial's measurement: one value for every axis. Two trials with equal Specs measure
// the same thing. Fields without a meaning for the kind are zero.
type Spec struct {
	Stack   string   `json:"stack"`             // the client's
	Server  string   `json:"server"`            // the server's; empty with Target, and where the kind has none
	Program *Program `json:"program,omitempty"` // that is started as the server; nil is the server's stack
	// Target is the address of a server that runs already, host:port or the path of a socket; empty starts one.
	Target        string `json:"target,omitempty"`
	LengthsOnly   bool   `json:"lengths_only,omitempty"` // replies are checked for their length, not their bytes
	Protocol      string `json:"protocol"`
	Kind          string `json:"kind"`
	RequestBytes  int    `json:"request_bytes"`
	ResponseBytes int    `json:"response_bytes"`
	Messages      int    `json:"messages,omitempty"` // stream, burst, upload, download
	// MessagesPerStream is after how many calls of ping_pong a stream ends and the next begins; 0 is never.
	MessagesPerStream int               `json:"messages_per_stream,omitempty"`
	Connections       int               `json:"connections"`
	InFlight          int               `json:"in_flight"`         // per connection
	Streams           int               `json:"streams,omitempty"` // ping_pong, burst: per connection
	Load              string            `json:"load"`              // LoadClosed, LoadConstant, LoadPoisson
	OfferedPerSec     float64           `json:"offered_per_sec,omitempty"`
	Security          string            `json:"security"`
	Network           string            `json:"network"`
	Compression       string            `json:"compression"`
	Payload           string            `json:"payload"`
	ClientCPUs        string            `json:"client_cpus,omitempty"` // "0", "0-1,3"; empty is all
	ServerCPUs        string            `json:"server_cpus,omitempty"`
	Options           map[string]string `json:"options,omitempty"`
	Background        *Background       `json:"background,omitempty"`
	DeadlineNs        int64             `json:"deadline_ns"`
	DrainNs           int64             `json:"drain_ns"`
	WarmupNs          int64             `json:"warmup_ns"`             // the least, with WarmupMostNs
	DurationNs        int64             `json:"duration_ns,omitempty"` // exactly one of DurationNs and Calls is set
	Calls             int64             `json:"calls,omitempty"`
	// JVMOptions holds the options of every side that runs on a JVM, split like a shell does: those of the environment first.
	// Empty if no side does.
	JVMOptions string `json:"jvm_options,omitempty"`
	Message    string `json:"message,omitempty"`   // encode, decode: what is coded
	Codec      string `json:"codec,omitempty"`     // encode, decode: by what
	SampleNs   int64  `json:"sample_ns,omitempty"` // encode, decode: how long the operations of one call should take
	// Batch is the number of operations in one message; RequestBytes and ResponseBytes are then the payloads of one operation and
	// of its answer. 0 is a message without operations.
	Batch   int   `json:"batch,omitempty"`
	Servers int   `json:"servers,omitempty"` // server processes; 0 is one
	Clients int   `json:"clients,omitempty"` // client processes, which share connections, load and calls; 0 is one
	Link    *Link `json:"link,omitempty"`    // between client and servers; nil is none
	// WarmupMostNs, where it is more than WarmupNs, lets the warm-up go on until its intervals are steady, and no longer
	// than this. 0 is a warm-up of WarmupNs, steady or not.
	WarmupMostNs int64 `json:"warmup_most_ns,omitempty"`
	// CompilersMostNs limits how long calls are made, before the warm-up, until the just-in-time compilers of both sides are
	// quiet. 0 does not wait.
	CompilersMostNs int64 `json:"compilers_most_ns,omitempty"`
	// Method is the foreign method to call instead of our own services. It has its own messages: sizes and Payload are zero, and
	// Messages is set only if it was asked for.
	Method     *Method `json:"method,omitempty"`
	Unverified bool    `json:"unverified,omitempty"` // with TLS: any certificate of the server's was taken
	// Schedule changes the load over time: the rate of an open one, of which OfferedPerSec is then the mean, or how many calls
	// of a closed one are in flight on all connections together. nil is one rate, or InFlight on each connection.
	Schedule *Schedule `json:"schedule,omitempty"`
	// MessageRatePerSec is the number of messages per second that each upload or stream call of a Method sends; 0 sends them as
	// fast as the connection takes them.
	MessageRatePerSec float64 `json:"message_rate_per_sec,omitempty"`
	ClientHosts       string  `json:"client_hosts,omitempty"` // "db1,db2", over which the clients are dealt; empty is this machine
	ServerHosts       string  `json:"server_hosts,omitempty"`
	Label             string  `json:"label,omitempty"` // the user's own, which parts trials that are alike in all else
	// Binary is NAME=PATH of the program that hosts the stacks instead of this one, BinaryHash its SHA-256, and BinaryVersion its
	// version as a Go program. Empty is this program, or the worker of the stack.
	Binary        string `json:"binary,omitempty"`
	BinaryHash    string `json:"binary_sha256,omitempty"`
	BinaryVersion string `json:"binary_version,omitempty"`
	// Proxy is between client and server, the link before it; nil is none. TLS ends at it.
	Proxy *Proxy `json:"proxy,omitempty"`
	// RequestSizes and ResponseSizes are lengths that differ by chance, of which RequestBytes and ResponseBytes are the longest.
	// Without ResponseSizes, where RequestSizes are, replies are as long as their requests.
	RequestSizes  *Sizes `json:"request_sizes,omitempty"`
	ResponseSizes *Sizes `json:"response_sizes,omitempty"`
	// Records is the number of records in the server's store, which operations read and write instead of being echoed; 0 is no
	// store. Reads is the share of reads, "95%", and Keys how likely each record is; "" is the default.
	Records     int    `json:"records,omitempty"`
	Reads       string `json:"reads,omitempty"`
	Keys        string `json:"keys,omitempty"`
	Ports       int    `json:"ports,omitempty"`        // of each server process; 0 is one
	IdleStreams int    `json:"idle_streams,omitempty"` // on each connection, open beside those of calls
}

// A Background is a call that is made again and again on every connection, beside the measured ones.
type Background struct {
	Kind          string `json:"kind"`
	RequestBytes  int    `json:"request_bytes"`
	ResponseBytes int    `json:"response_bytes"`
	Messages      int    `json:"messages,omitempty"`
}

// String is "stream 100 x 10 B".
func (b *Background) String() string {
	return b.Kind + " " + sizes(b.Messages, 0, b.RequestBytes, b.ResponseBytes)
}

// Loads, as in Spec.Load.
const (
	LoadClosed   = "closed"
	LoadConstant = "constant"
	LoadPoisson  = "poisson"
)
