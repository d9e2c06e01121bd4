package codec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strconv"
	"testing"

	"google.golang.org/protobuf/proto"
)

var update = flag.Bool("update", false, "write testdata anew")

const fixture = "testdata/messages.json"

// A pin is one entry of the fixture, which tests in other languages read too: the protobuf encoding of a message.
type pin struct {
	Message string `json:"message"`
	Seed    uint64 `json:"seed,string"` // a string: not every language's JSON numbers hold 64 bits
	Bytes   int    `json:"bytes"`
	SHA256  string `json:"sha256"`
}

func pinOf(t *testing.T, name string, seed uint64) pin {
	t.Helper()
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(newMessage(name, seed).proto)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	return pin{name, seed, len(data), hex.EncodeToString(sum[:])}
}

func TestMessagesArePinned(t *testing.T) {
	if *update {
		writeFixture(t)
	}
	text, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	var pinned []pin
	if err := json.Unmarshal(text, &pinned); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, want := range pinned {
		seen[want.Message]++
		if got := pinOf(t, want.Message, want.Seed); got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
	for _, name := range messageNames() {
		if seen[name] == 0 {
			t.Errorf("%s has no %s", fixture, name)
		}
	}
}

func writeFixture(t *testing.T) {
	t.Helper()
	var pins []pin
	for _, name := range messageNames() {
		for _, seed := range []uint64{0, 1, 42, 1<<64 - 1} {
			pins = append(pins, pinOf(t, name, seed))
		}
	}
	text, err := json.MarshalIndent(pins, "", "  ")
	if err == nil {
		err = os.WriteFile(fixture, append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The original's sizes were simulated with its own generators: least, median and most.
func TestSizesAreThoseOfTheOriginal(t *testing.T) {
	t.Parallel()
	const seeds = 200
	for name, want := range map[string]struct{ least, median, most int }{
		"small":        {3, 18, 32},
		"address-book": {70, 539, 1141},
		"newsfeed":     {378, 180_000, 399_000},
		"large":        {700, 34_000, 98_000},
		"large-dense":  {40_900, 41_100, 41_300},
		"large-sparse": {17_200, 17_400, 17_600},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sizes := make([]int, seeds)
			for seed := range sizes {
				sizes[seed] = proto.Size(newMessage(name, uint64(seed)).proto)
			}
			slices.Sort(sizes)
			if sizes[0] < want.least || sizes[seeds-1] > want.most {
				t.Errorf("%d to %d bytes, want %d to %d", sizes[0], sizes[seeds-1], want.least, want.most)
			}
			median := sizes[seeds/2]
			// The standard error of a median of 200 is a thirtieth of the range or less; theirs are rounded.
			tolerance := (want.most-want.least)/12 + want.median/300
			if median < want.median-tolerance || median > want.median+tolerance {
				t.Errorf("the median is %d bytes, want %d ± %d", median, want.median, tolerance)
			}
		})
	}
}

// The first outputs of SplitMix64 with seed 1234567 as published with other implementations of it.
func TestSourceIsSplitMix64(t *testing.T) {
	t.Parallel()
	s := source{1234567}
	for i, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	} {
		if got := s.word(); got != want {
			t.Errorf("word %d is %d, want %d", i, got, want)
		}
	}
}

// A reader of JSON may have no float32 and read a float64 first.
func TestFloatsSurviveTheirShortestDecimals(t *testing.T) {
	t.Parallel()
	s := source{7}
	for range 50_000 {
		single, double := s.float32(), s.float64()
		if got, _ := strconv.ParseFloat(strconv.FormatFloat(float64(single), 'g', -1, 32), 64); float32(got) != single {
			t.Fatalf("%v became %v", single, float32(got))
		}
		if got, _ := strconv.ParseFloat(strconv.FormatFloat(double, 'g', -1, 64), 64); got != double {
			t.Fatalf("%v became %v", double, got)
		}
		if single < 0 || single >= 1 || double < 0 || double >= 1 {
			t.Fatalf("%v or %v is not in [0, 1)", single, double)
		}
	}
}
