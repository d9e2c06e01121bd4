package plan

import (
	"slices"
	"testing"
)

// A point gets what is known of its binary, and is left out with a note where the binary lacks one of its stacks.
func TestABinaryHostsItsPointsOrTheyAreLeftOut(t *testing.T) {
	t.Parallel()
	known := Binary{Hash: "abc", Version: "v1 go1.26", Stacks: []string{"grpc-go", "tcp"}}
	for _, test := range []struct {
		spec  Spec
		suits bool
		hash  string
	}{
		{Spec{Stack: "grpc-go", Server: "grpc-go"}, true, ""},
		{Spec{Stack: "grpc-go", Server: "grpc-go", Binary: "old=./old"}, true, "abc"},
		{Spec{Stack: "tcp", Binary: "old=./old"}, true, "abc"},
		{Spec{Stack: "grpc-go", Server: "connect-go", Binary: "old=./old"}, false, ""},
		{Spec{Stack: "connect-go", Server: "grpc-go", Binary: "old=./old"}, false, ""},
		{Spec{Stack: "tcp", Server: "tcp", Binary: "new=./new"}, false, ""}, // nobody asked it
	} {
		b := &builder{config: Config{Binaries: map[string]Binary{"./old": known}}}
		got := test.spec
		if suits := b.suitBinary(pair{}, Case{}, &got); suits != test.suits || got.BinaryHash != test.hash {
			t.Errorf("%s calling %s by %q: %v, hash %q; want %v, %q", test.spec.Stack, test.spec.Server, test.spec.Binary, suits,
				got.BinaryHash, test.suits, test.hash)
		}
	}
	if !slices.Contains(known.Stacks, "tcp") {
		t.Error("what is known of the binary has changed")
	}
}
