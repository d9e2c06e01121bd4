package hint

import (
	"strings"
	"testing"
)

func TestHintIsTheNearestWordOrAll(t *testing.T) {
	t.Parallel()
	known := []string{"unary", "upload", "tcp"}
	for _, test := range []struct{ word, want string }{
		{"unray", `; did you mean "unary"?`},
		{"UNARY", `; did you mean "unary"?`},
		{"uplaod", `; did you mean "upload"?`},
		{"tpc", `; did you mean "tcp"?`},
		{"xyz", `; known: unary, upload, tcp`},
		{strings.Repeat("unary", 30), `; known: unary, upload, tcp`},
	} {
		if got := Of(test.word, known); got != test.want {
			t.Errorf("%s: got %s, want %s", test.word, got, test.want)
		}
	}
	for word, known := range map[string]string{"--retries": "--metrics", "--sleep": "--seed", "--follow": "--flow", "--x": "--b"} {
		if got := Near(word, []string{known}); got != "" { // another word is worse than none
			t.Errorf("%s: %s", word, got)
		}
	}
	for word, known := range map[string]string{
		"--in-fligth": "--in-flight", "--conections": "--connections", "--durrration": "--duration", "--rat": "--rate",
		"--otu": "--out",
	} {
		if got := Near(word, []string{known}); got == "" {
			t.Errorf("%s is not near to %s", word, known)
		}
	}
	if got := Of("--metrics", []string{"--strict"}); got != "; known: --strict" { // 3 of 7 letters differ
		t.Errorf("got %s", got)
	}
	if got := Of("a", nil); got != "; there is none" {
		t.Errorf("got %s", got)
	}
}

func TestDistanceCountsEdits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "abc", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abd", 1}, {"abc", "acb", 1},
		{"abc", "abcd", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}, {"é", "e", 1},
	} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("%q to %q: got %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// Known words come from servers and files too.
func TestALongWordDoesNotFillTheSentence(t *testing.T) {
	t.Parallel()
	got := Of("x", []string{strings.Repeat("é", 1<<20), "short"})
	if want := "; known: " + strings.Repeat("é", wordBytesMax/2) + "…, short"; got != want {
		t.Errorf("got %d bytes: %.300s", len(got), got)
	}
}

func TestAPartIsAnsweredWithTheWholeWords(t *testing.T) {
	t.Parallel()
	known := []string{"shop.v1.Shop/GetItem", "shop.v1.Shop/Watch", "old.Shop/GetItem"}
	for _, test := range []struct{ word, want string }{
		{"GetItem", `; did you mean "shop.v1.Shop/GetItem" or "old.Shop/GetItem"?`},
		{"getitme", `; did you mean "shop.v1.Shop/GetItem" or "old.Shop/GetItem"?`},
		{"Watch", `; did you mean "shop.v1.Shop/Watch"?`},
		{"Delete", `; known: shop.v1.Shop/GetItem, shop.v1.Shop/Watch, old.Shop/GetItem`},
	} {
		if got := OfPart(test.word, known, "/"); got != test.want {
			t.Errorf("%s: got %s, want %s", test.word, got, test.want)
		}
	}
}
