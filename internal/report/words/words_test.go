package words

import "testing"

func TestNumbersHaveThreeDigits(t *testing.T) {
	t.Parallel()
	for ns, want := range map[float64]string{
		950: "0.95 µs", 12_345: "12.3 µs", 999_000: "999 µs", 1.234e6: "1.23 ms", 456e6: "456 ms", 1.5e9: "1.50 s", 12e9: "12.0 s",
	} {
		if got := Duration(ns); got != want {
			t.Errorf("%v ns: %s, want %s", ns, got, want)
		}
	}
	for rate, want := range map[float64]string{0.5: "0.50", 12.34: "12.3", 123.4: "123", 21_400: "21,400", 1e6: "1,000,000"} {
		if got := PerSec(rate); got != want {
			t.Errorf("%v/s: %s, want %s", rate, got, want)
		}
	}
}

func TestAShellReadsAWordAsItIs(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"a.jsonl": "a.jsonl", "": "''", "it's": `'it'\''s'`, "a b": "'a b'"} {
		if got := Shell(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
