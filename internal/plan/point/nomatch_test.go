package point

import "testing"

// Who chose a kind that no case has is told the kinds; who chose one that there is, the titles.
func TestAChoiceThatMatchesNothingNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pattern, kinds, want string }{
		{"", "unary", "no case matches; the kinds are batch, stream"},
		{"x", "unary", "no case matches; the kinds are batch, stream"},
		{"x", "stream", `no case matches; the titles are "A", "B"`},
		{"x", "", `no case matches; the titles are "A", "B"`},
	} {
		choice, err := ChoiceOf(c.pattern, c.kinds)
		if err != nil {
			t.Fatal(err)
		}
		if got := choice.NoMatch([]string{"A", "B"}, []string{"batch", "stream"}); got != c.want {
			t.Errorf("--case %q --kind %q: %s, want %s", c.pattern, c.kinds, got, c.want)
		}
	}
}
