package scenario

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"rpcbench/internal/stack"
)

// FuzzParse: whatever the bytes are, Parse ends, and either every case is complete and within its limits or the error
// is an *Error of one line.
func FuzzParse(f *testing.F) {
	for _, name := range BuiltinNames() {
		data, err := builtin.ReadFile("builtin/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, keys := range []string{"kind: [unary, stream]\nmessages: 5", "kind: ping_pong\nstreams: 2", "shape: 1x",
		"load: poisson 1e3/s", "options: [{a: b}, {}]", "client_cpus: 0-1,3", "request_bytes: 1 KiB", "a: &b [*b]",
		"? {a: b}\n: c", "<<: {kind: unary}", "kind: !!str unary",
		"kind: burst\nbatch: [1, 100]\nservers: 2\nshape: 2x1", "link: [wan, {rtt: 10ms, jitter: 1ms, up: 1.5Mbit}]",
		"kind: decode\ncodec: json", "kind: encode\nmessage: [all, small]\nsample: 1s",
		"jvm_options: ['-Xms2g -Xmx2g', \"-Da='b c'\"]", "note: |\n  a", "'': ~", "kind: \"\\x00\""} {
		f.Add([]byte(inCase(keys)))
	}
	f.Add([]byte("name: [\n"))
	f.Add(bytes.Repeat([]byte("["), fileBytesMax))
	f.Add([]byte("\xff\xfe\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("fuzz.yaml", data)
		if err != nil {
			var bad *Error
			if !errors.As(err, &bad) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "fuzz.yaml") {
				t.Fatalf("not one sentence with its place: %v", err)
			}
			return
		}
		for _, c := range s.Cases {
			checkComplete(t, c)
		}
	})
}

func checkComplete(t *testing.T, c Case) {
	t.Helper()
	if (c.Duration > 0) == (c.Calls > 0) || c.Trials < 1 || c.Drain <= 0 || c.Title == "" || c.Where("kind", 0) == "" {
		t.Fatalf("incomplete: %+v", c)
	}
	for _, n := range []int{len(c.RequestBytes), len(c.Shapes), len(c.Loads), len(c.Securities),
		len(c.Networks), len(c.Compressions), len(c.Payloads), len(c.Deadlines)} {
		if n == 0 {
			t.Fatalf("an axis without a value: %+v", c)
		}
	}
	if stack.IsCodec(c.Kind) != (len(c.CodecMessages) > 0 && len(c.Codecs) > 0 && c.Sample > 0) {
		t.Fatalf("what is coded by what is missing, or too much: %+v", c)
	}
	for _, shape := range c.Shapes {
		if shape.Connections < 1 || shape.InFlight < 1 || shape.Connections*shape.InFlight > SlotsMax {
			t.Fatalf("shape %v", shape)
		}
		for _, servers := range c.ServerCounts {
			if servers < 1 || servers > shape.Connections {
				t.Fatalf("%d servers for shape %v", servers, shape)
			}
		}
	}
	for _, l := range c.Links {
		if l.RTT < 0 || l.RTT > RTTMax || l.Jitter < 0 || l.Jitter > l.RTT/2 || !isBandwidth(l.UpPerSec) || !isBandwidth(l.DownPerSec) {
			t.Fatalf("link %+v", l)
		}
	}
}

func isBandwidth(bytesPerSec float64) bool {
	return bytesPerSec == 0 || bytesPerSec >= BandwidthMin/8 && bytesPerSec <= BandwidthMax/8
}
