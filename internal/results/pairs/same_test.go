package pairs_test

import (
	"testing"

	"rpcbench/internal/results/pairs"
	"rpcbench/internal/results/result"
)

func TestSidesThatCannotDiffer(t *testing.T) {
	t.Parallel()
	program := func(hash string, words ...string) result.Program { return result.Program{Command: words, SHA256: hash} }
	for name, c := range map[string]struct {
		a, b result.Program
		same bool
	}{
		"the same command":             {program("1", "serve", "--fast"), program("1", "serve", "--fast"), true},
		"a copy under another name":    {program("1", "old", "--fast"), program("1", "new", "--fast"), true},
		"other arguments":              {program("1", "serve", "--fast"), program("1", "serve"), false},
		"another build at its path":    {program("1", "serve"), program("2", "serve"), false},
		"a program that can't be read": {program("", "serve"), program("", "serve"), true},
		"two that can't be read":       {program("", "old"), program("", "new"), false},
		"arguments that are hidden":    {program("1", "serve", "--token=…"), program("1", "serve", "--token=…"), false},
		"no commands":                  {program(""), program(""), false},
	} {
		if got := pairs.IsSame(result.AB{A: c.a, B: c.b}); got != c.same {
			t.Errorf("%s: %v, want %v", name, got, c.same)
		}
	}
}
