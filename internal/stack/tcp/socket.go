package tcp

import (
	"bufio"
	"context"
	"net"
	"sync"
	"time"

	"rpcbench/internal/stack"
)

// past is a deadline that interrupts all that waits at a socket.
var past = time.Unix(1, 0)

// A socket is a connection that opens when it is needed, and again after it has broken. The Callers of a slot have one
// together: the mutex lets one call at a time through.
type socket struct {
	sync.Mutex
	conn   *conn
	net    net.Conn // nil before the first call and after a failed one
	reader *bufio.Reader
	writer *bufio.Writer
	header [headerBytes]byte // of the reply that is being read
	ctx    context.Context   // whose end interrupts the socket
	stop   func() bool       // ends following ctx
}

// ready opens the socket where it is not open, and has ctx interrupt it. It costs nothing while ctx stays the same.
func (s *socket) ready(ctx context.Context) error {
	if s.net != nil && ctx == s.ctx {
		return nil
	}
	if s.net != nil && !s.stop() { // the old context has ended, and may be interrupting the socket now
		s.drop()
	}
	if s.net == nil {
		opened, err := s.conn.take(ctx)
		if err != nil {
			return err
		}
		s.net = opened
		s.reader = bufio.NewReaderSize(opened, bufferBytes)
		s.writer = bufio.NewWriterSize(opened, bufferBytes)
	}
	open := s.net
	s.ctx = ctx
	s.stop = context.AfterFunc(ctx, func() { open.SetDeadline(past) })
	return nil
}

// ended returns the error of a failed call and closes the socket, because what it would carry next is unknown. After a denied
// call it stays open.
func (s *socket) ended(ctx context.Context, err error) error {
	if stack.CodeOf(err) != stack.PermissionDenied {
		s.drop()
	}
	return stack.Failure(ctx, stack.NetCode(err), err)
}

func (s *socket) drop() {
	if s.net == nil {
		return
	}
	s.stop()
	s.conn.drop(s.net)
	s.net = nil
}

// interrupt ends all that waits at the socket.
func (s *socket) interrupt() { s.net.SetDeadline(past) }

// send sends a frame; with more it may wait for the next.
func (s *socket) send(frame []byte, more bool) error {
	if _, err := s.writer.Write(frame); err != nil || more {
		return err
	}
	return s.writer.Flush()
}

// receive reads a reply into the memory of buffer, which grows where it must.
func (s *socket) receive(buffer stack.Reply) (stack.Reply, error) {
	head, err := readHeader(s.reader, s.header[:])
	if err != nil {
		return stack.Reply{}, err
	}
	memory := buffer.Payload
	batch, _ := buffer.Answers.(*answers)
	if batch != nil {
		memory = batch.payload
	}
	payload, err := readPayload(s.reader, head.length, memory[:0])
	switch {
	case err != nil:
		return stack.Reply{}, err
	case head.tag != uint8(stack.OK):
		return stack.Reply{}, refusal(head, payload)
	case head.operations == 0:
		return stack.Reply{Payload: payload}, nil
	}
	if batch == nil {
		batch = new(answers)
	}
	return stack.Reply{Answers: batch}, batch.set(head, payload)
}

// refusal returns the error in a reply with a status.
func refusal(reply header, reason []byte) error {
	return stack.Errorf(stack.Code(reply.tag), "the server refused: %s", reason)
}
