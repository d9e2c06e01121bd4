package wire_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
)

// A crime is what a server does to a call, and what becomes of it.
type crime struct {
	what   string
	commit func(s *server, id uint32)
	code   stack.Code
	says   string
	lost   bool // the connection ends
}

const raw = http2.FrameType(0) // DATA, for frames of which the type matters not

func word(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

var crimes = []crime{
	// Frames.
	{"a frame too large", func(s *server, id uint32) {
		s.WriteRawFrame(raw, 0, id, make([]byte, 16385))
	}, stack.Internal, "a frame of 16385 bytes, 16384 at most", true},
	{"half a frame, then nothing", func(s *server, id uint32) {
		s.socket.Write([]byte{0, 0, 8, 0, 0, 0, 0, 0, byte(id), 1, 2})
		s.socket.Close()
	}, stack.Unavailable, "the server closed the connection", true},
	{"an unknown frame is ignored", func(s *server, id uint32) {
		s.WriteRawFrame(0xbb, 0xff, id, []byte("what"))
		s.WriteRawFrame(0xbb, 0xff, 0, nil)
		s.good(id)
	}, stack.OK, "", false},
	{"padding is taken off", func(s *server, id uint32) {
		s.WriteHeaders(http2.HeadersFrameParam{
			StreamID: id, BlockFragment: s.encode(":status", "200", "content-type", "application/grpc+proto"), EndHeaders: true,
			PadLength: 200, Priority: http2.PriorityParam{StreamDep: 0, Weight: 7},
		})
		s.WriteDataPadded(id, false, framed("pong"), make([]byte, 255))
		s.status(id, "0")
	}, stack.OK, "", false},
	{"padding too long", func(s *server, id uint32) {
		s.head(id)
		s.WriteRawFrame(http2.FrameData, http2.FlagDataPadded, id, []byte{9, 1, 2})
	}, stack.Internal, "padding of 9 bytes in a frame on stream", true},
	{"padding without its length", func(s *server, id uint32) {
		s.WriteRawFrame(http2.FrameHeaders, http2.FlagHeadersPadded|http2.FlagHeadersEndHeaders, id, nil)
	}, stack.Internal, "a padded frame on stream", true},
	{"half a priority", func(s *server, id uint32) {
		s.WriteRawFrame(http2.FrameHeaders, http2.FlagHeadersPriority|http2.FlagHeadersEndHeaders, id, []byte{1, 2})
	}, stack.Internal, "half a priority", true},

	// Streams.
	{"DATA on no stream", func(s *server, _ uint32) { s.WriteRawFrame(http2.FrameData, 0, 0, []byte("x")) },
		stack.Internal, "DATA on no stream", true},
	{"DATA on an idle stream", func(s *server, id uint32) { s.WriteRawFrame(http2.FrameData, 0, id+100, []byte("x")) },
		stack.Internal, "which is idle", true},
	{"HEADERS on an idle stream", func(s *server, id uint32) { s.head(id + 100) }, stack.Internal, "which is idle", true},
	{"HEADERS on a server's stream", func(s *server, _ uint32) { s.head(2) },
		stack.Internal, "which only a server could open", true},
	{"RST_STREAM on an idle stream", func(s *server, id uint32) { s.WriteRSTStream(id+100, 0) },
		stack.Internal, "RST_STREAM on stream", true},
	{"RST_STREAM on no stream", func(s *server, _ uint32) { s.WriteRSTStream(0, 0) },
		stack.Internal, "RST_STREAM on no stream", true},
	{"RST_STREAM of another length", func(s *server, id uint32) {
		s.WriteRawFrame(http2.FrameRSTStream, 0, id, []byte{1, 2, 3})
	}, stack.Internal, "RST_STREAM of 3 bytes", true},
	{"WINDOW_UPDATE on an idle stream", func(s *server, id uint32) { s.WriteWindowUpdate(id+100, 1) },
		stack.Internal, "WINDOW_UPDATE on stream", true},
	{"PRIORITY on no stream", func(s *server, _ uint32) { s.WriteRawFrame(http2.FramePriority, 0, 0, make([]byte, 5)) },
		stack.Internal, "PRIORITY on no stream", true},
	{"PRIORITY of another length", func(s *server, id uint32) { s.WriteRawFrame(http2.FramePriority, 0, id, make([]byte, 4)) },
		stack.Internal, "a PRIORITY whose length", false},
	{"PRIORITY of an idle stream is ignored", func(s *server, id uint32) {
		s.WriteRawFrame(http2.FramePriority, 0, id+100, make([]byte, 5))
		s.good(id)
	}, stack.OK, "", false},
	{"PUSH_PROMISE", func(s *server, id uint32) {
		s.WritePushPromise(http2.PushPromiseParam{StreamID: id, PromiseID: 2, BlockFragment: s.encode(":path", "/"), EndHeaders: true})
	}, stack.Internal, "PUSH_PROMISE, which was refused", true},

	// Header blocks.
	{"CONTINUATION is joined", func(s *server, id uint32) {
		block := s.encode(":status", "200", "content-type", "application/grpc")
		s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block[:2]})
		s.WriteContinuation(id, false, nil)
		s.WriteContinuation(id, true, block[2:])
		s.WriteData(id, false, framed("pong"))
		s.status(id, "0")
	}, stack.OK, "", false},
	{"a frame within a header block", func(s *server, id uint32) {
		s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: s.encode(":status", "200")[:1]})
		s.WritePing(false, [8]byte{})
	}, stack.Internal, "within the header block of stream", true},
	{"CONTINUATION of another stream", func(s *server, id uint32) {
		s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: s.encode(":status", "200")[:1]})
		s.WriteContinuation(id+2, true, nil)
	}, stack.Internal, "within the header block of stream", true},
	{"CONTINUATION of nothing", func(s *server, id uint32) { s.WriteContinuation(id, true, nil) },
		stack.Internal, "where no header block had begun", true},
	{"a header block without end", func(s *server, id uint32) {
		s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: nil})
		for range 1000 {
			s.WriteContinuation(id, false, nil)
		}
	}, stack.Internal, "a header block of more than", true},
	{"a header block that grows a thousandfold", func(s *server, id uint32) {
		block := append(s.encode(":status", "200", "a", strings.Repeat("v", 4000)), bytes.Repeat([]byte{0xbe}, 1000)...)
		s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block, EndHeaders: true})
	}, stack.Internal, "a header of more than 1048576 bytes", true},
	{"a header block that is rubbish", func(s *server, id uint32) {
		s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte{0xff, 0xff, 0xff, 0xff}, EndHeaders: true})
	}, stack.Internal, "a header block that can't be decoded", true},
	{"an index that is in no table", func(s *server, id uint32) {
		s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte{0xbe}, EndHeaders: true})
	}, stack.Internal, "a header block that can't be decoded", true},
	{"a table larger than allowed", func(s *server, id uint32) {
		s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte{0x3f, 0xe1, 0xff, 0x03}, EndHeaders: true})
	}, stack.Internal, "a header block that can't be decoded", true},
	{"no :status", func(s *server, id uint32) { s.headers(id, false, "content-type", "application/grpc") },
		stack.Internal, "HEADERS without a :status", false},
	{"a :status that is none", func(s *server, id uint32) { s.headers(id, false, ":status", "2x0") },
		stack.Internal, `a :status of "2x0"`, false},
	{"two fields :status", func(s *server, id uint32) { s.headers(id, false, ":status", "200", ":status", "200") },
		stack.Internal, "two fields :status", false},
	{"a :status after other fields", func(s *server, id uint32) { s.headers(id, false, "a", "b", ":status", "200") },
		stack.Internal, "a :status after other fields", false},
	{"a request's field", func(s *server, id uint32) { s.headers(id, false, ":path", "/") },
		stack.Internal, `the field ":path" in a response`, false},
	{"a name in upper case", func(s *server, id uint32) { s.headers(id, false, ":status", "200", "Upper", "x") },
		stack.Internal, `a field named "Upper"`, false},
	{"a line's end in a value", func(s *server, id uint32) { s.headers(id, false, ":status", "200", "a", "x\r\ny") },
		stack.Internal, "a field a with a line break in it", false},
	{"a field of HTTP/1", func(s *server, id uint32) { s.headers(id, false, ":status", "200", "connection", "close") },
		stack.Internal, "the field connection, which HTTP/2 forbids", false},
	{"interim responses are skipped", func(s *server, id uint32) {
		s.headers(id, false, ":status", "100")
		s.headers(id, false, ":status", "103", "link", "x")
		s.good(id)
	}, stack.OK, "", false},
	{"an interim response that ends", func(s *server, id uint32) { s.headers(id, true, ":status", "100") },
		stack.Internal, "an interim response that ends the stream", false},
	{"DATA before HEADERS", func(s *server, id uint32) { s.WriteData(id, false, framed("pong")) },
		stack.Internal, "DATA before HEADERS", false},
	{"HEADERS in the midst", func(s *server, id uint32) { s.head(id); s.head(id) },
		stack.Internal, "HEADERS in the middle of a response", false},
	{"a :status in trailers", func(s *server, id uint32) {
		s.head(id)
		s.headers(id, true, ":status", "200", "grpc-status", "0")
	}, stack.Internal, "a :status in trailers", false},

	// The connection.
	{"SETTINGS on a stream", func(s *server, id uint32) { s.WriteRawFrame(http2.FrameSettings, 0, id, nil) },
		stack.Internal, "SETTINGS on stream", true},
	{"SETTINGS of another length", func(s *server, _ uint32) { s.WriteRawFrame(http2.FrameSettings, 0, 0, make([]byte, 5)) },
		stack.Internal, "SETTINGS of 5 bytes", true},
	{"an acknowledgement with settings", func(s *server, _ uint32) {
		s.WriteRawFrame(http2.FrameSettings, http2.FlagSettingsAck, 0, make([]byte, 6))
	}, stack.Internal, "an acknowledgement of SETTINGS with 6 bytes", true},
	{"ENABLE_PUSH", func(s *server, _ uint32) { s.WriteSettings(http2.Setting{ID: http2.SettingEnablePush, Val: 1}) },
		stack.Internal, "ENABLE_PUSH of 1", true},
	{"a window beyond 2^31", func(s *server, _ uint32) {
		s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 31})
	}, stack.Internal, "INITIAL_WINDOW_SIZE of 2147483648", true},
	{"a frame size too small", func(s *server, _ uint32) {
		s.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 16383})
	}, stack.Internal, "MAX_FRAME_SIZE of 16383", true},
	{"a frame size too large", func(s *server, _ uint32) {
		s.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1 << 24})
	}, stack.Internal, "MAX_FRAME_SIZE of 16777216", true},
	{"settings that take a window beyond 2^31", func(s *server, id uint32) {
		s.WriteWindowUpdate(id, 1<<31-1-65535+9) // which is full again then: the request took 9 bytes
		s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1<<31 - 1})
	}, stack.Internal, "that takes the window of stream 1 beyond 2^31 - 1", true},
	{"unknown settings are ignored", func(s *server, id uint32) {
		s.WriteSettings(http2.Setting{ID: 0xabc, Val: 1<<32 - 1}, http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: 1})
		s.good(id)
	}, stack.OK, "", false},
	{"WINDOW_UPDATE of 0", func(s *server, id uint32) { s.WriteRawFrame(http2.FrameWindowUpdate, 0, id, word(0)) },
		stack.Internal, "a WINDOW_UPDATE of 0", false},
	{"WINDOW_UPDATE of 0 for all", func(s *server, _ uint32) { s.WriteRawFrame(http2.FrameWindowUpdate, 0, 0, word(0)) },
		stack.Internal, "a WINDOW_UPDATE of 0", true},
	{"WINDOW_UPDATE of another length", func(s *server, id uint32) {
		s.WriteRawFrame(http2.FrameWindowUpdate, 0, id, []byte{1})
	}, stack.Internal, "WINDOW_UPDATE of 1 bytes", true},
	{"a stream's window beyond 2^31", func(s *server, id uint32) { s.WriteWindowUpdate(id, 1<<31-1) },
		stack.Internal, "takes the window beyond 2^31 - 1", false},
	{"the connection's window beyond 2^31", func(s *server, _ uint32) { s.WriteWindowUpdate(0, 1<<31-1) },
		stack.Internal, "takes the connection's window beyond 2^31 - 1", true},
	{"PING on a stream", func(s *server, id uint32) { s.WriteRawFrame(http2.FramePing, 0, id, make([]byte, 8)) },
		stack.Internal, "PING on stream", true},
	{"PINGs whose answers nobody reads", func(s *server, _ uint32) { s.flood("\x00\x00\x08\x06\x00\x00\x00\x00\x0012345678") },
		stack.Internal, "frames that need answers, of which it leaves 4", true}, // of some 4.2 MB
	{"SETTINGS whose answers nobody reads", func(s *server, _ uint32) { s.flood("\x00\x00\x00\x04\x00\x00\x00\x00\x00") },
		stack.Internal, "frames that need answers, of which it leaves 4", true},
	{"PING of another length", func(s *server, _ uint32) { s.WriteRawFrame(http2.FramePing, 0, 0, make([]byte, 7)) },
		stack.Internal, "PING of 7 bytes", true},
	{"GOAWAY on a stream", func(s *server, id uint32) { s.WriteRawFrame(http2.FrameGoAway, 0, id, make([]byte, 8)) },
		stack.Internal, "GOAWAY on stream", true},
	{"GOAWAY of another length", func(s *server, _ uint32) { s.WriteRawFrame(http2.FrameGoAway, 0, 0, make([]byte, 7)) },
		stack.Internal, "GOAWAY of 7 bytes", true},
	{"a GOAWAY that takes more than before", func(s *server, id uint32) {
		s.WriteGoAway(id, 0, nil)
		s.WriteGoAway(id+2, 0, nil)
	}, stack.Internal, "accepts more streams than the previous one", true},
	{"GOAWAY that does not take the call", func(s *server, _ uint32) {
		s.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, []byte("too many"))
	}, stack.OK, "", true},
	{"GOAWAY that answers the call", func(s *server, id uint32) { s.WriteGoAway(id, 0, nil); s.good(id) }, stack.OK, "", true},
	{"GOAWAY, and no answer", func(s *server, id uint32) { s.WriteGoAway(id, 0, nil); s.socket.Close() },
		stack.Unavailable, "the server closed the connection: it sent GOAWAY NO_ERROR", true},

	// The call.
	{"RST_STREAM", func(s *server, id uint32) { s.WriteRSTStream(id, http2.ErrCodeInternal) },
		stack.Internal, "the server reset the stream with INTERNAL_ERROR", false},
	{"RST_STREAM that refuses", func(s *server, id uint32) { s.WriteRSTStream(id, http2.ErrCodeRefusedStream) },
		stack.OK, "", false},
	{"RST_STREAM that refuses again", func(s *server, id uint32) {
		s.WriteRSTStream(id, http2.ErrCodeRefusedStream)
		id, _ = s.request()
		s.WriteRSTStream(id, http2.ErrCodeRefusedStream)
	}, stack.Unavailable, "the server reset the stream with REFUSED_STREAM", false},
	{"RST_STREAM that refuses in the midst", func(s *server, id uint32) {
		s.head(id)
		s.WriteRSTStream(id, http2.ErrCodeRefusedStream)
	}, stack.Unavailable, "the server reset the stream with REFUSED_STREAM", false},
	{"RST_STREAM that cancels", func(s *server, id uint32) { s.head(id); s.WriteRSTStream(id, http2.ErrCodeCancel) },
		stack.Canceled, "the server reset the stream with CANCEL", false},
	{"RST_STREAM that calms", func(s *server, id uint32) { s.WriteRSTStream(id, http2.ErrCodeEnhanceYourCalm) },
		stack.ResourceExhausted, "ENHANCE_YOUR_CALM", false},
	{"RST_STREAM of an unknown code", func(s *server, id uint32) { s.WriteRSTStream(id, 0xabcd) },
		stack.Internal, "error 0xabcd", false},
	{"RST_STREAM in the midst", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, framed("pong")[:6])
		s.WriteRSTStream(id, http2.ErrCodeNo)
	}, stack.Internal, "the server reset the stream with NO_ERROR", false},
	{"closed in the midst", func(s *server, id uint32) { s.head(id); s.socket.Close() },
		stack.Unavailable, "the server closed the connection", true},
	{"a status", func(s *server, id uint32) {
		s.headers(id, true, ":status", "200", "content-type", "application/grpc",
			"grpc-status", "5", "grpc-message", "no%20such%E2%80%A6")
	}, stack.NotFound, "no such…", false},
	{"a status in trailers", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, framed("pong"))
		s.headers(id, true, "grpc-status", "13", "grpc-message", "broken %zz")
	}, stack.Internal, "broken %zz", false},
	{"a status that gRPC has not", func(s *server, id uint32) {
		s.headers(id, true, ":status", "200", "content-type", "application/grpc", "grpc-status", "99")
	}, stack.Unknown, "", false},
	{"a status that is no number", func(s *server, id uint32) { s.head(id); s.status(id, "zero") },
		stack.Unknown, "grpc-status is not a number", false},
	{"no status in trailers", func(s *server, id uint32) { s.head(id); s.headers(id, true, "x", "y") },
		stack.Unknown, "the response ended without a grpc-status", false},
	{"no status in all there is", func(s *server, id uint32) {
		s.headers(id, true, ":status", "200", "content-type", "application/grpc")
	}, stack.Unknown, "the response ended without a grpc-status", false},
	{"no trailers", func(s *server, id uint32) { s.head(id); s.WriteData(id, true, framed("pong")) },
		stack.Internal, "the server ended the stream without a status", false},
	{"a status of HTTP", func(s *server, id uint32) {
		s.headers(id, false, ":status", "503", "content-type", "text/html")
		s.WriteData(id, true, []byte("<p>"))
	}, stack.Unavailable, `HTTP status 503, content-type "text/html"`, false},
	{"a status of HTTP alone", func(s *server, id uint32) { s.headers(id, true, ":status", "404") },
		stack.Unimplemented, "HTTP status 404", false},
	{"another content-type", func(s *server, id uint32) {
		s.headers(id, false, ":status", "200", "content-type", "application/json")
		s.WriteData(id, true, []byte("{}"))
	}, stack.Unknown, `of content-type "application/json", not application/grpc`, false},
	{"a content-type that begins alike", func(s *server, id uint32) {
		s.headers(id, false, ":status", "200", "content-type", "application/grpc-web")
	}, stack.Unknown, "application/grpc-web", false},
	{"a content-length that is none", func(s *server, id uint32) {
		s.headers(id, false, ":status", "200", "content-type", "application/grpc", "content-length", "-1")
	}, stack.Internal, `a content-length of "-1"`, false},
	{"a content-length that lies", func(s *server, id uint32) {
		s.headers(id, false, ":status", "200", "content-type", "application/grpc", "content-length", "10")
		s.WriteData(id, false, framed("pong"))
		s.status(id, "0")
	}, stack.Internal, "a content-length of 10 and 9 bytes", false},

	{"a content-length without content", func(s *server, id uint32) {
		s.headers(id, true, ":status", "200", "content-type", "application/grpc", "grpc-status", "0", "content-length", "5")
	}, stack.Internal, "a content-length of 5 and 0 bytes", false},

	// Messages.
	{"a message in pieces", func(s *server, id uint32) {
		s.head(id)
		for _, b := range framed("pong") {
			s.WriteData(id, false, []byte{b})
			s.WriteData(id, false, nil)
		}
		s.status(id, "0")
	}, stack.OK, "", false},
	{"a length that lies", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, []byte{0, 0, 0, 0, 9, 'p', 'o', 'n', 'g'})
		s.status(id, "0")
	}, stack.Internal, "the stream ended within a message", false},
	{"half a prefix", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, []byte{0, 0, 0})
		s.status(id, "0")
	}, stack.Internal, "the stream ended within a message", false},
	{"a message too long", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, []byte{0, 0x7f, 0xff, 0xff, 0xff})
	}, stack.ResourceExhausted, "a message of 2147483647 bytes, 1048576 at most", false},
	{"a message too long, in pieces", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, []byte{0, 0xff, 0xff})
		s.WriteData(id, false, []byte{0xff, 0xff})
	}, stack.ResourceExhausted, "a message of 4294967295 bytes", false},
	{"a flag that gRPC has not", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, []byte{2, 0, 0, 0, 0})
	}, stack.Internal, "the flags 0x2", false},
	{"compressed with nothing", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, []byte{1, 0, 0, 0, 0})
	}, stack.Internal, "the response has no grpc-encoding", false},
	{"compressed unasked", func(s *server, id uint32) {
		s.headers(id, false, ":status", "200", "content-type", "application/grpc", "grpc-encoding", "gzip")
		s.WriteData(id, false, []byte{1, 0, 0, 0, 0})
	}, stack.Internal, `compressed with "gzip", which the request did not accept`, false},
	{"no message", func(s *server, id uint32) { s.head(id); s.status(id, "0") }, stack.Mismatch, "the replies are []", false},
	{"two messages", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, append(framed("pong"), framed("pong")...))
		s.status(id, "0")
	}, stack.Mismatch, `the replies are ["pong" "pong"]`, false},
	{"another message", func(s *server, id uint32) {
		s.head(id)
		s.WriteData(id, false, framed("ping"))
		s.status(id, "0")
	}, stack.Mismatch, `the replies are ["ping"]`, false},
}

// Each crime is committed on a first call. Its outcome is exact, and the next call is answered: on the same connection
// where that can go on, on another one elsewhere.
func TestABrokenServerIsAnOutcomeWithASentence(t *testing.T) {
	t.Parallel()
	for _, c := range crimes {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			numbers := make(chan int, 10)
			address := serve(t, func(s *server, number int) {
				numbers <- number
				s.greet()
				if number == 0 {
					id, _ := s.request()
					c.commit(s, id)
				}
				s.goodAll()
			})
			caller := newCaller(t, address, unary(), 1)
			err := caller.call()[0]
			if stack.CodeOf(err) != c.code {
				t.Errorf("the call ended with %v, want %v", err, c.code)
			}
			if err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("the call says %q, want %q in it", err, c.says)
			}
			if err := caller.call()[0]; err != nil {
				t.Errorf("the next call ended with %v", err)
			}
			if again := len(numbers) > 1; again != c.lost {
				t.Errorf("the client connected again: %t, want %t", again, c.lost)
			}
		})
	}
}
