// Package wire is a client over HTTP/2 (RFC 9113), for gRPC and plain HTTP, that makes many calls at the least cost.
// Messages arrive encoded, a header block is encoded once, and frames are gathered and written in few system calls. Replies
// are read as far as needed to decide whether a call succeeded: the status in every form, where messages begin and end,
// flow control in both directions, and everything that a server may say about the connection.
//
// A Client is one connection, which is reopened when it is lost. Its calls are made in slots, one at a time in each. No
// goroutine waits for a call: Send starts calls, Wait reads and reports which have ended. Beyond the system calls a call
// costs no allocation and wakes no goroutine.
//
// Only Wait waits for the server: what the server does not read is kept, and calls wait before they are sent, until it
// reads again or they are canceled.
//
// It is not a general client: it accepts no pushed streams, balances no load, knows no codec, and resends a call only if
// the server has not processed it: refused, beyond the last stream of a GOAWAY, or never written. Such a call is resent
// once, and is counted. A server that violates the protocol ends its calls with a sentence that says how.
package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"

	"rpcbench/internal/stack"
)

// Config is what a Client needs.
type Config struct {
	// Dial opens the socket. Every socket comes from here.
	Dial func(ctx context.Context) (net.Conn, error)
	TLS  *tls.Config // nil is plaintext; the protocol h2 is added

	Authority string  // of every request
	Header    []Field // of every request, after those that gRPC has

	WindowBytes     int // the flow-control window of the connection and of each stream, WindowMin to WindowMax; 0 is WindowMax
	MessageBytesMax int // a longer reply fails its call with RESOURCE_EXHAUSTED
}

// WindowMin and WindowMax bound the window that a client gives to a server. The least is HTTP/2's own first one.
const (
	WindowMin = 65535
	WindowMax = 1<<31 - 1
)

// A Field is one field of a header, its name in lower case.
type Field struct{ Name, Value string }

// A Call is what a Lane's slots do, over and over.
type Call struct {
	// Verb makes the call one of HTTP without more, "GET": it sends one message at the most, which is the request's body as
	// it is, and replies are pieces of the response's body. Its status is the verdict: Expected are a success. Of what
	// follows it has Path and Header alone. "" is a call of gRPC.
	Verb     string
	Expected stack.Statuses
	Path     string  // "/package.Service/Method"; "" where Exchange.Fields begins with the field :path
	Header   []Field // after Config's
	Gzip     bool    // messages travel compressed, both ways: the Exchange does it
	Replies  int     // messages that an Open or Endless call is answered with
	// Open has calls made on streams that stay open: a call ends with its last reply. Otherwise each call is a stream of
	// its own and ends with its status.
	Open bool
	// Endless has a call that gets a message more than Replies end well, and its stream reset, once it has sent its own: the
	// server does not know how many are wanted.
	Endless bool
	// Counts has replies that came uncompressed told to Counter.Count, which every Exchange of the call then is: they take
	// no memory, however many and long they are.
	Counts bool
	// ReplyBytesMax is how long a reply may be that is not counted; 0 is Config.MessageBytesMax.
	ReplyBytesMax int
	// Streams is how many streams an Open call's slots share: slot i has stream i mod Streams, and replies are in the
	// order of the messages.
	Streams int
	// PerStream is how many of an Open call's calls a stream carries, as many as Streams slots making them: it is half-closed
	// behind the last reply, and that call ends when the server has ended the stream well. 0 has it stay open.
	PerStream int
	// Head takes the fields of each header block of the calls' responses, interim ones and trailers included, for a caller
	// that looks at more than outcomes. It runs within Wait and must not call the Client. nil is nobody.
	Head func(fields []Field)
}

// ErrNoMore is what Exchange.Message says after the last message of a call that did not know beforehand how many it sends.
var ErrNoMore = errors.New("there are no more messages")

// An Exchange is one slot's side of its calls. A Client calls it from one goroutine at a time.
type Exchange interface {
	// Begin says that a call begins, and returns how many messages it sends: of an Open call at least one. With an error
	// the call ends by it, and nothing is sent.
	Begin() (messages int, err error)
	// Fields returns what AppendField made of the header fields that this call alone has, if it opens a stream.
	Fields() []byte
	// Message returns message i of the call as it travels: of gRPC its prefix of 5 bytes and its encoding. The memory is used
	// until the next Message or the end of the call. With an error the call ends by it. No bytes say that the message is not
	// to be sent yet: Lane.Resume has it asked for again. ErrNoMore says that a call, which must not be Open, has no more
	// messages than those before, whatever Begin said. Of a call that goes out once more all are asked for anew.
	Message(i int) ([]byte, error)
	// Reply takes one message that came, without its prefix, in the order in which they come. It must not keep it. A
	// compressed one comes in Gzip calls alone.
	Reply(payload []byte, compressed bool)
	// End says that the server called the call good, and returns what is wrong with the replies, an *stack.Error.
	End() error
}

// A Counter is an Exchange of a Call that Counts.
type Counter interface {
	Exchange
	// Count takes, as Reply does, one message of so many bytes.
	Count(bytes int)
}

const (
	// dialPatience bounds a reconnection.
	dialPatience = 10 * time.Second
	// dialPause is what lies between two attempts to connect, so that a closed load of a dead server does not dial as
	// fast as it can. Calls wait for the attempt, and fail with it.
	dialPause = 2 * time.Millisecond
	// inlineBytes is how much is written at once by whoever has something to say. To copy more would hold up who keeps
	// time: that is for a goroutine of its own.
	inlineBytes = 64 << 10
	// outBytes is how much is made ready at once for writing.
	outBytes = 128 << 10
	// backlogBytes is the most that may be ready and not written. Requests alone are far from it.
	backlogBytes = 4 << 20
	// inBytes is the maximum that is read at once. It holds any frame that a server may send, several times.
	inBytes = 64 << 10
	// firstInBytes is how much a connection reads at once before it has filled that: most of many connections never do.
	firstInBytes = 4 << 10
)
