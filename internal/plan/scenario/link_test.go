package scenario

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/worker/relay"
)

func TestALinkIsAPresetOrAMapOfWhatItHas(t *testing.T) {
	t.Parallel()
	wan, _ := relay.Preset("wan")
	for keys, want := range map[string][]Link{
		"kind: unary":                                nil,
		"kind: unary\nlink: loopback":                {{}},
		"kind: unary\nlink: [wan, loopback]":         {{"wan", wan}, {}},
		"kind: unary\nlink: {rtt: 10ms}":             {{"", relay.Link{RTT: 10 * time.Millisecond}}},
		"kind: connect\nlink: {up: 20Mbit}":          {{"", relay.Link{UpPerSec: 2.5e6}}},
		"kind: unary\nlink: {down: 1.5 kbit/s}":      {{"", relay.Link{DownPerSec: 187.5}}},
		"kind: [encode, unary]\nlink: {down: 1Gbit}": {{"", relay.Link{DownPerSec: 125e6}}},
		"kind: unary\nlink: {rtt: 10ms, jitter: 5ms, up: 8kbit, down: 16kbit}": {{"", relay.Link{
			RTT: 10 * time.Millisecond, Jitter: 5 * time.Millisecond, UpPerSec: 1000, DownPerSec: 2000}}},
	} {
		s, err := Parse("my.yaml", []byte(inCase(keys)))
		if err != nil {
			t.Errorf("%s: %v", keys, err)
			continue
		}
		if diff := cmp.Diff(want, s.Cases[len(s.Cases)-1].Links); diff != "" {
			t.Errorf("%s:\n%s", keys, diff)
		}
	}
}

func TestOperationsOfABatchHaveEightBytesUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string][]int{
		"kind: unary":                                  {1000},
		"kind: unary\nbatch: [1, 10]":                  {8},
		"kind: burst\nbatch: 1\nrequest_bytes: [1, 2]": {1, 2},
		"kind: upload\nbatch: 1":                       {8},
	} {
		s, err := Parse("my.yaml", []byte(inCase(keys)))
		if err != nil {
			t.Errorf("%s: %v", keys, err)
			continue
		}
		if diff := cmp.Diff(want, s.Cases[0].RequestBytes); diff != "" {
			t.Errorf("%s:\n%s", keys, diff)
		}
	}
}

func TestADefaultBatchMeansNothingToKindsWithoutOne(t *testing.T) {
	t.Parallel()
	s, err := Parse("my.yaml", []byte("name: x\nquestion: y\ndefaults: {batch: 5}\ncases:\n"+
		"- {title: a, kind: [stream, burst]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	stream, burst := s.Cases[0], s.Cases[1]
	if stream.Batches != nil || stream.RequestBytes[0] != 1000 || stream.Messages[0] != 1000 {
		t.Errorf("stream: batch %v of %v, %v messages", stream.Batches, stream.RequestBytes, stream.Messages)
	}
	if len(burst.Batches) != 1 || burst.Batches[0] != 5 || burst.RequestBytes[0] != 8 || burst.Messages[0] != 100 {
		t.Errorf("burst: batch %v of %v, %v messages", burst.Batches, burst.RequestBytes, burst.Messages)
	}
}
