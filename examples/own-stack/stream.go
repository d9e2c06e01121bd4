package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"

	"rpcbench/worker"
)

// A clientStream has the connection to itself until both sides have ended it.
type clientStream struct{ *client }

func (c *client) Stream(context.Context) (worker.ClientStream, error) { return clientStream{c}, nil }

func (c clientStream) Send(message []byte) error {
	return writeFrame(c.socket, frame{flags: c.flags | streamed, body: message})
}

func (c clientStream) CloseSend() error { return writeFrame(c.socket, frame{flags: streamed | last}) }

func (c clientStream) Recv() ([]byte, error) {
	f, err := readFrame(c.in, c.most)
	var refused *worker.Error
	switch {
	case errors.As(err, &refused):
		refused.Lost = true // the server goes on sending
		return nil, err
	case err != nil:
		return nil, err
	case f.flags&last == 0:
		return f.body, nil
	case f.code == 0:
		return nil, io.EOF
	default:
		return nil, worker.Errorf(f.code, "%s", f.body)
	}
}

// A serverStream begins with a frame that has been read.
type serverStream struct {
	socket net.Conn
	in     *bufio.Reader
	most   int
	next   *frame
	err    error // of next
	flags  byte  // of what is sent
	ended  bool  // the client has sent all
}

func (s *serverStream) Recv() ([]byte, error) {
	if s.ended {
		return nil, io.EOF
	}
	f, err := s.next, s.err
	if s.next = nil; f == nil {
		var read frame
		read, err = readFrame(s.in, s.most)
		f = &read
	}
	if err != nil {
		return nil, err
	}
	if s.ended = f.flags&last != 0; s.ended {
		return nil, io.EOF
	}
	return f.body, nil
}

func (s *serverStream) Send(message []byte) error {
	return writeFrame(s.socket, frame{flags: s.flags, body: message})
}

// answerStream answers a stream, and then reads what the client still sends. It fails where the client is gone.
func (s *server) answerStream(socket net.Conn, in *bufio.Reader, first frame, err error) error {
	stream := &serverStream{
		socket: socket, in: in, most: s.config.MaxMessageBytes, next: &first, err: err, flags: first.flags,
	}
	end := frame{flags: streamed | last}
	var refused *worker.Error
	if errors.As(s.config.HandleStream(socket, stream), &refused) {
		end.code, end.body = refused.Code, []byte(refused.Message)
	}
	if err := writeFrame(socket, end); err != nil {
		return err
	}
	for {
		_, err := stream.Recv()
		switch {
		case err == io.EOF:
			return nil
		case err != nil && !errors.As(err, &refused):
			return err
		}
	}
}
