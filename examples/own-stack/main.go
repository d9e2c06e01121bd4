// Own-stack is a worker of an RPC stack that rpcbench does not know: messages over a socket, each preceded by its length.
// In place of this protocol, call your own library.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"rpcbench/worker"
)

func main() {
	worker.Main(worker.Stack{Name: "own-stack", Serve: serve, Dial: dial})
}

// A frame is its length, a code, which is 0 for a message and for a good reply, and its bytes.
func writeFrame(w io.Writer, code worker.Code, body []byte) error {
	head := binary.BigEndian.AppendUint32(make([]byte, 0, 5+len(body)), uint32(len(body)))
	_, err := w.Write(append(append(head, byte(code)), body...))
	return err
}

func readFrame(r io.Reader, most int) (worker.Code, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	length := binary.BigEndian.Uint32(head[:])
	if int64(length) > int64(most) {
		return 0, nil, worker.Errorf(worker.ResourceExhausted, "a message has %d bytes, %d at most", length, most)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return worker.Code(head[4]), body, err
}

// A client is a connection with one call at a time.
type client struct {
	socket net.Conn
	in     *bufio.Reader
	most   int
}

func dial(ctx context.Context, config worker.DialConfig) (worker.Conn, error) {
	socket, err := config.Dial(ctx)
	if err != nil {
		return nil, err
	}
	return &client{socket, bufio.NewReader(socket), config.MaxMessageBytes}, nil
}

func (c *client) Call(_ context.Context, message []byte) ([]byte, error) {
	if err := writeFrame(c.socket, 0, message); err != nil {
		return nil, err
	}
	code, reply, err := readFrame(c.in, c.most)
	if err == nil && code != 0 {
		err = worker.Errorf(code, "%s", reply)
	}
	return reply, err
}

func (c *client) Close() error { return c.socket.Close() }

// A server answers the messages of each connection one after the other.
type server struct {
	config worker.ServeConfig
	calls  sync.WaitGroup // connections that are being served
	mu     sync.Mutex
	open   map[net.Conn]bool
	ended  bool
}

func serve(config worker.ServeConfig) (worker.Server, error) {
	s := &server{config: config, open: map[net.Conn]bool{}}
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
	in := bufio.NewReader(socket)
	if s.config.HeaderTimeout > 0 {
		socket.SetReadDeadline(time.Now().Add(s.config.HeaderTimeout))
		if _, err := in.Peek(1); err != nil {
			return // nothing came
		}
		socket.SetReadDeadline(time.Time{})
	}
	for {
		_, message, err := readFrame(in, s.config.MaxMessageBytes)
		if err != nil {
			_ = reply(socket, nil, err)
			return // the client is gone, or sends more than may be read
		}
		answer, err := s.config.Handle(message)
		if reply(socket, answer, err) != nil {
			return
		}
	}
}

// reply sends an answer, or why there is none.
func reply(socket net.Conn, answer []byte, err error) error {
	var refused *worker.Error
	switch {
	case err == nil:
		return writeFrame(socket, 0, answer)
	case errors.As(err, &refused):
		return writeFrame(socket, refused.Code, []byte(refused.Message))
	default:
		return err
	}
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
