// Package worker makes a program that rpcbench can measure: a worker for RPC stacks that are not part of rpcbench. The
// program is a separate module and needs no fork:
//
//	func main() { worker.Main(worker.Stack{Name: "my-rpc", Serve: serve, Dial: dial}) }
//
// A Stack carries messages, which it treats as bytes: a client sends one and gets one back, or both send many on a stream.
// The package does everything else that a measurement needs: loads, rates, connections, deadlines, histograms, TLS,
// permissions, batches, checking every reply, and the protocol by which rpcbench controls the program (worker.v1).
// Messages are encoded as protobuf (grpc.testing.BenchmarkService), so encoding costs the same as in the gRPC stacks of
// the report.
//
// The calls are connect, first_call and unary, and with streams also stream, ping_pong, burst, upload, download and
// both_ways, over TCP and Unix sockets, in plaintext, TLS and mutual TLS. `rpcbench conform -- PROGRAM` tests a worker, and
// a manifest (worker.yaml) next to the program makes rpcbench find it. The tutorial is docs/own-stack.md.
//
// This is rpcbench's only public package. It follows semantic versioning: what compiles today compiles with every later
// version of the same major number.
package worker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"

	"golang.org/x/term"

	"rpcbench/internal/stack"
	core "rpcbench/internal/worker"
)

// A Stack is one RPC implementation. Its functions may be called concurrently.
type Stack struct {
	// Name is unique. Reports and --stacks use it: lower-case letters, digits and dashes.
	Name string
	// Protocol must be the same on a client and a server that call each other. Empty is Name: the stack calls only itself.
	Protocol string
	// Module is the Go module of the library, such as "example.com/my-rpc", whose version is in the results. Empty is the
	// standard library.
	Module string
	// Multiplexed says that many calls share one Conn at the same time. Otherwise each call in flight has its own Conn, which
	// makes one call at a time.
	Multiplexed bool
	// Streams says that the stack has streams: its Conns are Streamers, and its servers call ServeConfig.HandleStream.
	Streams bool
	// ALPN lists the protocols to offer in the TLS handshake. It may be empty.
	ALPN []string
	// Compressions lists what the stack supports besides none: Gzip.
	Compressions []string
	// Options lists the settings that users may give the stack. `rpcbench stacks` prints them.
	Options []Option

	// Serve starts serving and returns at once. It is nil for a stack that only calls.
	Serve func(config ServeConfig) (Server, error)
	// Dial opens a connection, and returns when it is ready for a call. It is nil for a stack that only serves.
	Dial func(ctx context.Context, config DialConfig) (Conn, error)
}

// Gzip is a compression of messages in both directions.
const Gzip = stack.CompressionGzip

// An Option is a setting of a stack, given as text by --option NAME=VALUE and by the key options of a scenario. Values that it
// does not declare are refused before anything is measured, and never reach Serve or Dial. Without Words and Numbers it takes any
// text: then Serve or Dial refuses what it can't read, with an *Error whose code is InvalidArgument.
type Option struct {
	Name    string   // units last: "read_buffer_bytes"
	Help    string   // one sentence, with the default where Default can't say it
	Client  bool     // Dial gets it
	Server  bool     // Serve gets it
	Words   []string // of a switch: "false", "true"
	Numbers Range    // whole numbers, in decimal, without a plus or leading zeros; the zero Range is none
	Default string   // giving it is the same as giving none; empty where there is no such value
}

// A Range is the whole numbers from Min to Max.
type Range struct{ Min, Max int64 }

// Value returns the option's value among those that Serve or Dial got, or else its default.
func (o Option) Value(given map[string]string) string { return o.inside().Word(given) }

// Number returns the number that is the option's Value; 0 where it is none.
func (o Option) Number(given map[string]string) int { return o.inside().Int(given) }

// inside is the option as rpcbench's own stacks have it.
func (o Option) inside() stack.Option {
	return stack.Option{
		Name: o.Name, Help: o.Help, Client: o.Client, Server: o.Server, Words: o.Words, Numbers: stack.Range(o.Numbers),
		Default: o.Default,
	}
}

