package words

import "testing"

func TestAShellReadsAWordAsItIs(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"a.jsonl": "a.jsonl", "": "''", "it's": `'it'\''s'`, "a b": "'a b'"} {
		if got := Shell(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
