package tcp

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"rpcbench/internal/stack"
)

// bufferBytes is the size of read and write buffers. Larger frames pass them by.
const bufferBytes = 64 << 10

// A session answers the requests of one socket.
type session struct {
	server   *server
	socket   net.Conn
	reader   *bufio.Reader
	writer   *bufio.Writer
	busy     atomic.Bool          // from a call's first request to its last reply
	frame    []byte               // the request: header and payload, so that an echo goes out in one write
	state    *tls.ConnectionState // nil until somebody asks who calls
	other    []byte               // the last reply of another size than its request
	shape    header               // of the request that it answered
	accessed []byte               // the last reply to accesses
	failed   error                // of accesses that asked for no prompt reply; the next prompt one gets it
	held     []byte               // replies that wait for a prompt request
	timed    bool                 // until the first header has come
	aside    chan error           // how the replies ended that go out beside what is read; nil where none do
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
	defer func() {
		s.socket.Close()
		_ = s.join() // of a client that is gone
	}()
	defer s.release()
	if patience := s.server.config.Limits.HeaderTimeout; patience > 0 {
		_ = s.socket.SetReadDeadline(time.Now().Add(patience)) // a socket that is closed says so when it is read
		s.timed = true
	}
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
	if _, err := s.reader.Peek(1); err != nil { // behind the handshake, where there is TLS
		return err
	}
	s.busy.Store(true)
	request, err := readHeader(s.reader, s.frame[:headerBytes])
	if err != nil {
		return err
	}
	if s.timed {
		_ = s.socket.SetReadDeadline(time.Time{}) // as above
		s.timed = false
	}
	refused := s.check(request)
	if refused == nil {
		refused = s.authorize()
	}
	if refused != nil {
		err = s.skip(request, refused)
	} else {
		err = s.serve(request)
	}
	if err != nil || s.reader.Buffered() > 0 || s.aside != nil {
		return err
	}
	if err := s.writer.Flush(); err != nil {
		return err
	}
	s.busy.Store(request.replies == 0 || request.tag != kindPrompt) // then more of the call is to come
	return nil
}

// check reports whether a request is within the server's limits, and its reply.
func (s *session) check(request header) error {
	limits := s.server.config.Limits
	if most := limits.Request(stack.MessageBytesMax); int64(request.length) > int64(most) {
		return stack.Errorf(stack.ResourceExhausted, "a frame of %d bytes, %d at most", request.length, most)
	}
	if err := limits.CheckOperations(int(request.operations)); err != nil {
		return err
	}
	return limits.CheckResponse("the reply's size", 0, int64(request.replyBytes))
}

// authorize asks whether the client may call.
func (s *session) authorize() error {
	if s.server.config.Authorize == nil {
		return nil
	}
	if s.state == nil {
		state := tls.ConnectionState{}
		if secure, ok := s.socket.(*tls.Conn); ok {
			state = secure.ConnectionState()
		}
		s.state = &state // kept: the library puts it together anew every time
	}
	return s.server.config.Authorize(*s.state)
}

// skip leaves a request unread that is refused. One that asks for prompt replies gets the status instead, once, and the
// session goes on.
func (s *session) skip(request header, refused error) error {
	if _, err := s.reader.Discard(int(request.length)); err != nil {
		return err
	}
	if request.replies == 0 || request.tag != kindPrompt {
		return nil
	}
	return s.status(refused)
}

// status sends an error in place of replies.
func (s *session) status(refused error) error {
	if err := s.join(); err != nil {
		return err
	}
	status := header{tag: uint8(stack.CodeOf(refused))}
	_, err := s.writer.Write(newFrame(status, []byte(stack.Reason(refused))))
	return err
}

// serveStored does the accesses of a request and sends its replies. After accesses that can't be done the session goes on.
func (s *session) serveStored(request header) error {
	reply, err := s.access(request)
	if s.failed == nil {
		s.failed = err
	}
	switch isPrompt := request.tag == kindPrompt && request.replies > 0; {
	case s.failed == nil:
		return s.send(request, reply)
	case isPrompt:
		err := s.status(s.failed)
		s.failed = nil
		s.release()
		return err
	default:
		return nil
	}
}

