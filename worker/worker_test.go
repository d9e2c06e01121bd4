package worker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/stacktest"
)

// lines is a stack with one call at a time on a connection: messages after their lengths.
func lines() Stack {
	return Stack{
		Name: "lines", Streams: true,
		Serve: func(config ServeConfig) (Server, error) {
			return serveEach(config.Listener, func(socket net.Conn) { answerLines(config, socket) }), nil
		},
		Dial: func(ctx context.Context, config DialConfig) (Conn, error) {
			socket, err := config.Dial(ctx)
			if err != nil {
				return nil, err
			}
			return &lineClient{socket, bufio.NewReader(socket), config.MaxMessageBytes}, nil
		},
	}
}

func writeLine(w io.Writer, code Code, body []byte) error {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	_, err := w.Write(append(append(head, byte(code)), body...))
	return err
}

func readLine(r io.Reader, most int) (Code, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	length := int(binary.BigEndian.Uint32(head[:]))
	if length > 1<<30 {
		return 0, nil, errors.New("this is another protocol")
	}
	if length > most {
		if _, err := io.CopyN(io.Discard, r, int64(length)); err != nil {
			return 0, nil, err
		}
		return Code(head[4]), nil, Errorf(ResourceExhausted, "%d bytes, %d at most", length, most)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return Code(head[4]), body, err
}

type lineClient struct {
	net.Conn
	in   *bufio.Reader
	most int
}

func (c *lineClient) Call(_ context.Context, message []byte) ([]byte, error) {
	if err := writeLine(c, 0, message); err != nil {
		return nil, err
	}
	code, reply, err := readLine(c.in, c.most)
	if err == nil && code != 0 {
		return nil, Errorf(code, "%s", reply)
	}
	return reply, err
}

func answerLines(config ServeConfig, socket net.Conn) {
	in := bufio.NewReader(socket)
	if config.HeaderTimeout > 0 {
		_ = socket.SetReadDeadline(time.Now().Add(config.HeaderTimeout))
		if _, err := in.Peek(1); err != nil {
			return
		}
		_ = socket.SetReadDeadline(time.Time{})
	}
	for {
		code, message, err := readLine(in, config.MaxMessageBytes)
		if code == streamMessage {
			stream := &servedLine{socket: socket, in: in, most: config.MaxMessageBytes, first: message, err: err}
			if stream.answerStream(config) != nil {
				return
			}
			continue
		}
		var reply []byte
		if err == nil {
			reply, err = config.Handle(socket, message)
		}
		refused, ok := errors.AsType[*Error](err)
		switch {
		case ok:
			err = writeLine(socket, refused.Code, []byte(refused.Message))
		case err == nil:
			err = writeLine(socket, 0, reply)
		}
		if err != nil {
			return
		}
	}
}

// An eachServer serves its connections and closes them when it stops.
type eachServer struct {
	listener net.Listener
	ended    chan struct{}
	running  sync.WaitGroup
}

func serveEach(listener net.Listener, answer func(net.Conn)) *eachServer {
	s := &eachServer{listener: listener, ended: make(chan struct{})}
	s.running.Go(func() {
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			finished := make(chan struct{})
			s.running.Go(func() {
				defer close(finished)
				answer(socket)
			})
			s.running.Go(func() {
				select {
				case <-s.ended:
				case <-finished:
				}
				socket.Close()
			})
		}
	})
	return s
}

func (s *eachServer) Stop(context.Context) error {
	err := s.listener.Close()
	close(s.ended)
	s.running.Wait()
	return err
}

// overHTTP1 is a stack whose client reads between calls, too: HTTP/1.1 by net/http.
func overHTTP1() Stack {
	made := overHTTP()
	made.Name, made.Multiplexed, made.Streams, made.ALPN = "over-http1", false, false, []string{"http/1.1"}
	made.Dial = func(ctx context.Context, config DialConfig) (Conn, error) { return dialHTTP(ctx, config, false) }
	return made
}

// overHTTP is a stack whose calls share a connection: HTTP/2 by net/http.
func overHTTP() Stack {
	return Stack{
		Name: "over-http", Multiplexed: true, Streams: true, ALPN: []string{"h2"},
		Serve: func(config ServeConfig) (Server, error) {
			protocols := new(http.Protocols)
			protocols.SetHTTP1(true)
			protocols.SetHTTP2(true)
			protocols.SetUnencryptedHTTP2(true)
			mux := http.NewServeMux()
			mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { answerHTTP(config, w, r) })
			mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) { answerHTTPStream(config, w, r) })
			server := &http.Server{
				ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, socketKey{}, c) },
				Protocols:   protocols, ReadHeaderTimeout: config.HeaderTimeout, Handler: mux,
				HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: config.MaxStreams},
				ErrorLog: log.New(io.Discard, "", 0), // of clients that leave
			}
			go func() { _ = server.Serve(config.Listener) }()
			return httpServer{server}, nil
		},
		Dial: func(ctx context.Context, config DialConfig) (Conn, error) { return dialHTTP(ctx, config, true) },
	}
}

// socketKey is where a request's context has its socket.
type socketKey struct{}

func answerHTTP(config ServeConfig, w http.ResponseWriter, r *http.Request) {
	message, err := io.ReadAll(io.LimitReader(r.Body, int64(config.MaxMessageBytes)+1))
	var reply []byte
	if err == nil {
		from, _ := r.Context().Value(socketKey{}).(net.Conn)
		reply, err = config.Handle(from, message)
	}
	if refused, ok := errors.AsType[*Error](err); ok {
		w.Header().Set("Code", strconv.Itoa(int(refused.Code)))
		reply = []byte(refused.Message)
	}
	_, _ = w.Write(reply)
}

