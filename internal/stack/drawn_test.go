package stack

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// pinnedDraws are the draws that the fixtures have, which tests in other languages read too: the first, and some far behind.
var pinnedDraws = []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 30_000, 65_535, 65_536, 1_048_575, 1_048_576}

// Seeds and slots of the fixtures.
var (
	pinnedSeeds = []uint64{0, 1, 1<<64 - 1}
	pinnedSlots = []int{0, 1, 77}
)

const (
	sizesFixture    = "testdata/sizes.csv"
	accessesFixture = "testdata/accesses.csv"
)

var pinnedBins = map[string][]SizeBin{
	"":                                       nil,
	"0-1000*1":                               {{0, 1000, 1}},
	"1-1*90 10-20*9 5-500*1":                 {{1, 1, 90}, {10, 20, 9}, {5, 500, 1}},
	"67108864-67108864*18446744073709551615": {{MessageBytesMax, MessageBytesMax, math.MaxUint64}},
}

// sizeLines are seed, slot, connection, connections, bins of requests, bins of replies, message, and both lengths.
func sizeLines() (lines [][]string) {
	for _, pair := range [][2]string{{"0-1000*1", ""}, {"1-1*90 10-20*9 5-500*1", "0-1000*1"}, {"", "1-1*90 10-20*9 5-500*1"},
		{"67108864-67108864*18446744073709551615", "1-1*90 10-20*9 5-500*1"}} {
		for _, seed := range pinnedSeeds {
			sizes := NewSizes(seed, pinnedBins[pair[0]], 100, pinnedBins[pair[1]])
			for i, slot := range pinnedSlots {
				on := sizes.On(i, 3)
				for _, message := range pinnedDraws {
					drawn := on.At(slot, message)
					lines = append(lines, strings.Split(fmt.Sprintf("%d,%d,%d,3,%s,%s,%d,%d,%d",
						seed, slot, i, pair[0], pair[1], message, drawn.Request, drawn.Response), ","))
				}
			}
		}
	}
	return lines
}

// accessLines are seed, slot, connection, connections, records, reads per million, theta, zeta, operation, key, and "read" or
// "write".
func accessLines() (lines [][]string) {
	for _, mix := range []Mix{{1, 500_000, 0.99, 1}, {1000, 950_000, 0, 0}, {1000, 0, 0.99, Zeta(1000, 0.99)},
		{1_000_000, 500_000, 0.99, Zeta(1_000_000, 0.99)}, {5, 1_000_000, 0.5, Zeta(5, 0.5)}} {
		for _, seed := range pinnedSeeds {
			accesses := NewAccesses(seed, mix, 100)
			for i, slot := range pinnedSlots {
				on := accesses.On(i, 3)
				for _, operation := range pinnedDraws {
					access := on.Of(slot, operation)
					word := map[bool]string{false: "read", true: "write"}[access.Writes]
					lines = append(lines, strings.Split(fmt.Sprintf("%d,%d,%d,3,%d,%d,%v,%v,%d,%d,%s", seed, slot, i, mix.Records,
						mix.ReadsPerMillion, mix.Theta, mix.Zeta, operation, access.Key, word), ","))
				}
			}
		}
	}
	return lines
}

