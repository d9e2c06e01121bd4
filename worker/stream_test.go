package worker

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"testing"

	"rpcbench/internal/stack"
)

// Frames of lines' streams beside calls, whose first byte is a Code.
const (
	streamMessage Code = 64  // of either side
	streamEnd     Code = 128 // with the Code of a server
)

// A lineStream is a client's.
type lineStream struct{ *lineClient }

func (c *lineClient) Stream(context.Context) (ClientStream, error) { return lineStream{c}, nil }

func (s lineStream) Send(message []byte) error { return writeLine(s, streamMessage, message) }

func (s lineStream) CloseSend() error { return writeLine(s, streamEnd, nil) }

func (s lineStream) Recv() ([]byte, error) {
	code, body, err := readLine(s.in, s.most)
	switch {
	case err != nil:
		return nil, lost(err)
	case code == streamMessage:
		return body, nil
	case code == streamEnd:
		return nil, io.EOF
	default:
		return nil, Errorf(code-streamEnd, "%s", body)
	}
}

// lost makes an error of a stream of one of its connection.
func lost(err error) error {
	if refused, ok := errors.AsType[*Error](err); ok {
		refused.Lost = true
	}
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A servedLine is a server's stream, of which a message or the error instead of it has been read.
type servedLine struct {
	socket net.Conn
	in     *bufio.Reader
	most   int
	first  []byte
	err    error
	begun  bool
	ended  bool
}

func (s *servedLine) Send(message []byte) error { return writeLine(s.socket, streamMessage, message) }

func (s *servedLine) Recv() ([]byte, error) {
	if !s.begun {
		s.begun = true
		return s.first, s.err
	}
	if s.ended {
		return nil, io.EOF
	}
	code, body, err := readLine(s.in, s.most)
	if err != nil && errors.Is(err, io.EOF) {
		return nil, io.ErrUnexpectedEOF
	}
	if err == nil && code == streamEnd {
		s.ended = true
		return nil, io.EOF
	}
	return body, err
}

// answerStream answers a stream and reads what the client still sends.
func (s *servedLine) answerStream(config ServeConfig) error {
	code, body := streamEnd, []byte(nil)
	if refused, ok := errors.AsType[*Error](config.HandleStream(s.socket, s)); ok {
		code, body = streamEnd+refused.Code, []byte(refused.Message)
	}
	if err := writeLine(s.socket, code, body); err != nil {
		return err
	}
	for {
		_, err := s.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if _, refused := errors.AsType[*Error](err); err != nil && !refused {
			return err
		}
	}
}

// A stream over HTTP has the messages of both sides in the bodies, and how it ended in a trailer.
type httpStream struct {
	response *http.Response
	in       *bufio.Reader
	out      *io.PipeWriter
	most     int
}

func (c httpClient) Stream(ctx context.Context) (ClientStream, error) {
	body, out := io.Pipe()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://own/stream", body)
	if err != nil {
		return nil, err
	}
	response, err := c.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { // net/http looks at ctx only once it has sent the whole body
		_ = out.CloseWithError(ctx.Err()) // it never fails
		_ = response.Body.Close()         // nobody reads on
	})
	return httpStream{response, bufio.NewReader(response.Body), out, int(c.most)}, nil
}

func (s httpStream) Send(message []byte) error {
	err := writeLine(s.out, 0, message)
	if errors.Is(err, io.ErrClosedPipe) {
		return io.EOF
	}
	return err
}

func (s httpStream) CloseSend() error { return s.out.Close() }

func (s httpStream) Recv() ([]byte, error) {
	_, message, err := readLine(s.in, s.most)
	if err == nil {
		return message, nil
	}
	if _, refused := errors.AsType[*Error](err); refused || !errors.Is(err, io.EOF) {
		return nil, err
	}
	code, err := strconv.Atoi(s.response.Trailer.Get("Code"))
	switch {
	case err != nil:
		return nil, io.ErrUnexpectedEOF
	case code == 0:
		return nil, io.EOF
	default:
		return nil, Errorf(Code(code), "%s", s.response.Trailer.Get("Reason"))
	}
}

// A servedHTTP is a server's stream.
type servedHTTP struct {
	in   *bufio.Reader
	out  http.ResponseWriter
	most int
}

func (s servedHTTP) Send(message []byte) error {
	if err := writeLine(s.out, 0, message); err != nil {
		return err
	}
	return http.NewResponseController(s.out).Flush()
}

