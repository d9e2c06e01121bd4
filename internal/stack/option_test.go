package stack

import (
	"math"
	"strings"
	"testing"
)

func TestAnOptionTakesWhatItDeclaresAndNothingElse(t *testing.T) {
	t.Parallel()
	words := Option{Name: "o", Words: []string{"proto", "pooled", "bytes"}, Default: "proto"}
	numbers := Option{Name: "o", Numbers: Range{5, 10}}
	both := Option{Name: "o", Words: []string{"auto"}, Numbers: Range{-1, 1}}
	for _, test := range []struct {
		Option
		takes, refuses, values string
	}{
		{words, "proto pooled bytes", "Proto prot bytes,proto 1", "proto, pooled or bytes"},
		{numbers, "5 7 10", "4 11 -5 +5 05 5.0 0x5 5e0 ٥ 99999999999999999999 x", "a whole number from 5 to 10"},
		{both, "auto -1 0 1", "-0 2 none", "auto or a whole number from -1 to 1"},
		{Option{Name: "o"}, "anything 1 -", "", ""},
		{Option{Name: "o", Words: Switch()}, "true false", "yes 1 TRUE", "false or true"},
		{Option{Name: "o", Numbers: Range{0, math.MaxInt64}}, "9223372036854775807", "9223372036854775808",
			"a whole number from 0 to 9223372036854775807"},
	} {
		for value := range strings.FieldsSeq(test.takes) {
			if why := test.Refuse(value); !test.Takes(value) || why != "" {
				t.Errorf("%s refuses %q: %s", test.values, value, why)
			}
		}
		for value := range strings.FieldsSeq(test.refuses) {
			if test.Takes(value) {
				t.Errorf("%s takes %q", test.values, value)
			}
		}
		if got := test.Values(); got != test.values {
			t.Errorf("the values are %q, want %q", got, test.values)
		}
		if test.Takes("") != test.TakesText() {
			t.Errorf("%s: an empty value", test.values)
		}
	}
	if got, want := words.Refuse("x\ny"), `is "x\ny"; it must be proto, pooled or bytes`; got != want {
		t.Errorf("refused with %q, want %q", got, want)
	}
}

func TestAnOptionReadsWhatIsGivenOrElseItsDefault(t *testing.T) {
	t.Parallel()
	number, on := Option{Name: "n", Numbers: Range{5, 10}}, Option{Name: "s", Words: Switch(), Default: "true"}
	given := map[string]string{"n": "7", "s": "false"}
	if got := number.Int(given); got != 7 {
		t.Errorf("the number is %d, want 7", got)
	}
	if got := number.Int(nil); got != 0 {
		t.Errorf("a number that is not given is %d, want 0", got)
	}
	number.Default = "6"
	if got := number.Int(nil); got != 6 {
		t.Errorf("the default is %d, want 6", got)
	}
	if on.IsOn(given) || !on.IsOn(nil) {
		t.Errorf("the switch is %t where it is given, %t by default; want false, true", on.IsOn(given), on.IsOn(nil))
	}
}

func TestADeclarationThatContradictsItselfIsAnError(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]Option{
		"the option o takes numbers from 2 to 1, which are none": {Name: "o", Numbers: Range{2, 1}},
		"the option o takes an empty word":                       {Name: "o", Words: []string{"a", ""}},
		`the default of the option o is "c"; it must be a or b`: {
			Name: "o", Words: []string{"a", "b"}, Default: "c",
		},
		`the default of the option o is "0"; it must be a whole number from 1 to 2`: {Name: "o", Numbers: Range{1, 2}, Default: "0"},
	} {
		if err := o.Check(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := (Option{Name: "o", Default: "any"}).Check(); err != nil {
		t.Error(err)
	}
}

func TestOptionsAreRefusedBySideWithWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	info := Info{Name: "s", Networks: []string{NetworkTCP}, Compressions: []string{CompressionNone}, Options: []Option{
		{Name: "a", Client: true, Words: Switch()}, {Name: "b", Server: true, Numbers: Range{1, 2}},
	}}
	dial := func(options map[string]string) error {
		return info.CheckDial(DialConfig{Network: NetworkTCP, Compression: CompressionNone, InFlight: 1, Options: options})
	}
	serve := func(options map[string]string) error { return info.CheckServe(ServeConfig{Options: options}) }
	for _, test := range []struct {
		err  error
		want string
	}{
		{dial(map[string]string{"a": "on"}), `the option a of s is "on"; it must be false or true`},
		{dial(map[string]string{"b": "1"}), `s has no client option "b"; it has a`},
		{serve(map[string]string{"b": "3"}), `the option b of s is "3"; it must be a whole number from 1 to 2`},
		{serve(map[string]string{"c": "3", "a": "true", "b": "1"}), `s has no server option "a", "c"; it has b`},
	} {
		if CodeOf(test.err) != InvalidArgument || !strings.HasSuffix(test.err.Error(), test.want) {
			t.Errorf("got %v, want INVALID_ARGUMENT: %s", test.err, test.want)
		}
	}
	if err := dial(map[string]string{"a": "true"}); err != nil {
		t.Error(err)
	}
	if err := serve(map[string]string{"b": "2"}); err != nil {
		t.Error(err)
	}
}
