package point

import (
	"testing"

	"rpcbench/internal/stack"
)

func TestAChoiceMatchesTitlesAndKeys(t *testing.T) {
	t.Parallel()
	s := Spec{Stack: "grpc-go", Kind: stack.KindUnary, RequestBytes: 100, ResponseBytes: 100, Connections: 1, InFlight: 4,
		Load: LoadClosed}
	for _, test := range []struct {
		pattern, kinds string
		want           bool
	}{
		{"", "", true},
		{"^Echo", "", true},
		{"echo", "", false},
		{"(?i)echo", "", true},
		{`request_bytes=100\b`, "", true},
		{`request_bytes=10\b`, "", false},
		{"in_flight=4", "unary", true},
		{"in_flight=4", "stream", false},
		{"", "stream, unary", true},
		{"", "stream", false},
		{"nothing", "unary", false},
		{"stack=grpc-go", "", true},
	} {
		choice, err := ChoiceOf(test.pattern, test.kinds)
		if err != nil {
			t.Fatal(err)
		}
		if got := choice.Takes("Echo, 1 B to 100 kB", s); got != test.want {
			t.Errorf("--case %q --kind %q: %v, want %v", test.pattern, test.kinds, got, test.want)
		}
	}
	s.Kind = ""
	if choice, _ := ChoiceOf("", "stream"); !choice.Takes("Echo", s) {
		t.Error("a kind that is not known yet was left out")
	}
}

func TestAChoiceRefusesWhatItCannotMean(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ pattern, kinds, want string }{
		{"(", "", "--case (: not a regular expression: missing closing ): `(`"},
		{"", "unray", `--kind unray: "unray" is unknown; did you mean "unary"?`},
		{"", "unary,", `--kind unary,: "" is unknown; known: connect, first_call, unary, stream, ping_pong, burst, upload, ` +
			`download, both_ways, encode, decode`},
	} {
		if _, err := ChoiceOf(test.pattern, test.kinds); err == nil || err.Error() != test.want {
			t.Errorf("got %v\nwant %s", err, test.want)
		}
	}
}