// ServeConfig configures a server.
type ServeConfig struct {
	// Listener accepts connections that are ready for use: with TLS, they are those of crypto/tls. The stack closes it.
	Listener net.Listener
	// Handle answers a message that arrived on a connection of Listener. The connection identifies the client, where the user
	// restricts who may call. Handle may be called concurrently. Its error is an *Error, whose code the client should get.
	Handle func(from net.Conn, message []byte) (reply []byte, err error)
	// HandleStream answers a stream that a client opened on a connection of Listener, and returns when the answer is complete.
	// Its error is nil if the stream ended well, or an *Error, whose code the client should get. Messages that the client still
	// sends after that are ignored. It may be called concurrently. Only a Stack with Streams needs it.
	HandleStream func(from net.Conn, stream Stream) error
	// MaxMessageBytes limits the length of a message after decompression. Refuse longer ones before they take memory.
	MaxMessageBytes int
	// MaxStreams limits the calls and streams that a client may have open at once on a multiplexing connection. 0 is no limit.
	MaxStreams int
	// HeaderTimeout limits the time for a client's handshake and for everything before its first message. 0 is no limit.
	HeaderTimeout time.Duration
	// Options holds the given options, those of Stack.Options with Server.
	Options map[string]string
}

// A Server answers calls until it is stopped.
type Server interface {
	// Stop closes the listener, waits for the calls in flight until ctx is done, and then closes what is left.
	Stop(ctx context.Context) error
}

// DialConfig configures a connection.
type DialConfig struct {
	// Address is the server's host:port or the path of its socket, for libraries that need a name.
	Address string
	// Dial opens the socket, with TLS if it is configured. Every socket must come from here, because its bytes are counted.
	Dial func(ctx context.Context) (net.Conn, error)
	// MaxMessageBytes limits the length of a reply after decompression.
	MaxMessageBytes int
	// Compression of messages and replies: one of Stack.Compressions, or empty for none.
	Compression string
	// Options holds the given options, those of Stack.Options with Client.
	Options map[string]string
}

// A Conn is a connection of a client.
type Conn interface {
	// Call sends a message and returns the reply. The caller owns both. Only Call is timed.
	//
	// An *Error is the answer of a server that refused, and the connection stays open, unless the error is Lost. Any other
	// error means that the connection can't be used any more: it is closed, and the next call dials again. When ctx ends, Call
	// must return soon. If the stack is not multiplexed, reads and writes of the socket fail then, so no code is needed. That is
	// so until Call returns: between calls nothing is done to the socket, and the Conn may read from it.
	Call(ctx context.Context, message []byte) (reply []byte, err error)
	Close() error
}

// A Streamer is a Conn with streams. Every Conn of a Stack with Streams must be one.
type Streamer interface {
	Conn
	// Stream opens a stream, which lives until ctx is done. Then its methods must return soon, and free what they hold. If the
	// stack is not multiplexed, the Conn has one stream or one call at a time, and reads and writes of the socket fail when ctx
	// ends before the stream has.
	//
	// Its errors mean the same as those of Call.
	Stream(ctx context.Context) (ClientStream, error)
}

// A Stream carries messages in both directions. One goroutine may send while another receives.
type Stream interface {
	// Send sends a message, which belongs to the caller again when it returns. io.EOF means that the other side has ended
	// the stream: Recv says why.
	Send(message []byte) error
	// Recv returns the next message, which the caller owns. io.EOF means that the other side has sent everything and, on a
	// client, that the server ended the stream well. On a client an *Error that is not Lost is the error of HandleStream. Any
	// other error means that the stream was lost.
	Recv() (message []byte, err error)
}

// A ClientStream is a stream of a client.
type ClientStream interface {
	Stream
	// CloseSend tells the server that the client has sent everything.
	CloseSend() error
}

// Main runs a worker of these stacks on standard input and output, and exits when the input ends. Output of the program to
// standard output goes to standard error.
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
	// Rpcbench decides when a worker ends, also where a signal reaches all processes. A program inherits ignored signals, and is
	// ended by SIGTERM: it is caught, and nobody reads it.
	signal.Ignore(os.Interrupt)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM, syscall.SIGHUP)
	return core.Run(context.Background(), os.Stdin, out, adapters)
}

// names matches valid names of stacks.
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

// optionNames matches valid names of options.
var optionNames = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)

// check refuses compressions and options that can't be requested.
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
		if err := o.inside().Check(); err != nil {
			return fmt.Errorf("worker: %s contradicts itself: %w", s.Name, err)
		}
		seen[o.Name] = true
	}
	return nil
}