func (s servedHTTP) Recv() ([]byte, error) {
	_, message, err := readLine(s.in, s.most)
	return message, err
}

func answerHTTPStream(config ServeConfig, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Trailer", "Code, Reason")
	w.WriteHeader(http.StatusOK)
	if http.NewResponseController(w).Flush() != nil {
		return
	}
	from, _ := r.Context().Value(socketKey{}).(net.Conn)
	code, reason := Code(0), ""
	stream := servedHTTP{bufio.NewReader(r.Body), w, config.MaxMessageBytes}
	if refused, ok := errors.AsType[*Error](config.HandleStream(from, stream)); ok {
		code, reason = refused.Code, refused.Message
	}
	w.Header().Set("Code", strconv.Itoa(int(code)))
	w.Header().Set("Reason", reason)
}

// A tape is a server's stream of these messages.
type tape struct {
	in  [][]byte
	out [][]byte
}

func (t *tape) Send(message []byte) error {
	t.out = append(t.out, append([]byte(nil), message...))
	return nil
}

func (t *tape) Recv() ([]byte, error) {
	if len(t.in) == 0 {
		return nil, io.EOF
	}
	first := t.in[0]
	t.in = t.in[1:]
	return first, nil
}

func TestAStreamThatBeginsWrongIsRefused(t *testing.T) {
	t.Parallel()
	a := newAnswers(stack.ServeConfig{Reply: func(n int) []byte { return make([]byte, n) }})
	for name, c := range map[string]struct {
		messages [][]byte
		want     string
	}{
		"nothing":          {nil, "the stream has no message"},
		"empty":            {[][]byte{{}}, "the stream's first message has 0 bytes, and no head"},
		"unending number":  {[][]byte{{singles, each, 0x80}}, "the stream's first message has no number"},
		"unknown content":  {[][]byte{{9, each, 0}}, "the stream begins with 9"},
		"unknown answers":  {[][]byte{{singles, 9, 0}}, "the stream asks for 9, which is unknown"},
		"not protobuf":     {[][]byte{{singles, each, 0, 0xff}}, "decode the request: "},
		"too large number": {[][]byte{binary.AppendUvarint([]byte{singles, each}, stack.BurstMax+1)}, "metadata rpcbench-burst is"},
	} {
		stream := &tape{in: c.messages}
		refused, ok := errors.AsType[*Error](a.handleStream(nil, stream))
		if !ok || refused.Code != InvalidArgument || len(refused.Message) < len(c.want) || refused.Message[:len(c.want)] != c.want {
			t.Errorf("%s: got %v, want %s", name, refused, c.want)
		}
		if len(stream.out) > 0 {
			t.Errorf("%s: %d answers were sent", name, len(stream.out))
		}
	}
}

func TestTheHeadOfAStreamSaysWhatIsAnswered(t *testing.T) {
	t.Parallel()
	a := newAnswers(stack.ServeConfig{Reply: func(n int) []byte { return make([]byte, n) }})
	for _, c := range []struct {
		answers, number byte
		more, want      int
	}{{each, 0, 2, 3}, {each, 2, 2, 2}, {last, 0, 2, 1}, {many, 5, 0, 5}} {
		stream := &tape{in: [][]byte{{singles, c.answers, c.number}}}
		for range c.more {
			stream.in = append(stream.in, nil)
		}
		if err := a.handleStream(nil, stream); err != nil || len(stream.out) != c.want {
			t.Errorf("%d by %d: %d answers, %v, want %d", c.answers, c.number, len(stream.out), err, c.want)
		}
	}
}

// A plain Conn has no streams.
type plain struct{}

func (plain) Call(context.Context, []byte) ([]byte, error) { return nil, io.EOF }

func (plain) Close() error { return nil }

func TestAConnWithoutStreamsIsNamed(t *testing.T) {
	t.Parallel()
	s := lines()
	s.Dial = func(context.Context, DialConfig) (Conn, error) { return plain{}, nil }
	made, err := adapt([]Stack{s})
	if err != nil {
		t.Fatal(err)
	}
	config := stack.DialConfig{Network: stack.NetworkTCP, Compression: stack.CompressionNone, InFlight: 1}
	conn, err := made[0].Dial(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	caller, err := conn.Caller(stack.Call{Kind: stack.KindUpload, Messages: 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := "the stack has Streams, and its worker.plain has no method Stream"
	if err := caller.Call(t.Context()); stack.CodeOf(err) != stack.Unimplemented || stack.Reason(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
