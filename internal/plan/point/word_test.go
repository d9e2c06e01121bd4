package point

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestWordsAreSplitAsByAShell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                              {},
		"  -a\t-b  ":                    {"-a", "-b"},
		`-Da="b  c" '-Dd=e;f' -Dg=h\ i`: {"-Da=b  c", "-Dd=e;f", "-Dg=h i"},
		`-XX:OnError='kill -9 %p' #x`:   {"-XX:OnError=kill -9 %p", "#x"},
		"-Da=$HOME ''":                  {"-Da=$HOME", ""},
	} {
		got, err := SplitWords(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	if _, err := CommandWords("cd /tmp && node x"); err == nil ||
		err.Error() != `"&" in it must be quoted: no shell carries out the command; write sh -c '…' if one is to` {
		t.Errorf("a command with an operator: %v", err)
	}
	for _, text := range []string{"a;b", "a & b", "a|b", "a >b", "'a", `"a`, `a\`, "(a)"} {
		if got, err := SplitWords(text); err == nil {
			t.Errorf("%s: got %q, want an error", text, got)
		}
	}
}

// FuzzSplitWords: whatever the text is, words quoted in it come back as they were.
func FuzzSplitWords(f *testing.F) {
	for _, seed := range []string{"-Xmx2g", "a b", "it's", `\`, "$(x)", "`", "", "é;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		_, _ = SplitWords(word) // it ends, whatever it says
		if !utf8.ValidString(word) {
			return
		}
		if got, err := SplitWords("-a " + quotedForShell(word)); err != nil || len(got) != 2 || got[1] != word {
			t.Fatalf("%q: got %q, %v", word, got, err)
		}
	})
}

// quotedForShell puts a word between single quotes, and its own single quotes between double ones.
func quotedForShell(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

func TestAQuotedWordIsReadAsItIs(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"a.jsonl": "a.jsonl", "": "''", "it's": `'it'\''s'`, "a b": "'a b'", "-Dpassword=…": "'-Dpassword=…'", "$HOME;": "'$HOME;'",
	} {
		quoted := Quoted(word)
		if quoted != want {
			t.Errorf("%q: %s, want %s", word, quoted, want)
		}
		if words, err := SplitWords(quoted); err != nil || len(words) != 1 || words[0] != word {
			t.Errorf("%s is read as %q, %v", quoted, words, err)
		}
	}
}
