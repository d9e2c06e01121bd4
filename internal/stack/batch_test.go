package stack

import (
	"fmt"
	"strings"
	"testing"
)

// fakeAnswers are ids, each answered with its payload.
type fakeAnswers struct {
	ids      []uint64
	payloads []string
}

func (f fakeAnswers) Len() int { return len(f.ids) }

func (f fakeAnswers) Answer(i int) (uint64, []byte) { return f.ids[i], []byte(f.payloads[i]) }

// answersOf has the same payload for every id.
func answersOf(payload string, ids ...uint64) fakeAnswers {
	f := fakeAnswers{ids: ids}
	for range ids {
		f.payloads = append(f.payloads, payload)
	}
	return f
}

// idsFrom counts up from first.
func idsFrom(first uint64, n int) []uint64 {
	ids := make([]uint64, n)
	for i := range ids {
		ids[i] = first + uint64(i)
	}
	return ids
}

func wantMismatch(t *testing.T, what string, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (CodeOf(err) != Mismatch || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
}

func TestEveryOperationHasOneAnswer(t *testing.T) {
	t.Parallel()
	call := Call{Kind: KindUnary, Batch: 3, ResponseBytes: 2, Check: func(payload []byte) error {
		if string(payload) != "ok" {
			return Errorf(Mismatch, "not ok")
		}
		return nil
	}}
	const first = 5 * slotIDs // of slot 5
	for _, c := range []struct {
		answers Answers
		want    string
	}{
		{answersOf("ok", first, first+1, first+2), ""},
		{answersOf("ok", first+2, first, first+1), ""}, // another order is no mistake
		{answersOf("ok", first, first+1), "the message has 2 answers, expected 3"},
		{answersOf("ok", idsFrom(first, 4)...), "the message has 4 answers, expected 3"},
		{nil, "the message has 0 answers"},
		{
			answersOf("ok", first, first+1, first+1),
			fmt.Sprintf("operation %d was answered twice", uint64(first+1)),
		},
		{answersOf("ok", first, first+1, first+3), fmt.Sprintf("answer 3 has id %d", uint64(first+3))},
		{answersOf("ok", first-1, first, first+1), fmt.Sprintf("answer 1 has id %d", uint64(first-1))},
		{answersOf("abc", idsFrom(first, 3)...), "answer 1 has 3 bytes, expected 2"},
		{fakeAnswers{idsFrom(first, 3), []string{"ok", "no", "ok"}}, "not ok"},
	} {
		r := NewReplies(call, 5)
		r.Begin()
		r.Add(Reply{Answers: c.answers})
		r.End()
		wantMismatch(t, fmt.Sprint(c.answers), r.Verify(), c.want)
	}
}

func TestAnswersToAnEarlierCallAreForeign(t *testing.T) {
	t.Parallel()
	r := NewReplies(Call{Kind: KindUnary, Batch: 70}, 0)
	for round := range uint64(3) {
		r.Begin()
		if got := r.FirstID(0); got != 70*round {
			t.Errorf("call %d begins with the id %d, want %d", round, got, 70*round)
		}
		r.Add(Reply{Answers: answersOf("", idsFrom(0, 70)...)})
		r.End()
		want := ""
		if round > 0 {
			want = "answer 1 has id 0"
		}
		wantMismatch(t, fmt.Sprint(round), r.Verify(), want)
	}
}

func TestABurstsRepliesAnswerItsMessagesInOrder(t *testing.T) {
	t.Parallel()
	for want, firsts := range map[string][]uint64{"": {0, 4, 8}, "answer 1 has id 8": {0, 8, 4}, "2 replies": {0, 4}} {
		r := NewReplies(Call{Kind: KindBurst, Messages: 3, Batch: 4}, 0)
		r.Begin()
		for _, first := range firsts {
			r.Add(Reply{Answers: answersOf("", idsFrom(first, 4)...)})
		}
		r.End()
		wantMismatch(t, fmt.Sprint(firsts), r.Verify(), want)
	}
}

func TestAnUploadsReplyAnswersItsLastMessage(t *testing.T) {
	t.Parallel()
	for first, want := range map[uint64]string{8: "", 4: "answer 1 has id 4"} {
		r := NewReplies(Call{Kind: KindUpload, Messages: 3, Batch: 4}, 0)
		r.Begin()
		if got := r.FirstID(2); got != 8 {
			t.Errorf("the last message begins with %d, want 8", got)
		}
		r.Add(Reply{Answers: answersOf("", idsFrom(first, 4)...)})
		r.End()
		wantMismatch(t, fmt.Sprint(first), r.Verify(), want)
	}
}

func TestABurstIsHeldUntilItIsWhole(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "a b c d e ", "1": "a b c d e ", "2": "ab cd ", "5": "abcde ", "6": ""} {
		burst, err := NewBurst[string](new(Responder), text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, answer := range []string{"a", "b", "c", "d", "e"} {
			before := got
			if err := burst.Add(answer, 1, func(a string) error { got += a; return nil }); err != nil {
				t.Fatal(err)
			}
			if got != before {
				got += " "
			}
		}
		if got != want {
			t.Errorf("%q: sent %q, want %q", text, got, want)
		}
	}
}

func TestABurstBeyondWhatAServerHoldsIsRefused(t *testing.T) {
	t.Parallel()
	burst, err := NewBurst[int](new(Responder), "10")
	if err != nil {
		t.Fatal(err)
	}
	send := func(int) error { t.Error("something was sent"); return nil }
	if err := burst.Add(1, MessageBytesMax, send); err != nil {
		t.Error(err)
	}
	if err := burst.Add(2, 1, send); CodeOf(err) != ResourceExhausted {
		t.Errorf("got %v, want RESOURCE_EXHAUSTED", err)
	}
	for _, text := range []string{"0", "-1", "x", "540001"} {
		_, err := NewBurst[int](new(Responder), text)
		if CodeOf(err) != InvalidArgument || !strings.Contains(err.Error(), BurstMetadata) {
			t.Errorf("%q: %v, want INVALID_ARGUMENT that names the metadata", text, err)
		}
	}
}

func TestAllBurstsOfAServerHoldABoundedNumberOfBytes(t *testing.T) {
	t.Parallel()
	from := NewResponder(ServeConfig{Limits: Limits{HeldBytes: 10_000}})
	send := func(string) error { return nil }
	var bursts []*Burst[string]
	for range 2 {
		burst, err := NewBurst[string](from, "3")
		if err != nil {
			t.Fatal(err)
		}
		bursts = append(bursts, burst)
	}
	steps := []struct {
		what  string
		burst int
		bytes int
		want  Code
	}{
		{"first", 0, 8000, OK},
		{"too much together", 1, 4000, ResourceExhausted},
		{"a part of it", 1, 1000, OK},
		{"second", 0, 100, OK},
		{"last, which sends all", 0, 100, OK},
		{"what is free again", 1, 8000, OK},
	}
	for _, step := range steps {
		if err := bursts[step.burst].Add("", step.bytes, send); CodeOf(err) != step.want {
			t.Errorf("%s: %v, want %v", step.what, err, step.want)
		}
	}
	bursts[1].Close()
	if held := from.held.Load(); held != 0 {
		t.Errorf("%d bytes are held at the end", held)
	}
}
