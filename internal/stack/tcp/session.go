package tcp

import (
	"bufio"
	"errors"
	"net"
	"sync/atomic"

	"rpcbench/internal/stack"
)

// bufferBytes is the size of read and write buffers. Larger frames pass them by.
const bufferBytes = 64 << 10

// A session answers the requests of one socket.
type session struct {
	server *server
	socket net.Conn
	reader *bufio.Reader
	writer *bufio.Writer
	busy   atomic.Bool // from a call's first request to its last reply
	frame  []byte      // the request: header and payload, so that an echo goes out in one write
	other  []byte      // the last reply of another size than its request
}

func newSession(s *server, socket net.Conn) *session {
	return &session{
		server: s,
		socket: socket,
		reader: bufio.NewReaderSize(socket, bufferBytes),
		writer: bufio.NewWriterSize(socket, bufferBytes),
		frame:  make([]byte, headerBytes, 4096),
	}
}

func (s *session) run() {
	defer s.socket.Close()
	for {
		if err := s.answer(); err != nil {
			s.refuse(err)
			return
		}
		if !s.busy.Load() && s.server.isStopping() {
			return
		}
	}
}

// answer reads one request and sends its replies.
func (s *session) answer() error {
	if _, err := s.reader.Peek(1); err != nil {
		return err
	}
	s.busy.Store(true)
	request, err := s.read()
	if err != nil {
		return err
	}
	if request.tag != 0 {
		return stack.Errorf(stack.Unimplemented, "a request of kind %d, there is only kind 0", request.tag)
	}
	reply := s.reply(request)
	for range request.replies {
		if _, err := s.writer.Write(reply); err != nil {
			return err
		}
	}
	if s.reader.Buffered() > 0 {
		return nil
	}
	if err := s.writer.Flush(); err != nil {
		return err
	}
	s.busy.Store(request.replies == 0) // then more of an upload is to come
	return nil
}

// read reads a request into s.frame.
func (s *session) read() (header, error) {
	request, err := readHeader(s.reader, s.frame[:headerBytes])
	if err != nil {
		return request, err
	}
	if n := headerBytes + int(request.length); cap(s.frame) < n {
		s.frame = make([]byte, n)
	} else {
		s.frame = s.frame[:n]
	}
	_, err = readPayload(s.reader, request.length, s.frame[headerBytes:])
	return request, err
}

// reply returns the frame that answers request: the request's own, with another header, where the sizes match.
func (s *session) reply(request header) []byte {
	size := int(request.replyBytes)
	if size == int(request.length) {
		header{length: request.length}.put(s.frame)
		return s.frame
	}
	if s.other == nil || len(s.other) != headerBytes+size {
		s.other = newFrame(header{}, s.server.config.Reply(size))
	}
	return s.other
}

// refuse tells the client why the session ends, if the reason is the client's doing.
func (s *session) refuse(err error) {
	var failed *stack.Error
	if !errors.As(err, &failed) {
		return
	}
	if _, err := s.writer.Write(newFrame(header{tag: uint8(failed.Code)}, []byte(failed.Err.Error()))); err != nil {
		return
	}
	s.writer.Flush() // a client that is gone already can't be told
}
