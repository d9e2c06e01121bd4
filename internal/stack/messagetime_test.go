package stack

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const ms = time.Millisecond

// A timed is one slot's Replies on a clock that a test sets, and what they told.
type timed struct {
	Replies

	method *Method
	now    time.Duration
	asked  []time.Duration // wake-ups
	told   map[MessageTime][]time.Duration
}

func newTimed(kind string, perSec float64) *timed {
	d := &timed{told: map[MessageTime][]time.Duration{}}
	d.method = &Method{Requests: echoes{}, Clock: &MessageClock{
		Now: func() time.Duration { return d.now }, PerSec: perSec,
		Beat: func(func()) func(time.Duration) {
			return func(at time.Duration) { d.asked = append(d.asked, at) }
		},
		Record: func(_ int, of MessageTime, took time.Duration) { d.told[of] = append(d.told[of], took) },
	}}
	d.Replies = NewReplies(Call{Kind: kind, Method: d.method}, 0)
	d.WakeSender(func() {})
	return d
}

// at moves the clock.
func (d *timed) at(now time.Duration) *timed {
	d.now = now
	return d
}

// begin begins a call.
func (d *timed) begin(now time.Duration) { d.at(now).Begin() }

// sends has messages sent now, which must be due.
func (d *timed) sends(t *testing.T, messages ...int) {
	t.Helper()
	for _, i := range messages {
		if !d.Sending(i) {
			t.Errorf("message %d is not due at %v", i, d.now)
		}
	}
}

func (d *timed) want(t *testing.T, want map[MessageTime][]time.Duration, unpaired int64) {
	t.Helper()
	if diff := cmp.Diff(want, d.told); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
	if got := d.method.Traffic().Unpaired; got != unpaired {
		t.Errorf("%d unpaired replies, want %d", got, unpaired)
	}
}

func TestADownloadsFirstReplyAndGapsAreTimed(t *testing.T) {
	t.Parallel()
	d := newTimed(KindDownload, 0)
	for _, begun := range []time.Duration{0, 100 * ms} { // a second call knows nothing of the first
		d.begin(begun)
		d.sends(t, 0)
		for _, after := range []time.Duration{7 * ms, 10 * ms, 10 * ms, 15 * ms} {
			d.at(begun + after).AddBytes(1)
		}
	}
	d.want(t, map[MessageTime][]time.Duration{
		TimeFirstReply: {7 * ms, 7 * ms}, TimeReplyGap: {3 * ms, 0, 5 * ms, 3 * ms, 0, 5 * ms},
	}, 0)
}

func TestMessagesOfAStreamArePairedByTheirNumber(t *testing.T) {
	t.Parallel()
	d := newTimed(KindStream, 0)
	d.begin(ms)
	d.at(2*ms).sends(t, 0, 1)
	d.at(5 * ms).AddBytes(1)
	d.at(6*ms).sends(t, 2)
	d.at(9 * ms).AddBytes(1)
	d.at(10 * ms).AddBytes(1)
	d.want(t, map[MessageTime][]time.Duration{TimeFirstReply: {4 * ms}, TimeMessage: {3 * ms, 7 * ms, 4 * ms}}, 0)
}

func TestAReplyWithoutItsMessageIsCountedApart(t *testing.T) {
	t.Parallel()
	d := newTimed(KindStream, 0)
	d.begin(0)
	d.at(ms).AddBytes(1) // before any message
	d.at(2*ms).sends(t, 0, 1)
	d.at(5 * ms).AddBytes(1) // of message 1
	d.at(6 * ms).AddBytes(1) // there is no message 2
	d.want(t, map[MessageTime][]time.Duration{TimeFirstReply: {ms}, TimeMessage: {3 * ms}}, 2)
}

// Of more messages than are noted, those beyond have replies that are not timed, and what follows is paired again.
func TestNoMoreMessagesAreNotedThanMemoryHas(t *testing.T) {
	t.Parallel()
	d := newTimed(KindStream, 0)
	d.begin(0)
	for i := range maxPaired + 5 {
		d.sends(t, i)
	}
	for range maxPaired + 5 {
		d.at(ms).AddBytes(1)
	}
	d.sends(t, maxPaired+5)
	d.at(3 * ms).AddBytes(1)
	if n := len(d.told[TimeMessage]); n != maxPaired+1 || d.told[TimeMessage][maxPaired] != 2*ms {
		t.Errorf("%d messages were timed, the last as %v, want %d and 2ms", n, d.told[TimeMessage][n-1], maxPaired+1)
	}
	if got := d.method.Traffic().Unpaired; got != 5 {
		t.Errorf("%d unpaired replies, want 5", got)
	}
}

// At 200 a second message k is due 5k ms after the call. A message that is sent late keeps its due time.
func TestALateMessageKeepsItsDueTime(t *testing.T) {
	t.Parallel()
	d := newTimed(KindStream, 200)
	d.begin(100 * ms)
	d.sends(t, 0)
	d.at(101 * ms).AddBytes(1)
	if d.at(104 * ms).Sending(1) {
		t.Error("message 1 was sent 1 ms too soon")
	}
	d.at(105*ms).sends(t, 1)
	d.at(125*ms).sends(t, 2, 3, 4, 5) // the connection took nothing for 20 ms
	for range 5 {
		d.at(126 * ms).AddBytes(1)
	}
	if diff := cmp.Diff([]time.Duration{105 * ms}, d.asked); diff != "" {
		t.Errorf("wake-ups (-want +got):\n%s", diff)
	}
	d.want(t, map[MessageTime][]time.Duration{
		TimeFirstReply: {ms}, TimeMessageLag: {0, 0, 15 * ms, 10 * ms, 5 * ms, 0},
		TimeMessage: {ms, 21 * ms, 16 * ms, 11 * ms, 6 * ms, ms},
	}, 0)
}

func TestAnUploadHasLagsOnly(t *testing.T) {
	t.Parallel()
	d := newTimed(KindUpload, 1000)
	d.begin(0)
	d.at(3*ms).sends(t, 0, 1, 2, 3)
	d.AddBytes(1)
	d.want(t, map[MessageTime][]time.Duration{TimeMessageLag: {3 * ms, 2 * ms, ms, 0}}, 0)
}

func TestWhatDoesNotStreamIsNotTimed(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{KindUnary, KindUpload, KindPingPong} {
		d := newTimed(kind, 0)
		d.begin(0)
		d.sends(t, 0)
		d.AddBytes(1)
		d.want(t, map[MessageTime][]time.Duration{}, 0)
	}
}

func TestTimingAMessageAllocatesNothing(t *testing.T) {
	d := newTimed(KindStream, 1000)
	d.method.Clock.Record = func(int, MessageTime, time.Duration) {}
	d.Begin()
	d.now = time.Hour
	message := 0
	if got := testing.AllocsPerRun(1000, func() {
		d.Sending(message)
		d.AddBytes(1)
		message++
	}); got != 0 {
		t.Errorf("%v allocations a message, want none", got)
	}
}
