package worker

import (
	"context"
	"crypto/tls"
	"net"
	"slices"
	"sync"

	"rpcbench/internal/stack"
)

// An adapter is a Stack as rpcbench's loads know it.
type adapter struct{ own Stack }

// Info implements stack.Stack.
func (a adapter) Info() stack.Info {
	return stack.Info{
		Name: a.own.Name, Protocol: a.own.Protocol, Module: a.own.Module,
		Serves: a.own.Serve != nil, Calls: a.own.Dial != nil, Multiplexed: a.own.Multiplexed,
		Kinds:        a.kinds(),
		Networks:     networks(),
		Securities:   []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS},
		Compressions: append([]string{stack.CompressionNone}, a.own.Compressions...),
		Options:      a.options(),
	}
}

func (a adapter) kinds() []string {
	kinds := []string{stack.KindConnect, stack.KindFirstCall, stack.KindUnary}
	if a.own.Streams {
		kinds = append(kinds, stack.KindStream, stack.KindPingPong, stack.KindBurst, stack.KindUpload, stack.KindDownload,
			stack.KindBothWays)
	}
	return kinds
}

func (a adapter) options() []stack.Option {
	var list []stack.Option
	for _, o := range a.own.Options {
		list = append(list, o.inside())
	}
	return list
}

// Serve implements stack.Stack.
func (a adapter) Serve(config stack.ServeConfig) (stack.Server, error) {
	if err := a.Info().CheckServe(config); err != nil {
		return nil, err
	}
	listener := config.Listener
	if config.TLS != nil {
		listener = tls.NewListener(listener, a.offering(config.TLS))
	}
	answers := newAnswers(config)
	made, err := a.own.Serve(ServeConfig{
		Listener: listener, Handle: answers.handle, HandleStream: answers.handleStream,
		MaxMessageBytes: config.Limits.Request(stack.EncodedBytesMax) + headBytesMax,
		MaxStreams:      config.Limits.Streams,
		HeaderTimeout:   config.Limits.HeaderTimeout,
		Options:         config.Options,
	})
	if err != nil {
		return nil, inside(err)
	}
	return &server{Server: made}, nil
}

// A server is stopped once.
type server struct {
	Server
	once sync.Once
	err  error
}

// Stop implements stack.Server.
func (s *server) Stop(ctx context.Context) error {
	s.once.Do(func() { s.err = s.Server.Stop(ctx) })
	return s.err
}

// Dial implements stack.Stack.
func (a adapter) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	if err := a.Info().CheckDial(config); err != nil {
		return nil, err
	}
	c := &conn{info: a.Info(), inFlight: config.InFlight}
	links := config.InFlight
	if a.own.Multiplexed {
		links = 1
	}
	for range links {
		c.links = append(c.links, a.link(config))
	}
	if err := c.links[0].prepare(ctx); err != nil { // the others dial before their first calls
		_ = c.Close() // the error is the dial's
		return nil, stack.Failure(ctx, stack.CodeOf(err), err)
	}
	return c, nil
}

func (a adapter) link(config stack.DialConfig) *link {
	l := &link{multiplexed: a.own.Multiplexed, turn: make(chan struct{}, 1)}
	l.dial = func(ctx context.Context) (Conn, error) {
		return a.own.Dial(ctx, DialConfig{
			Address: config.Address, MaxMessageBytes: config.ReplyBytes(), Compression: compression(config),
			Options: config.Options,
			Dial: func(ctx context.Context) (net.Conn, error) {
				socket, asked, err := a.socket(ctx, config)
				if err == nil {
					l.keep(socket)
				}
				if asked {
					l.unconfirmed.Store(true)
				}
				return socket, err
			},
		})
	}
	return l
}

// compression is that of a connection, empty for none.
func compression(config stack.DialConfig) string {
	if config.Compression == stack.CompressionNone {
		return ""
	}
	return config.Compression
}

// socket opens a socket, and has it through the handshake. It says whether the server asked for a certificate.
func (a adapter) socket(ctx context.Context, config stack.DialConfig) (opened net.Conn, asked bool, err error) {
	socket, err := config.Dial(ctx, config.Network, config.Address)
	if err != nil || config.TLS == nil {
		return socket, false, err
	}
	secured := tls.Client(socket, stack.NoticeAsked(a.offering(config.TLS), &asked))
	if err := secured.HandshakeContext(ctx); err != nil {
		_ = socket.Close() // the handshake's error is why
		return nil, false, err
	}
	return secured, asked, nil
}

func (a adapter) offering(config *tls.Config) *tls.Config {
	config = config.Clone()
	config.NextProtos = a.own.ALPN
	return config
}

// networks returns all networks but inproc: a deadline of its connections that is taken back may still pass.
func networks() []string {
	return slices.DeleteFunc(stack.Networks(), func(network string) bool { return network == stack.NetworkInproc })
}
