package once

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpctls"
)

// A grpcCall is one on its way.
type grpcCall struct {
	opened *recipe.Call
	secure bool
	stream grpc.ClientStream
	clock  *clock
	made   *Exchange
}

func callGRPC(ctx context.Context, config Config, opened *recipe.Call, sent []Field) (*Exchange, error) {
	c := &grpcCall{
		opened: opened, secure: config.TLS != nil, clock: newClock(), made: &Exchange{Call: opened.Method.Name().String()},
	}
	sent, agent := withAgent(sent)
	conn, err := c.dial(config, agent)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of a stream with more replies than are kept
	md := metadata.MD{}
	for _, f := range sent {
		md.Append(f.Name, f.Value)
	}
	c.made.Request.Metadata = hidden(shownBinary(sent))
	options := []grpc.CallOption{grpc.MaxCallRecvMsgSize(stack.MessageBytesMax)}
	if config.Compression == stack.CompressionGzip {
		options = append(options, grpc.UseCompressor(gzip.Name))
	}
	method := opened.Method.Descriptor
	desc := &grpc.StreamDesc{ClientStreams: method.IsStreamingClient(), ServerStreams: method.IsStreamingServer()}
	if c.stream, err = conn.NewStream(metadata.NewOutgoingContext(ctx, md), desc, opened.Method.Path(), options...); err == nil {
		err = c.exchange()
	}
	c.clock.ended("call")
	c.end(ctx, err)
	return c.made, nil
}

// withAgent returns the metadata as the library sends it, and the user-agent that it has to be given: it passes over one in the
// metadata, and appends its own.
func withAgent(sent []Field) (all []Field, agent string) {
	const name = "user-agent"
	var agents []string
	for _, f := range sent {
		if f.Name == name {
			agents = append(agents, f.Value)
		} else {
			all = append(all, f)
		}
	}
	if len(agents) == 0 {
		return sent, ""
	}
	agent = strings.Join(agents, " ")
	return append(all, Field{name, strings.TrimSpace(agent + " grpc-go/" + grpc.Version)}), agent
}

// dial makes a connection whose parts are noted. It connects with the call.
func (c *grpcCall) dial(config Config, agent string) (*grpc.ClientConn, error) {
	trust := insecure.NewCredentials()
	if config.TLS != nil {
		trust = timed{grpctls.New(config.TLS), c.clock}
	}
	options := []grpc.DialOption{
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return c.clock.dial(ctx, config.Network, config.Address)
		}),
		grpc.WithTransportCredentials(trust), grpc.WithAuthority(config.Recipe.Authority), grpc.WithNoProxy(),
		grpc.WithDisableServiceConfig(), grpc.WithDisableRetry(),
	}
	if agent != "" {
		options = append(options, grpc.WithUserAgent(agent))
	}
	return grpc.NewClient("passthrough:///"+config.Address, options...)
}

// timed notes how long TLS's handshake takes.
type timed struct {
	credentials.TransportCredentials

	clock *clock
}

// ClientHandshake is credentials.TransportCredentials'.
func (t timed) ClientHandshake(ctx context.Context, authority string, conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	defer t.clock.ended("tls")
	return t.TransportCredentials.ClientHandshake(ctx, authority, conn)
}

// exchange sends all messages while replies come, because a server may wait for them to be read.
func (c *grpcCall) exchange() error {
	messages, err := c.messages()
	if err != nil {
		return err
	}
	sent := make(chan error, 1)
	go func() { sent <- c.send(messages) }()
	if err := c.receive(); err != nil || c.made.Reply.Cut {
		return err
	}
	return <-sent
}

// messages returns the messages of the first call.
func (c *grpcCall) messages() ([]proto.Message, error) {
	var list []proto.Message
	for i := range c.opened.Requests.Messages(0) {
		encoded, err := c.opened.Requests.Append(nil, 0, i)
		if err != nil {
			return nil, err
		}
		message := dynamicpb.NewMessage(c.opened.Method.Descriptor.Input())
		if err := (proto.UnmarshalOptions{Resolver: c.opened.Method.Types}).Unmarshal(encoded, message); err != nil {
			return nil, err
		}
		list = append(list, message)
		if len(c.made.Request.Messages) < RepliesMost {
			c.made.Request.Messages = append(c.made.Request.Messages, c.shown(message))
		}
	}
	return list, nil
}

// send returns nil where the server has ended the stream: the replies say why.
func (c *grpcCall) send(messages []proto.Message) error {
	for _, m := range messages {
		if err := c.stream.SendMsg(m); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
	return c.stream.CloseSend()
}

func (c *grpcCall) receive() error {
	for {
		reply := dynamicpb.NewMessage(c.opened.Method.Descriptor.Output())
		switch err := c.stream.RecvMsg(reply); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(c.made.Reply.Messages) == RepliesMost:
			c.made.Reply.Cut = true
			return nil
		}
		c.made.Reply.Messages = append(c.made.Reply.Messages, c.shown(reply))
		if !c.opened.Method.Descriptor.IsStreamingServer() {
			return nil
		}
	}
}

// shown is a message as JSON.
func (c *grpcCall) shown(message proto.Message) Message {
	shown := Message{Bytes: proto.Size(message)}
	if encoded, err := (protojson.MarshalOptions{Resolver: c.opened.Method.Types}).Marshal(message); err == nil {
		shown.JSON = encoded
	}
	return shown
}

// end keeps how the call ended.
func (c *grpcCall) end(ctx context.Context, err error) {
	c.made.Timing = c.clock.all()
	end := status.Convert(err)
	c.made.Status = Status{OK: err == nil, Code: stack.Code(end.Code()).String(), Message: end.Message()}
	// The server's end of the call, by the same deadline, may come before our timer.
	if deadline, ok := ctx.Deadline(); ok && end.Code() == codes.DeadlineExceeded && !time.Now().Before(deadline) {
		c.made.Status.Message = c.clock.late(c.secure) // which the library says of its own parts
	}
	if c.stream == nil {
		return // there was no connection
	}
	if header, err := c.stream.Header(); err == nil {
		c.made.Reply.Headers = hidden(ofMetadata(header))
	}
	if !c.made.Reply.Cut {
		c.made.Reply.Trailers = hidden(ofMetadata(c.stream.Trailer()))
	}
}

// ofMetadata are the entries in order of their names.
func ofMetadata(md metadata.MD) []Field {
	var list []Field
	for _, name := range slices.Sorted(maps.Keys(md)) {
		for _, value := range md[name] {
			list = append(list, Field{name, value})
		}
	}
	return shownBinary(list)
}

// shownBinary encodes the values of binary metadata in base64, as on the wire.
func shownBinary(list []Field) []Field {
	shown := slices.Clone(list)
	for i, f := range shown {
		if strings.HasSuffix(f.Name, "-bin") {
			shown[i].Value = base64.RawStdEncoding.EncodeToString([]byte(f.Value))
		}
	}
	return shown
}