func TestDrawsArePinned(t *testing.T) {
	t.Parallel()
	for path, lines := range map[string][][]string{
		sizesFixture: sizeLines(), accessesFixture: accessLines(), weightsFixture: weightLines(),
	} {
		if *update {
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := csv.NewWriter(file).WriteAll(lines); err != nil {
				t.Fatal(err)
			}
			file.Close()
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		pinned, err := csv.NewReader(file).ReadAll()
		if err != nil || len(pinned) != len(lines) {
			t.Fatalf("%s has %d lines, want %d: %v", path, len(pinned), len(lines), err)
		}
		for i, want := range pinned {
			if !slices.Equal(lines[i], want) {
				t.Errorf("%s, line %d: got %v, want %v", path, i+1, lines[i], want)
			}
		}
	}
}

// What is drawn has the frequencies that were asked for, within five standard deviations.
func TestSizesHaveTheirWeights(t *testing.T) {
	t.Parallel()
	sizes := NewSizes(7, []SizeBin{{1, 1, 90}, {10, 19, 10}}, 0, nil)
	counts := map[int32]float64{}
	for _, d := range sizes.draws {
		counts[d.Request]++
		if d.Response != d.Request {
			t.Fatalf("a reply to %d bytes has %d", d.Request, d.Response)
		}
	}
	near := func(what string, got, part float64) {
		if want, deviation := part*sizeDraws, math.Sqrt(part*(1-part)*sizeDraws); math.Abs(got-want) > 5*deviation {
			t.Errorf("%s: %v of %d, want %v", what, got, sizeDraws, want)
		}
	}
	near("1 byte", counts[1], 0.9)
	for n := int32(10); n < 20; n++ {
		near(fmt.Sprintf("%d bytes", n), counts[n], 0.01)
	}
}

// Zipf's law: record r is as likely as 1/(r+1)^theta says. The method's own approximation is exact for the first two records, and
// in its parts below 10% beyond.
func TestAccessesFollowZipf(t *testing.T) {
	t.Parallel()
	mix := Mix{Records: 1000, ReadsPerMillion: 250_000, Theta: 0.99, Zeta: Zeta(1000, 0.99)}
	accesses := NewAccesses(3, mix, 8)
	counts := make([]float64, mix.Records)
	writes := 0.0
	for _, d := range accesses.draws {
		counts[d&^writeBit]++
		if d&writeBit != 0 {
			writes++
		}
	}
	if want := 0.75 * accessDraws; math.Abs(writes-want) > 5*math.Sqrt(0.25*want) {
		t.Errorf("%v writes, want %v", writes, want)
	}
	part := func(from, to int) (got, want float64) {
		for r := from; r < to; r++ {
			got += counts[r] / accessDraws
			want += 1 / math.Pow(float64(r+1), mix.Theta) / mix.Zeta
		}
		return got, want
	}
	for _, c := range []struct {
		from, to int
		bound    float64 // part of it
	}{{0, 1, 0.02}, {1, 2, 0.02}, {2, 10, 0.1}, {10, 100, 0.1}, {100, 1000, 0.1}} {
		if got, want := part(c.from, c.to); math.Abs(got-want) > c.bound*want {
			t.Errorf("records %d to %d: %.4f of all, want %.4f", c.from, c.to, got, want)
		}
	}
}

func TestZetaIsTheSumOfItsTerms(t *testing.T) {
	t.Parallel()
	// YCSB's own constant for 10^10 records is beyond a test; that for few is added up by hand.
	if got := Zeta(3, 0.99); math.Abs(got-(1+math.Pow(2, -0.99)+math.Pow(3, -0.99))) > 1e-15 {
		t.Errorf("got %v", got)
	}
}

func TestDrawnMessagesAreFollowed(t *testing.T) {
	t.Parallel()
	payload := Payload(PayloadRandom, 1, 1000)
	call := Call{Kind: KindStream, Messages: 3, Request: payload, ResponseBytes: 1000,
		Sizes: NewSizes(5, []SizeBin{{0, 1000, 1}}, 0, nil)}
	r := NewReplies(call, 2)
	var want Traffic
	for range 2 {
		r.Begin()
		for i := range 3 {
			m := r.Message(i)
			if !m.Drawn || len(m.Payload) != m.ResponseBytes {
				t.Fatalf("message %d has %d bytes for %d", i, len(m.Payload), m.ResponseBytes)
			}
			want.BytesOut += int64(len(m.Payload))
			r.Add(Reply{Payload: m.Payload})
		}
		r.End()
		if err := r.Verify(); err != nil {
			t.Fatal(err)
		}
	}
	want.MessagesOut, want.MessagesIn, want.BytesIn = 6, 6, want.BytesOut
	if got := call.Ledger().Traffic(); got != want || want.BytesOut == 0 {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	r.Begin()
	for i := range 3 {
		r.Add(Reply{Payload: payload[:len(r.Message(i).Payload)+i/2]})
	}
	r.End()
	if got := CodeOf(r.Verify()); got != Mismatch {
		t.Errorf("a reply that is too long is %v", got)
	}
}

func TestAccessesAreMatched(t *testing.T) {
	t.Parallel()
	value := make([]byte, 16)
	call := Call{Kind: KindUnary, Batch: 50, Request: value, ResponseBytes: 16,
		Accesses: NewAccesses(5, Mix{Records: 10, ReadsPerMillion: 500_000}, 16)}
	answer := func(r *Replies, spoil func(i int, one *storeAnswer)) error {
		r.Begin()
		m := r.Message(0)
		var all storeAnswers
		for i := range 50 {
			one := storeAnswer{id: m.First + uint64(i)}
			if access := m.Access(i); !access.Writes {
				one.payload = make([]byte, 16)
				PutKey(one.payload, access.Key)
			}
			spoil(i, &one)
			all = append(all, one)
		}
		r.Add(Reply{Answers: all})
		r.End()
		return r.Verify()
	}
	r := NewReplies(call, 1)
	if err := answer(&r, func(int, *storeAnswer) {}); err != nil {
		t.Fatal(err)
	}
	carried := call.Ledger().Traffic()
	if carried.BytesOut+carried.BytesIn != 50*16 || carried.BytesIn == 0 || carried.BytesOut == 0 {
		t.Errorf("counted %+v", carried)
	}
	for name, spoil := range map[string]func(i int, one *storeAnswer){
		"another key's value": func(_ int, one *storeAnswer) {
			if one.payload != nil {
				one.payload[0]++
			}
		},
		"no value":         func(_ int, one *storeAnswer) { one.payload = nil },
		"an echoed write":  func(_ int, one *storeAnswer) { one.payload = make([]byte, 16) },
		"a shorter value":  func(_ int, one *storeAnswer) { one.payload = one.payload[:len(one.payload)/2] },
		"another one's id": func(i int, one *storeAnswer) { one.id += uint64(1 - i%2*2) },
	} {
		if got := CodeOf(answer(&r, spoil)); got != Mismatch {
			t.Errorf("%s is %v", name, got)
		}
	}
}

type storeAnswer struct {
	id      uint64
	payload []byte
}

type storeAnswers []storeAnswer

func (f storeAnswers) Len() int { return len(f) }

func (f storeAnswers) Answer(i int) (uint64, []byte) { return f[i].id, f[i].payload }
