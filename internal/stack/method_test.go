package stack

import (
	"errors"
	"testing"
)

// echoes are requests that say their call and number, and fail for call 9.
type echoes struct{}

func (echoes) Constant() ([]byte, bool) { return nil, false }
func (echoes) Messages(uint64) int      { return 2 }
func (echoes) Append(dst []byte, call uint64, i int) ([]byte, error) {
	if call == 9 {
		return dst, errors.New("it does not fit")
	}
	return append(dst, byte(call), byte(i)), nil
}

func TestTrafficIsTheSumOfGoodCallsOfAllSlots(t *testing.T) {
	t.Parallel()
	m := &Method{Requests: echoes{}}
	call := Call{Kind: KindStream, Method: m}
	for slot := range 3 {
		r := NewReplies(call, slot)
		r.Begin()
		r.AddSent(5)
		r.AddSent(6)
		r.Add(Reply{Bytes: 7})
		r.End()
		if err := r.Verify(); err != nil {
			t.Errorf("slot %d: %v", slot, err)
		}
		r.Begin() // fails
		r.AddSent(100)
		if err := r.Verify(); err != nil {
			t.Errorf("slot %d, after a failed call: %v", slot, err)
		}
	}
	if got, want := m.Traffic(), (Traffic{6, 3, 33, 21, 0}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	earlier := m.Traffic()
	tally := m.NewTally()
	tally.Add(Traffic{MessagesOut: 2, BytesOut: 8})
	tally.Add(Traffic{MessagesOut: 1, BytesOut: 9})
	tally.Late()
	if got, want := m.Traffic().Minus(earlier), (Traffic{3, 0, 17, 0, 0}); got != want {
		t.Errorf("%+v since, want %+v", got, want)
	}
	if got, want := m.LateTraffic(), (Traffic{1, 0, 9, 0, 0}); got != want {
		t.Errorf("%+v was late, want %+v", got, want)
	}
}

func TestAUnaryMethodHasOneReply(t *testing.T) {
	t.Parallel()
	for replies, want := range map[int]Code{0: Mismatch, 1: OK, 2: Mismatch} {
		for _, kind := range []string{KindUnary, KindUpload, KindPingPong} {
			method := &Method{Requests: echoes{}}
			r := NewReplies(Call{Kind: kind, Method: method}, 0)
			r.Begin()
			for range replies {
				r.AddBytes(3)
			}
			r.End()
			if got := CodeOf(r.Verify()); got != want {
				t.Errorf("%s with %d replies: %v, want %v", kind, replies, got, want)
			}
			if got := method.Traffic().MessagesIn; got != 0 && want != OK {
				t.Errorf("%s with %d replies: %d messages of good calls", kind, replies, got)
			}
		}
	}
}

func TestCallsAreNumberedFromZero(t *testing.T) {
	t.Parallel()
	m := &Method{Requests: echoes{}}
	for want := range uint64(3) {
		if got := m.NextCall(); got != want {
			t.Errorf("call %d, want %d", got, want)
		}
	}
	message, err := m.Append([]byte("x"), 3, 1)
	if err != nil || string(message) != "x\x03\x01" {
		t.Errorf("%q, %v", message, err)
	}
	if _, err := m.Append(nil, 9, 0); CodeOf(err) != InvalidArgument {
		t.Errorf("%v, want INVALID_ARGUMENT", err)
	}
}

func TestSeveralClientsNumberTheirCallsApart(t *testing.T) {
	t.Parallel()
	const rounds = 12_000
	for _, clients := range []uint64{2, 3, 4, 6} {
		seen := map[uint64]bool{}
		for part := range clients {
			var l Ledger
			l.Deal(uint32(part), uint32(clients))
			uses := map[uint64]int{}
			for range rounds {
				n := l.NextCall()
				if seen[n] || n >= rounds*clients {
					t.Fatalf("client %d of %d has call %d, which another one has, or none", part, clients, n)
				}
				seen[n] = true
				uses[n%4]++
			}
			for request := range uint64(4) {
				if got := uses[request]; got < rounds/4-100 || got > rounds/4+100 {
					t.Errorf("client %d of %d uses request %d of 4 in %d of %d calls", part, clients, request, got, rounds)
				}
			}
		}
	}
	var third Ledger
	third.Deal(2, 3)
	for _, want := range []uint64{2, 3, 6} {
		if got := third.NextCall(); got != want {
			t.Errorf("call %d of the third client, want %d", got, want)
		}
	}
}

func TestAMethodsCallIsChecked(t *testing.T) {
	t.Parallel()
	info := Info{
		Name: "x", Protocol: ProtocolGRPC, Methods: true,
		Kinds: []string{KindUnary, KindUpload, KindDownload, KindStream, KindPingPong, KindBurst},
	}
	m := &Method{Requests: echoes{}}
	for _, good := range []Call{
		{Kind: KindUnary}, {Kind: KindUpload}, {Kind: KindDownload, Messages: 3}, {Kind: KindStream, Messages: 1},
		{Kind: KindPingPong, Streams: 2},
	} {
		good.Method = m
		if err := info.CheckCall(good, 0, 2); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for _, bad := range []Call{
		{Kind: KindBurst, Messages: 3, Streams: 1}, {Kind: KindUnary, Messages: 1}, {Kind: KindUnary, Request: []byte("x")},
		{Kind: KindUnary, ResponseBytes: 1}, {Kind: KindUnary, Batch: 1}, {Kind: KindPingPong}, {Kind: KindPingPong, Streams: 3},
		{Kind: KindUpload, Messages: -1}, {Kind: KindUnary, Check: func([]byte) error { return nil }},
	} {
		bad.Method = m
		if got := CodeOf(info.CheckCall(bad, 0, 2)); got != InvalidArgument {
			t.Errorf("%+v: %v, want INVALID_ARGUMENT", bad, got)
		}
	}
	m.Clock = &MessageClock{PerSec: 5}
	for kind, want := range map[string]Code{
		KindUpload: OK, KindStream: OK, KindUnary: InvalidArgument, KindDownload: InvalidArgument, KindPingPong: InvalidArgument,
	} {
		call := Call{Kind: kind, Method: m}
		if kind == KindPingPong {
			call.Streams = 1
		}
		if got := CodeOf(info.CheckCall(call, 0, 2)); got != want {
			t.Errorf("%s with a message rate: %v, want %v", kind, got, want)
		}
	}
	info.Methods = false
	if got := CodeOf(info.CheckCall(Call{Kind: KindUnary, Method: m}, 0, 2)); got != InvalidArgument {
		t.Errorf("a stack without methods: %v, want INVALID_ARGUMENT", got)
	}
}

func TestAResourcesCallIsChecked(t *testing.T) {
	t.Parallel()
	info := Info{Name: "x", Protocol: ProtocolHTTPJSON, Methods: true, Kinds: []string{KindUnary, KindUpload}}
	r := &Resource{Verb: "GET"}
	if err := info.CheckCall(Call{Kind: KindUnary, Resource: r}, 0, 1); err != nil {
		t.Error(err)
	}
	for _, bad := range []Call{
		{Kind: KindUpload}, {Kind: KindUnary, Messages: 1}, {Kind: KindUnary, Streams: 1}, {Kind: KindUnary, Request: []byte("x")},
		{Kind: KindUnary, ResponseBytes: 1}, {Kind: KindUnary, Batch: 1},
		{Kind: KindUnary, Check: func([]byte) error { return nil }},
	} {
		bad.Resource = r
		if err := info.CheckCall(bad, 0, 1); CodeOf(err) != InvalidArgument {
			t.Errorf("%+v: %v, want INVALID_ARGUMENT", bad, err)
		}
	}
	for _, other := range []Info{
		{Protocol: ProtocolHTTPJSON, Kinds: info.Kinds}, {Protocol: ProtocolGRPC, Methods: true, Kinds: info.Kinds},
	} {
		if err := other.CheckCall(Call{Kind: KindUnary, Resource: r}, 0, 1); CodeOf(err) != InvalidArgument {
			t.Errorf("%+v: %v, want INVALID_ARGUMENT", other, err)
		}
	}
}

func TestAStatusIsAnOutcomeOfItsOwn(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		302: "HTTP_302: 302 Found; redirects are not followed, and rpcbench call shows where it leads",
		304: "HTTP_304: 304 Not Modified",
		503: "HTTP_503: 503 Service Unavailable", 799: "HTTP_799: 799 a status without a name", 999: "HTTP_999",
	} {
		err := Statuses(nil).Check(status)
		if got := err.Error(); got != want && status != 999 {
			t.Errorf("%d: %q, want %q", status, got, want)
		}
		if code := CodeOf(err); int(code) >= Codes || code <= Mismatch {
			t.Errorf("%d has the code %d of %d", status, code, Codes)
		}
	}
	if StatusCode(100) == StatusCode(101) || StatusCode(999) != Code(Codes-1) {
		t.Errorf("codes are %d to %d of %d", StatusCode(100), StatusCode(999), Codes)
	}
}
