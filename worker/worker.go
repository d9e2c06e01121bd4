// Package worker makes a program that rpcbench measures: a worker of RPC stacks that are not rpcbench's own. Such a
// program is a module of its own, and needs no fork:
//
//	func main() { worker.Main(worker.Stack{Name: "my-rpc", Serve: serve, Dial: dial}) }
//
// A Stack carries messages, which are bytes to it: a client sends one and gets one back, or both send many on a stream.
// Whatever else a measurement needs is here: loads, rates, connections, deadlines, histograms, TLS, permissions, batches,
// the check of every reply, and the protocol by which rpcbench controls the program (worker.v1). Inside, a message is
// protobuf, of grpc.testing.BenchmarkService, so encoding costs what it costs in the gRPC stacks of the same report.
//
// The calls are connect, first_call and unary, and with streams also stream, ping_pong, burst, upload, download and
// both_ways, over TCP and Unix sockets, in plaintext, TLS and mutual TLS. `rpcbench conform -- PROGRAM` tests a worker, and
// a manifest (worker.yaml) next to the program tells rpcbench of it. The manual has a tutorial, docs/own-stack.md.
//
// The package is the only public one of rpcbench, and follows semantic versioning: what compiles today compiles with
// every later version of the same major number.
package worker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"regexp"
	"time"

	"golang.org/x/term"

	"rpcbench/internal/stack"
	core "rpcbench/internal/worker"
)

// A Stack is one RPC implementation. Its functions may be called concurrently.
type Stack struct {
	// Name is unique, and is what reports and --stacks have: lower-case letters, digits and dashes.
	Name string
	// Protocol is what clients and servers must have in common to call each other. Empty is Name: the stack calls itself.
	Protocol string
	// Module is the Go module of the library, such as "example.com/my-rpc", whose version is in the results. Empty is the
	// standard library.
	Module string
	// Multiplexed says that many calls share one Conn at the same time. Otherwise a Conn has one call at a time, and every
	// call in flight has a Conn of its own.
	Multiplexed bool
	// Streams says that the stack has streams: its Conns are Streamers, and its servers call ServeConfig.HandleStream.
	Streams bool
	// ALPN are the protocols to offer in the handshake of TLS; none are needed.
	ALPN []string
	// Compressions are those that the stack has besides none: Gzip.
	Compressions []string
	// Options are settings that a user may give the stack. `rpcbench stacks` lists them.
	Options []Option

	// Serve starts serving and returns at once. It is nil for a stack that only calls.
	Serve func(config ServeConfig) (Server, error)
	// Dial opens a connection, and returns when it is ready for a call. It is nil for a stack that only serves.
	Dial func(ctx context.Context, config DialConfig) (Conn, error)
}

// Gzip is a compression of messages in both directions.
const Gzip = stack.CompressionGzip

// An Option is a setting of a stack, given as a string by --option NAME=VALUE and by the key options of a scenario. Serve
// or Dial refuses a value that it can't read, with an *Error whose code is InvalidArgument.
type Option struct {
	Name   string // units last: "read_buffer_bytes"
	Help   string // one sentence with the default
	Client bool   // Dial gets it
	Server bool   // Serve gets it
}

// ServeConfig is what a server needs.
type ServeConfig struct {
	// Listener gives connections that are ready: where there is TLS, they are connections of crypto/tls. The stack closes it.
	Listener net.Listener
	// Handle answers a message that came on a connection of Listener, which says who the client is where the user restricts
	// who may call. It may be called concurrently. Its error is an *Error, whose code the client should get.
	Handle func(from net.Conn, message []byte) (reply []byte, err error)
	// HandleStream answers a stream that a client has opened on a connection of Listener, and returns when the answer is
	// complete. Its error is nil for a good end, or an *Error, whose code the client should get. What the client has still
	// sent by then is of no use any more. It may be called concurrently. Only a Stack with Streams needs it.
	HandleStream func(from net.Conn, stream Stream) error
	// MaxMessageBytes is the longest message that may be read, after it is decompressed. Longer ones are refused before they
	// take memory.
	MaxMessageBytes int
	// MaxStreams is how many calls and streams a client may have open at once on a connection that multiplexes. 0 is any
	// number.
	MaxStreams int
	// HeaderTimeout is how long a client may take for its handshake and for what comes before its first message. 0 is any time.
	HeaderTimeout time.Duration
	// Options are those that were given, of Stack.Options with Server.
	Options map[string]string
}

// A Server answers calls until it is stopped.
type Server interface {
	// Stop closes the listener, waits for the calls in flight until ctx is done, and then closes what is left.
	Stop(ctx context.Context) error
}

// DialConfig is what a connection needs.
type DialConfig struct {
	// Address is the server's, host:port or a socket's path, for libraries that want a name.
	Address string
	// Dial opens the socket, with TLS if there is any. Every socket must come from here, as its bytes are counted.
	Dial func(ctx context.Context) (net.Conn, error)
	// MaxMessageBytes is the longest reply that may be read, after it is decompressed.
	MaxMessageBytes int
	// Compression is one of Stack.Compressions, which messages and replies have, or empty.
	Compression string
	// Options are those that were given, of Stack.Options with Client.
	Options map[string]string
}

