package note

import (
	"testing"

	"rpcbench/internal/results/result"
)

func TestWhatACallSaysIsNotItsCode(t *testing.T) {
	t.Parallel()
	for example, want := range map[string]string{
		"":                                  "",
		"RESOURCE_EXHAUSTED: ":              "",
		"RESOURCE_EXHAUSTED: too\nmany":     "too many",
		"the deadline passed":               "the deadline passed",
		"UNAVAILABLE: \x1b[31mnobody there": "UNAVAILABLE: [31mnobody there",
	} {
		if got := Said(result.Outcome{Code: "RESOURCE_EXHAUSTED", Calls: 1, Example: example}); got != want {
			t.Errorf("%q: %q, want %q", example, got, want)
		}
	}
}

func TestWhatTheFirstOfSeveralCallsSaysIsNamedSo(t *testing.T) {
	t.Parallel()
	for example, want := range map[string]string{"": "", "UNAVAILABLE: ": "", "UNAVAILABLE: reset by peer": "first: reset by peer"} {
		if got := Said(result.Outcome{Code: "UNAVAILABLE", Calls: 2, Example: example}); got != want {
			t.Errorf("%q: %q, want %q", example, got, want)
		}
	}
}
