package scenario

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/point"
)

func TestALinkIsAPresetOrAMapOfWhatItHas(t *testing.T) {
	t.Parallel()
	wan := &point.Link{Name: "wan", RTTNs: 45e6, JitterNs: 1e6, UpBytesPerSec: 12.5e6, DownBytesPerSec: 12.5e6}
	for keys, want := range map[string][]*point.Link{
		"kind: unary":                                nil,
		"kind: unary\nlink: loopback":                {nil},
		"kind: unary\nlink: [wan, loopback]":         {wan, nil},
		"kind: unary\nlink: {rtt: 10ms}":             {{RTTNs: 10e6}},
		"kind: connect\nlink: {up: 20Mbit}":          {{UpBytesPerSec: 2.5e6}},
		"kind: unary\nlink: {down: 1.5 kbit/s}":      {{DownBytesPerSec: 187.5}},
		"kind: [encode, unary]\nlink: {down: 1Gbit}": {{DownBytesPerSec: 125e6}},
		"kind: unary\nlink: {rtt: 10ms, jitter: 5ms, up: 8kbit, down: 16kbit}": {
			{RTTNs: 10e6, JitterNs: 5e6, UpBytesPerSec: 1000, DownBytesPerSec: 2000}},
	} {
		s, err := Parse("my.yaml", []byte(inCase(keys)))
		if err != nil {
			t.Errorf("%s: %v", keys, err)
			continue
		}
		got := listed(s.Cases[len(s.Cases)-1], "link", func(p point.Asked) *point.Link { return p.Link })
		if diff := cmp.Diff(want, got); diff != "" {
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
		if diff := cmp.Diff(want, requestSizes(s.Cases[0])); diff != "" {
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
	stream, burst := s.Cases[0].Points(), s.Cases[1].Points()
	if p := stream[0]; len(stream) != 1 || p.Batch != 0 || p.RequestBytes != 1000 || p.Messages != 1000 {
		t.Errorf("stream: batch %d of %d B, %d messages", p.Batch, p.RequestBytes, p.Messages)
	}
	if p := burst[0]; len(burst) != 1 || p.Batch != 5 || p.RequestBytes != 8 || p.Messages != 100 {
		t.Errorf("burst: batch %d of %d B, %d messages", p.Batch, p.RequestBytes, p.Messages)
	}
}

func requestSizes(c Case) []int {
	return listed(c, "request_bytes", func(p point.Asked) int { return p.RequestBytes })
}
