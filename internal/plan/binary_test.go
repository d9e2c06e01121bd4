package plan

import (
	"strings"
	"testing"
	"time"
)

// A point gets what is known of its binary, and is left out with a note where the binary lacks one of its stacks.
func TestABinaryHostsItsPointsOrTheyAreLeftOut(t *testing.T) {
	t.Parallel()
	known := Binary{Hash: "abc", Version: "v1 go1.26", Stacks: []string{"grpc-go", "tcp"}}
	for _, test := range []struct {
		spec  Spec
		lacks string
		hash  string
	}{
		{Spec{Stack: "grpc-go", Server: "grpc-go"}, "", ""},
		{Spec{Stack: "grpc-go", Server: "grpc-go", Binary: "old=./old"}, "", "abc"},
		{Spec{Stack: "tcp", Binary: "old=./old"}, "", "abc"},
		{Spec{Stack: "grpc-go", Server: "connect-go", Binary: "old=./old"}, "binary old does not host connect-go", "abc"},
		{Spec{Stack: "connect-go", Server: "grpc-go", Binary: "old=./old"}, "binary old does not host connect-go", "abc"},
		{Spec{Stack: "tcp", Server: "tcp", Binary: "new=./new"}, "binary new does not host tcp", ""}, // nobody asked it
	} {
		b := &builder{config: Config{Binaries: map[string]Binary{"./old": known}}}
		got := test.spec
		lacks := b.binaryLacks(got).String()
		if b.suitBinary(&got); lacks != test.lacks || got.BinaryHash != test.hash {
			t.Errorf("%s calling %s by %q: %q, hash %q; want %q, %q", test.spec.Stack, test.spec.Server, test.spec.Binary, lacks,
				got.BinaryHash, test.lacks, test.hash)
		}
	}
}

// What a program can do that the user named is what counts, and not what the worker can that usually hosts the stack.
func TestAPointHasTheAbilitiesOfItsBinary(t *testing.T) {
	t.Parallel()
	able := Abilities{LeastWarmup: 3 * time.Second, CompilerPatience: 40 * time.Second, Stages: true, Ports: true}
	unable := Abilities{}
	const (
		plain = "kind: unary"
		stage = "kind: unary, load: constant, ramp: 'line:10..100/s@5s'"
		ports = "kind: unary, ports: 2, connections: 2"
	)
	for _, test := range []struct {
		stack, keys string
		binary      Abilities
		warmup      time.Duration
		compilers   time.Duration
		lacks       string
	}{
		{"grpc-go", plain, able, 3 * time.Second, 40 * time.Second, ""},
		{"grpc-java", plain, able, 3 * time.Second, 40 * time.Second, ""},
		{"grpc-java", plain, unable, time.Second, 0, ""}, // its usual worker takes 8 s
		{"grpc-go", stage, able, 3 * time.Second, 40 * time.Second, ""},
		{"grpc-go", stage, unable, 0, 0, "grpc-go supports no load that changes over time"},
		{"grpc-go", ports, able, 3 * time.Second, 40 * time.Second, ""},
		{"grpc-go", ports, unable, 0, 0, "grpc-go listens on one port"},
	} {
		name := test.stack + " " + test.keys
		specs, p, err := inOrder(t, func(c *Config) {
			c.JVMOptions = "-Xmx1g"
			c.Binaries = map[string]Binary{"./b": {Abilities: test.binary, Stacks: []string{"grpc-go", "grpc-java"}}}
		}, "- {title: a, warmup: 1s, binary: b=./b, stack: "+test.stack+", "+test.keys+"}")
		if err != nil {
			if test.lacks == "" || !strings.Contains(err.Error(), test.lacks) {
				t.Errorf("%s: %v, want %q", name, err, test.lacks)
			}
			continue
		}
		s := specs[0]
		if test.lacks != "" || s.WarmupNs != int64(test.warmup) || s.CompilersMostNs != int64(test.compilers) || s.JVMOptions != "" {
			t.Errorf("%s: warm-up %d, compilers %d, JVM options %q, notes %q; want %v, %v, none, %q", name, s.WarmupNs,
				s.CompilersMostNs, s.JVMOptions, texts(p.Notes), test.warmup, test.compilers, test.lacks)
		}
	}
}
