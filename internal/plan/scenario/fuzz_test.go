package scenario

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/allocated"
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
		var s Scenario
		var err error
		allocated.AtMost(t, 512<<20, func() { s, err = Parse("fuzz.yaml", data) })
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

// checkComplete looks at each value once, not at their product.
func checkComplete(t *testing.T, c Case) {
	t.Helper()
	first := c.first()
	if (first.DurationNs > 0) == (first.Calls > 0) || first.Trials < 1 || first.DrainNs <= 0 || c.Title == "" ||
		c.Where("kind", 0) == "" {
		t.Fatalf("incomplete: %+v", c)
	}
	if first.Connections < 1 || first.InFlight < 1 || first.Load == "" || first.Security == "" || first.Network == "" ||
		first.Compression == "" || first.Payload == "" || first.DeadlineNs <= 0 {
		t.Fatalf("an axis without a value: %+v", first)
	}
	if stack.IsCodec(c.Kind) != (first.Message != "" && first.Codec != "" && first.SampleNs > 0) {
		t.Fatalf("what is coded by what is missing, or too much: %+v", first)
	}
	for _, v := range c.values {
		for i := range v.set {
			if err := c.at(map[string]int{v.key.Name: i}).Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