// A Conn is a connection of a client.
type Conn interface {
	// Call sends a message and returns the reply, both of which are the caller's. Only this is timed.
	//
	// An *Error is the answer of a server that refused, and the connection lives on, unless it is Lost. Any other error means
	// that the connection is of no use any more: it is closed, and the next call dials again. When ctx ends, Call returns
	// soon. Where the stack is not multiplexed that comes by itself: reads and writes of the socket fail then.
	Call(ctx context.Context, message []byte) (reply []byte, err error)
	Close() error
}

// A Streamer is a Conn that has streams, as every Conn of a Stack with Streams is.
type Streamer interface {
	Conn
	// Stream opens a stream, which lives until ctx is done. Then its methods return soon, and what it holds is freed. Where
	// the stack is not multiplexed, the Conn has one stream or one call at a time, and reads and writes of the socket fail
	// when ctx ends.
	//
	// Errors are those of Call.
	Stream(ctx context.Context) (ClientStream, error)
}

// A Stream carries messages in both directions. One goroutine may send while another receives.
type Stream interface {
	// Send sends a message, which belongs to the caller again when it returns. io.EOF means that the other side has ended
	// the stream: Recv says why.
	Send(message []byte) error
	// Recv returns the next message, which is the caller's. io.EOF means that the other side has sent all, and on a client
	// that the server ended the stream well. On a client an *Error that is not Lost is that of HandleStream. Any other error
	// means that the stream was lost.
	Recv() (message []byte, err error)
}

// A ClientStream is a stream of a client.
type ClientStream interface {
	Stream
	// CloseSend tells the server that the client has sent all.
	CloseSend() error
}

// Main is a worker of these stacks, on standard input and output, and ends the program when the input does. What is
// printed to standard output goes to standard error.
func Main(stacks ...Stack) {
	if err := run(stacks); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(stacks []Stack) error {
	adapters, err := adapt(stacks)
	if err != nil {
		return err
	}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		return errors.New("this is a worker: rpcbench starts it and speaks to it on standard input; " +
			"`rpcbench conform -- PROGRAM` tests it")
	}
	out, err := core.TakeStdout()
	if err != nil {
		return err
	}
	signal.Ignore(os.Interrupt) // rpcbench decides when a worker ends
	return core.Run(context.Background(), os.Stdin, out, adapters)
}

// names are what a stack may be called.
var names = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// builtin are rpcbench's own protocols, whose messages are others.
var builtin = map[string]bool{
	stack.ProtocolGRPC: true, stack.ProtocolConnect: true, stack.ProtocolHTTPJSON: true, stack.ProtocolTCP: true,
	stack.ProtocolCodec: true,
}

// adapt makes rpcbench's own stacks of these.
func adapt(stacks []Stack) ([]stack.Stack, error) {
	var made []stack.Stack
	seen := map[string]bool{}
	for _, s := range stacks {
		if s.Protocol == "" {
			s.Protocol = s.Name
		}
		switch {
		case !names.MatchString(s.Name):
			return nil, fmt.Errorf("worker: the stack's name %q is not made of lower-case letters, digits and dashes", s.Name)
		case seen[s.Name]:
			return nil, fmt.Errorf("worker: two stacks are named %s", s.Name)
		case builtin[s.Protocol]:
			return nil, fmt.Errorf("worker: the protocol of %s is %s, which is rpcbench's own: choose another name", s.Name, s.Protocol)
		case s.Serve == nil && s.Dial == nil:
			return nil, fmt.Errorf("worker: %s has neither Serve nor Dial", s.Name)
		}
		if err := s.check(); err != nil {
			return nil, err
		}
		seen[s.Name] = true
		made = append(made, adapter{s})
	}
	if len(made) == 0 {
		return nil, errors.New("worker: there is no stack")
	}
	return made, nil
}

// optionNames are what an option may be called.
var optionNames = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)

// check refuses compressions and options that nobody could ask for.
func (s Stack) check() error {
	for _, compression := range s.Compressions {
		if compression != Gzip {
			return fmt.Errorf("worker: %s has the compression %q, and %s is the only one", s.Name, compression, Gzip)
		}
	}
	seen := map[string]bool{}
	for _, o := range s.Options {
		switch {
		case !optionNames.MatchString(o.Name):
			return fmt.Errorf("worker: %s has an option named %q: use lower-case letters, digits and underscores", s.Name, o.Name)
		case seen[o.Name]:
			return fmt.Errorf("worker: %s has two options named %s", s.Name, o.Name)
		case !o.Client && !o.Server:
			return fmt.Errorf("worker: the option %s of %s is neither the client's nor the server's", o.Name, s.Name)
		}
		seen[o.Name] = true
	}
	return nil
}
