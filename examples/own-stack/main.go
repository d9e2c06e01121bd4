// Own-stack is a worker of an RPC stack that rpcbench does not know: messages over a socket, each preceded by its length.
// In place of this protocol, call your own library.
package main

import (
	"bufio"
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"rpcbench/worker"
)

func main() {
	worker.Main(worker.Stack{
		Name: "own-stack", Streams: true, Compressions: []string{worker.Gzip}, Serve: serve, Dial: dial,
		Options: []worker.Option{readBuffer},
	})
}

var readBuffer = worker.Option{
	Name: "read_buffer_bytes", Help: "Size of the buffer that a connection is read through.", Client: true, Server: true,
	Numbers: worker.Range{Min: 16, Max: 1 << 20}, Default: "4096",
}

// A client is a connection with one call or stream at a time.
type client struct {
	socket net.Conn
	in     *bufio.Reader
	most   int
	flags  byte // of what is sent
}

func dial(ctx context.Context, config worker.DialConfig) (worker.Conn, error) {
	socket, err := config.Dial(ctx)
	if err != nil {
		return nil, err
	}
	c := &client{socket: socket, in: bufio.NewReaderSize(socket, readBuffer.Number(config.Options)), most: config.MaxMessageBytes}
	if config.Compression == worker.Gzip {
		c.flags = packed
	}
	return c, nil
}

func (c *client) Call(_ context.Context, message []byte) ([]byte, error) {
	if err := writeFrame(c.socket, frame{flags: c.flags, body: message}); err != nil {
		return nil, err
	}
	reply, err := readFrame(c.in, c.most)
	if err == nil && reply.code != 0 {
		err = worker.Errorf(reply.code, "%s", reply.body)
	}
	return reply.body, err
}

func (c *client) Close() error { return c.socket.Close() }

// A server answers the messages of each connection one after the other.
type server struct {
	config     worker.ServeConfig
	bufferSize int
	calls      sync.WaitGroup // connections that are being served
	mu         sync.Mutex
	open       map[net.Conn]bool
	ended      bool
}

func serve(config worker.ServeConfig) (worker.Server, error) {
	s := &server{config: config, bufferSize: readBuffer.Number(config.Options), open: map[net.Conn]bool{}}
	go func() {
		for {
			socket, err := config.Listener.Accept()
			if err != nil {
				return // the listener is closed
			}
			if s.begin(socket) {
				go s.answer(socket)
			}
		}
	}()
	return s, nil
}

func (s *server) begin(socket net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		socket.Close()
		return false
	}
	s.open[socket] = true
	s.calls.Add(1)
	return true
}

func (s *server) answer(socket net.Conn) {
	defer s.calls.Done()
	defer socket.Close()
	in := bufio.NewReaderSize(socket, s.bufferSize)
	if s.config.HeaderTimeout > 0 {
		socket.SetReadDeadline(time.Now().Add(s.config.HeaderTimeout))
		if _, err := in.Peek(1); err != nil {
			return // nothing came
		}
		socket.SetReadDeadline(time.Time{})
	}
	for {
		asked, err := readFrame(in, s.config.MaxMessageBytes)
		if asked.flags&streamed != 0 {
			err = s.answerStream(socket, in, asked, err)
		} else {
			err = s.answerCall(socket, asked, err)
		}
		if err != nil {
			return
		}
	}
}

// answerCall sends a reply, compressed where the message was, or why there is none. It fails where the client is gone.
func (s *server) answerCall(socket net.Conn, asked frame, err error) error {
	reply := frame{flags: asked.flags}
	if err == nil {
		reply.body, err = s.config.Handle(socket, asked.body)
	}
	var refused *worker.Error
	if errors.As(err, &refused) {
		return writeFrame(socket, frame{code: refused.Code, body: []byte(refused.Message)})
	}
	if err != nil {
		return err
	}
	return writeFrame(socket, reply)
}

// Stop closes the connections: this protocol can't say that no more calls are welcome.
func (s *server) Stop(context.Context) error {
	err := s.config.Listener.Close()
	s.mu.Lock()
	s.ended = true
	for socket := range s.open {
		socket.Close()
	}
	s.mu.Unlock()
	s.calls.Wait()
	return err
}
