package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"strings"
	"testing"
	"time"
)

var someInfo = Info{
	Name: "some", Kinds: []string{KindConnect, KindFirstCall, KindUnary, KindPingPong, KindBurst, KindStream},
	Networks: []string{NetworkTCP}, Compressions: []string{CompressionNone},
	Options: []Option{{Name: "both", Client: true, Server: true}, {Name: "server_only", Server: true}},
}

func TestCheckCallNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		call Call
		slot int
		want string // "" is no error
	}{
		{Call{Kind: KindUnary}, 3, ""},
		{Call{Kind: KindUnary}, 4, "slot is 4"},
		{Call{Kind: KindUnary}, -1, "slot is -1"},
		{Call{Kind: "unray"}, 0, `no kind "unray"`},
		{Call{Kind: KindUpload}, 0, `no kind "upload"`},
		{Call{Kind: KindConnect}, 0, "connect is measured by Dial"},
		{Call{Kind: KindFirstCall}, 0, "first_call is measured by Dial"},
		{Call{Kind: KindUnary, ResponseBytes: -1}, 0, "response_bytes: -1 is not between 0 and 67108864"},
		{Call{Kind: KindUnary, ResponseBytes: MessageBytesMax + 1}, 0, "response_bytes: 67108865 is not"},
		{Call{Kind: KindUnary, Request: make([]byte, MessageBytesMax+1)}, 0, "request_bytes: 67108865 is not"},
		{Call{Kind: KindPingPong, Streams: 4}, 0, ""},
		{Call{Kind: KindPingPong, Streams: 5}, 0, "streams: 5 is not between 1 and in_flight, 4"},
		{Call{Kind: KindPingPong}, 0, "streams: 0 is not"},
		{Call{Kind: KindStream, Messages: 1}, 0, ""},
		{Call{Kind: KindUnary, Messages: 1}, 0, "messages: 1 is given, but unary does not support it"},
		{Call{Kind: KindStream, Messages: 1, Streams: 1}, 0, "streams: 1 is given, but stream does not share streams"},
		{Call{Kind: KindStream}, 0, "messages: 0 is not between 1 and"},
		{Call{Kind: KindStream, Messages: math.MaxInt32 + 1}, 0, "messages: 2147483648 is not"},
		{Call{Kind: KindUnary, Batch: BatchMax}, 0, ""},
		{Call{Kind: KindUnary, Batch: -1}, 0, "batch: -1 is not between 1 and"},
		{Call{Kind: KindUnary, Batch: BatchMax + 1}, 0, "batch: 100001 is not"},
		{Call{Kind: KindStream, Messages: 1, Batch: 1}, 0, "stream does not support batches"},
		{Call{Kind: KindUnary, Batch: 1000, ResponseBytes: 67100}, 0, ""},
		{Call{Kind: KindUnary, Batch: 1000, Request: make([]byte, 67101)}, 0,
			"batch: 1000 operations of 67101 bytes and an id of 8 make a message above the limit"},
		{Call{Kind: KindBurst, Streams: 4, Messages: BurstMax}, 0, ""},
		{Call{Kind: KindBurst, Streams: 4}, 0, "messages: 0 is not between 1 and"},
		{Call{Kind: KindBurst, Streams: 5, Messages: 1}, 0, "streams: 5 is not between 1 and in_flight, 4"},
		{Call{Kind: KindBurst, Streams: 4, Messages: BurstMax + 1}, 0, "messages: 540001 is above the limit of " +
			"540000 for a burst"},
		{Call{Kind: KindBurst, Streams: 4, Messages: 64, ResponseBytes: 1 << 20}, 0, ""},
		{Call{Kind: KindBurst, Streams: 4, Messages: 65, ResponseBytes: 1 << 20}, 0, "a burst of 65 messages of 1048576 bytes"},
		{Call{Kind: KindBurst, Streams: 4, Messages: 9000, Batch: 1000}, 0, "a burst of 9000 messages of 8000 bytes"},
	} {
		wantInvalid(t, someInfo.CheckCall(c.call, c.slot, 4), c.want)
	}
}

func TestCheckCallKnowsCodecs(t *testing.T) {
	t.Parallel()
	info := Info{
		Name: "some", Kinds: []string{KindEncode, KindDecode}, Messages: []string{"small", "large"}, Codecs: []string{"json"},
	}
	good := Codec{Message: "large", Codec: "json", Sample: SampleMin}
	for want, change := range map[string]func(*Call, *Codec){
		"":                          func(*Call, *Codec) {},
		`no kind "unary"`:           func(call *Call, _ *Codec) { call.Kind = KindUnary },
		"no codec is set":           func(call *Call, _ *Codec) { call.Codec = nil },
		`no message "poem"; it has`: func(_ *Call, codec *Codec) { codec.Message = "poem" },
		`no codec "vom"; it has`:    func(_ *Call, codec *Codec) { codec.Codec = "vom" },
		"sample is 999µs":           func(_ *Call, codec *Codec) { codec.Sample = SampleMin - time.Microsecond },
		"sample is 1m0.000000001s":  func(_ *Call, codec *Codec) { codec.Sample = SampleMax + 1 },
	} {
		codec := good
		call := Call{Kind: KindEncode, Codec: &codec}
		change(&call, &codec)
		wantInvalid(t, info.CheckCall(call, 0, 1), want)
	}
	wantInvalid(t, info.CheckCall(Call{Kind: KindDecode, Codec: &good}, 1, 2), "slot is 1")
	wantInvalid(t, info.CheckDial(DialConfig{InFlight: 1}), "") // it has no network, and none is asked for
	wantInvalid(t, info.CheckDial(DialConfig{InFlight: 1, Network: NetworkTCP}), `no network "tcp"; it has none`)
}

func TestCheckDialNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	good := DialConfig{Network: NetworkTCP, Compression: CompressionNone, InFlight: 1}
	for want, change := range map[string]func(*DialConfig){
		"":                          func(c *DialConfig) { c.Options = map[string]string{"both": "1"} },
		`no network "unix"`:         func(c *DialConfig) { c.Network = NetworkUnix },
		`no compression "gzip"`:     func(c *DialConfig) { c.Compression = CompressionGzip },
		"in_flight is 0":            func(c *DialConfig) { c.InFlight = 0 },
		`no client option "a", "b"`: func(c *DialConfig) { c.Options = map[string]string{"b": "", "a": ""} },
		`option "server_only"; it has both`: func(c *DialConfig) {
			c.Options = map[string]string{"server_only": ""}
		},
	} {
		config := good
		change(&config)
		wantInvalid(t, someInfo.CheckDial(config), want)
	}
}

func wantInvalid(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("got %v, want no error", err)
	case want == "":
	case CodeOf(err) != InvalidArgument || !strings.Contains(err.Error(), want):
		t.Errorf("got %v, want INVALID_ARGUMENT with %q", err, want)
	}
}

func TestFailureIsTheContextsWhenThatHasEnded(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancelLate := context.WithTimeout(t.Context(), 0)
	defer cancelLate()
	lost := Errorf(Unavailable, "lost")
	for _, c := range []struct {
		ctx  context.Context
		want string
	}{{t.Context(), "UNAVAILABLE: lost"}, {ended, "CANCELLED: lost"}, {late, "DEADLINE_EXCEEDED: lost"}} {
		if got := Failure(c.ctx, Unavailable, lost).Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A timely context has a deadline that is over, and a timer that is not served yet.
type timely struct{ context.Context }

func (timely) Deadline() (time.Time, bool) { return time.Now(), true }

func TestFailureIsTheDeadlinesBeforeItsTimerIsServed(t *testing.T) {
	t.Parallel()
	const want = "DEADLINE_EXCEEDED: i/o timeout"
	if got := Failure(timely{t.Context()}, Unavailable, errors.New("i/o timeout")).Error(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNetCode(t *testing.T) {
	t.Parallel()
	for want, errs := range map[Code][]error{
		Unavailable: {io.EOF, io.ErrUnexpectedEOF, &net.OpError{Op: "dial", Err: errors.New("refused")}},
		Canceled:    {net.ErrClosed, context.Canceled},
		DataLoss:    {Errorf(DataLoss, "lost")},
	} {
		for _, err := range errs {
			if got := NetCode(err); got != want {
				t.Errorf("%v is %v, want %v", err, got, want)
			}
		}
	}
}

// A library that finds the peer gone closes its socket, and a call that waits to write there learns only of that.
func TestLostNetCode(t *testing.T) {
	t.Parallel()
	closed := &net.OpError{Op: "write", Err: net.ErrClosed}
	for want, errs := range map[Code][]error{
		Unavailable: {net.ErrClosed, fmt.Errorf("transport connection broken: %w", closed), io.ErrUnexpectedEOF},
		Canceled:    {context.Canceled, Errorf(Canceled, "the connection was closed: %w", closed)},
	} {
		for _, err := range errs {
			if got := LostNetCode(err); got != want {
				t.Errorf("%v is %v, want %v", err, got, want)
			}
		}
	}
}

func TestHTTPCodeIsGRPCsTable(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]Code{
		400: Internal, 401: Unauthenticated, 403: PermissionDenied, 404: Unimplemented, 429: Unavailable,
		502: Unavailable, 503: Unavailable, 504: Unavailable, 500: Unknown, 204: Unknown, 413: Unknown, 418: Unknown,
	} {
		if got := HTTPCode(status); got != want {
			t.Errorf("%d is %v, want %v", status, got, want)
		}
	}
	if got := JSONCode(413); got != ResourceExhausted {
		t.Errorf("413 of our own servers is %v, want RESOURCE_EXHAUSTED", got)
	}
}

func TestRepliesVerify(t *testing.T) {
	t.Parallel()
	call := Call{Kind: KindBurst, Messages: 2, ResponseBytes: 2, Check: func(reply []byte) error {
		if string(reply) != "ok" {
			return Errorf(Mismatch, "not ok")
		}
		return nil
	}}
	for want, got := range map[string][]string{
		"":                                {"??", "ok"}, // bytes of the last reply only
		"1 replies came, expected 2":      {"ok"},
		"3 replies came":                  {"ok", "ok", "ok"},
		"reply 1 has 3 bytes, expected 2": {"abc", "ok"},
		"reply 2 has 0 bytes, expected 2": {"ok", ""},
		"not ok":                          {"ok", "no"},
		"0 replies came, expected 2":      {},
	} {
		r := NewReplies(call, 0)
		r.Begin()
		for _, reply := range got {
			r.Add(Reply{Payload: []byte(reply)})
		}
		if err := r.Verify(); err != nil {
			t.Errorf("%q: %v before the end of the call, want nil", got, err)
		}
		r.End()
		err := r.Verify()
		if want == "" && err != nil || want != "" && (CodeOf(err) != Mismatch || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", got, err, want)
		}
	}
}