type httpServer struct{ *http.Server }

func (s httpServer) Stop(ctx context.Context) error {
	if err := s.Shutdown(ctx); err != nil {
		return s.Close()
	}
	return nil
}

func dialHTTP(ctx context.Context, config DialConfig, isHTTP2 bool) (Conn, error) {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!isHTTP2)
	protocols.SetUnencryptedHTTP2(isHTTP2)
	transport := &http.Transport{
		Protocols: protocols, DisableCompression: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return config.Dial(ctx) },
	}
	open, err := transport.NewClientConn(ctx, "http", "own:80")
	if err != nil {
		return nil, err
	}
	return httpClient{open, int64(config.MaxMessageBytes)}, nil
}

type httpClient struct {
	*http.ClientConn
	most int64
}

func (c httpClient) Call(ctx context.Context, message []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://own/", bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	response, err := c.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(response.Body, c.most+1))
	if code := response.Header.Get("Code"); err == nil && code != "" {
		n, _ := strconv.Atoi(code)
		return nil, Errorf(Code(n), "%s", reply)
	}
	return reply, err
}

func TestAStackOfOnesOwnConforms(t *testing.T) {
	for _, s := range []Stack{lines(), overHTTP1(), overHTTP()} {
		made, err := adapt([]Stack{s})
		if err != nil {
			t.Fatal(err)
		}
		t.Run(s.Name, func(t *testing.T) { stacktest.Run(t, made[0]) })
	}
}

func TestWhatCantBeAStackIsASentence(t *testing.T) {
	t.Parallel()
	good := lines()
	for want, stacks := range map[string][]Stack{
		"there is no stack":                                     {},
		`the stack's name "My RPC" is not made of`:              {{Name: "My RPC", Serve: good.Serve}},
		"two stacks are named lines":                            {good, good},
		"the protocol of x is grpc, which is rpcb":              {{Name: "x", Protocol: "grpc", Serve: good.Serve}},
		"lines has neither Serve nor Dial":                      {{Name: "lines"}},
		`x has the compression "zip", and gzip is the only one`: {{Name: "x", Serve: good.Serve, Compressions: []string{"zip"}}},
		`x has an option named "A b": use lower-case letters`:   {{Name: "x", Serve: good.Serve, Options: []Option{{Name: "A b"}}}},
		"the option a of x is neither the client's nor the":     {{Name: "x", Serve: good.Serve, Options: []Option{{Name: "a"}}}},
		"x has two options named a": {{
			Name: "x", Serve: good.Serve, Options: []Option{{Name: "a", Client: true}, {Name: "a", Server: true}},
		}},
	} {
		if _, err := adapt(stacks); err == nil || !strings.HasPrefix(err.Error(), "worker: "+want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestCodesKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	for code, want := range map[Code]stack.Code{
		InvalidArgument: stack.InvalidArgument, ResourceExhausted: stack.ResourceExhausted, Unavailable: stack.Unavailable,
		Canceled: stack.Canceled, Unknown: stack.Unknown, DeadlineExceeded: stack.DeadlineExceeded,
		PermissionDenied: stack.PermissionDenied, Unimplemented: stack.Unimplemented,
		Internal: stack.Internal, 99: stack.Unknown, 0: stack.Unknown,
	} {
		if got := stack.CodeOf(inside(Errorf(code, "why"))); got != want {
			t.Errorf("%d is %v inside, want %v", code, got, want)
		}
	}
	refused, ok := errors.AsType[*Error](outside(stack.Errorf(stack.ResourceExhausted, "too long")))
	if !ok || refused.Code != ResourceExhausted || refused.Message != "too long" {
		t.Errorf("outside it is %v", refused)
	}
	if got := stack.CodeOf(inside(io.EOF)); got != stack.Unavailable {
		t.Errorf("a lost connection is %v", got)
	}
}

// Options and the compression reach the stack as they were given, and no others are taken.
func TestOptionsReachTheStack(t *testing.T) {
	t.Parallel()
	var served, dialled map[string]string
	var compressed string
	made, err := adapt([]Stack{{
		Name: "x", Compressions: []string{Gzip}, Options: []Option{{Name: "a", Client: true}, {Name: "b", Server: true}},
		Serve: func(c ServeConfig) (Server, error) {
			served = c.Options
			return nil, Errorf(InvalidArgument, "b: it is too large")
		},
		Dial: func(_ context.Context, c DialConfig) (Conn, error) {
			dialled, compressed = c.Options, c.Compression
			return nil, Errorf(InvalidArgument, "a: it is too small")
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	config := stack.ServeConfig{Options: map[string]string{"b": "2"}}
	if _, err := made[0].Serve(config); stack.CodeOf(err) != stack.InvalidArgument || served["b"] != "2" {
		t.Errorf("the server got %v, %v", served, err)
	}
	dial := stack.DialConfig{
		Network: stack.NetworkTCP, InFlight: 1, Compression: stack.CompressionGzip, Options: map[string]string{"a": "1"},
	}
	_, err = made[0].Dial(t.Context(), dial)
	if stack.CodeOf(err) != stack.InvalidArgument || dialled["a"] != "1" || compressed != Gzip {
		t.Errorf("the client got %v and %q, %v", dialled, compressed, err)
	}
	config.Options = map[string]string{"a": "1"}
	if _, err := made[0].Serve(config); stack.CodeOf(err) != stack.InvalidArgument || served["a"] != "" {
		t.Errorf("the client's option: the server got %v, %v", served, err)
	}
}