// serve reads the rest of a request and sends its replies, or holds them back.
func (s *session) serve(request header) error {
	if err := s.read(request); err != nil {
		return err
	}
	if request.tag > kindAside {
		return stack.Errorf(stack.Unimplemented, "a request of unknown kind %d", request.tag)
	}
	if request.stored {
		return s.serveStored(request)
	}
	if err := request.checkOperations(request.replyBytes); err != nil {
		return err
	}
	if request.tag == kindPrompt && request.replies == 0 && len(s.held) == 0 {
		return nil
	}
	return s.send(request, s.reply(request))
}

// send sends the replies to a request, or holds them back.
func (s *session) send(request header, reply []byte) error {
	if request.tag == kindHeld {
		return s.hold(reply, request.replies)
	}
	if err := s.join(); err != nil {
		return err
	}
	if request.tag == kindAside {
		s.sendAside(bytes.Clone(reply), request.replies)
		return nil
	}
	if _, err := s.writer.Write(s.held); err != nil {
		return err
	}
	s.release()
	for range request.replies {
		if _, err := s.writer.Write(reply); err != nil {
			return err
		}
	}
	return nil
}

// sendAside sends a reply that many times in a second goroutine, which owns the writer until join returns.
func (s *session) sendAside(reply []byte, times uint32) {
	ended := make(chan error, 1)
	s.aside = ended
	go func() {
		for range times {
			if _, err := s.writer.Write(reply); err != nil {
				ended <- err
				return
			}
		}
		ended <- s.writer.Flush()
	}()
}

// join waits until the replies that go out aside are sent.
func (s *session) join() error {
	if s.aside == nil {
		return nil
	}
	err := <-s.aside
	s.aside = nil
	return err
}

// heldBytesMax is the size of the replies to the longest burst.
const heldBytesMax = stack.MessageBytesMax + stack.BurstMax*headerBytes

// hold keeps replies until a prompt request comes.
func (s *session) hold(reply []byte, times uint32) error {
	more := int64(times) * int64(len(reply))
	if int64(len(s.held))+more > heldBytesMax {
		return stack.Errorf(stack.ResourceExhausted, "the replies held back have more than %d bytes", heldBytesMax)
	}
	if err := s.server.from.Hold(int(more)); err != nil {
		return err
	}
	for range times {
		s.held = append(s.held, reply...)
	}
	return nil
}

// release drops the replies that are held.
func (s *session) release() {
	s.server.from.Release(len(s.held))
	s.held = s.held[:0]
}

// read reads the payload of a request behind its header in s.frame.
func (s *session) read(request header) (err error) {
	s.frame, err = readPayload(s.reader, request.length, s.frame[:headerBytes])
	return err
}

// reply returns the frame that answers request: the request's own, with another header, where the sizes match.
func (s *session) reply(request header) []byte {
	if request.replyBytes == request.length {
		header{length: request.length, operations: request.operations}.put(s.frame)
		return s.frame
	}
	if s.other == nil || s.shape.replyBytes != request.replyBytes || s.shape.operations != request.operations {
		s.other, s.shape = s.newReply(request), request
	}
	copyIDs(s.other, s.frame, int(request.operations))
	return s.other
}

// newReply makes a reply whose payload, or each answer's, is the server's; answers have no ids yet.
func (s *session) newReply(request header) []byte {
	n, size := int(request.operations), int(request.replyBytes)
	if n > 0 {
		size = size/n - stack.OperationIDBytes
	}
	return newFrame(header{operations: request.operations}, newOperations(n, s.server.from.Payload(nil, size)))
}

// refuse tells the client why the session ends, if the client is the reason.
func (s *session) refuse(err error) {
	var failed *stack.Error
	if !errors.As(err, &failed) || s.aside != nil { // a client that still gets replies sees the end alone
		return
	}
	if _, err := s.writer.Write(newFrame(header{tag: uint8(failed.Code)}, []byte(failed.Err.Error()))); err != nil {
		return
	}
	_ = s.writer.Flush() // a client that is gone already can't be told
}
