package stack

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write testdata anew")

// A payloadExample is a line of testdata/payload.json, which tests in other languages read too.
type payloadExample struct {
	Kind   string `json:"kind"`
	Seed   uint64 `json:"seed,string"` // a string: not every language's JSON numbers hold 64 bits
	N      int    `json:"n"`
	SHA256 string `json:"sha256"`
	First  string `json:"first_32_bytes"` // in hexadecimal, fewer where n is less
}

func example(kind string, seed uint64, n int) payloadExample {
	payload := Payload(kind, seed, n)
	sum := sha256.Sum256(payload)
	return payloadExample{kind, seed, n, hex.EncodeToString(sum[:]), hex.EncodeToString(payload[:min(n, 32)])}
}

const payloadFixture = "testdata/payload.json"

func TestPayloadIsPinned(t *testing.T) {
	if *update {
		writePayloadFixture(t)
	}
	text, err := os.ReadFile(payloadFixture)
	if err != nil {
		t.Fatal(err)
	}
	var pinned []payloadExample
	if err := json.Unmarshal(text, &pinned); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, want := range pinned {
		kinds[want.Kind]++
		if got := example(want.Kind, want.Seed, want.N); got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
	for _, kind := range PayloadKinds() {
		if kinds[kind] == 0 {
			t.Errorf("%s has no example of kind %s", payloadFixture, kind)
		}
	}
}

func writePayloadFixture(t *testing.T) {
	var examples []payloadExample
	for _, kind := range PayloadKinds() {
		for _, seed := range []uint64{0, 1, 1<<64 - 1} {
			for _, n := range []int{0, 1, 7, 8, 100, 1000, 100_000} {
				examples = append(examples, example(kind, seed, n))
			}
		}
	}
	text, err := json.MarshalIndent(examples, "", "  ")
	if err == nil {
		err = os.WriteFile(payloadFixture, append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The first outputs of SplitMix64 with seed 1234567 as published with other implementations of it.
func TestRandomPayloadIsSplitMix64(t *testing.T) {
	t.Parallel()
	want := []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821}
	for i, w := range want {
		if got := payloadWord(1234567, uint64(i)); got != w {
			t.Errorf("word %d is %d, want %d", i, got, w)
		}
	}
}

func TestAShorterPayloadIsThePrefixOfALonger(t *testing.T) {
	t.Parallel()
	for _, kind := range PayloadKinds() {
		long := Payload(kind, 3, 1000)
		for _, n := range []int{0, 1, 8, 13, 999} {
			if got := Payload(kind, 3, n); len(got) != n || !bytes.HasPrefix(long, got) {
				t.Errorf("%s of %d bytes is no prefix of 1000", kind, n)
			}
		}
	}
}

func TestCompressibilityIsAsStated(t *testing.T) {
	t.Parallel()
	for kind, share := range map[string][2]float64{
		PayloadRandom: {1, 1.02}, PayloadJSON: {0.14, 0.18}, PayloadZeros: {0, 0.01},
	} {
		for _, n := range []int{10_000, 100_000, 1_000_000} {
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			w.Write(Payload(kind, 1, n))
			w.Close()
			if got := float64(packed.Len()) / float64(n); got < share[0] || got > share[1] {
				t.Errorf("gzip leaves %.3f of %d bytes of %s, want %v", got, n, kind, share)
			}
		}
	}
}
