package doctest

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"
)

var refresh = flag.Bool("refresh", false, "run quick in full, alone, and put its first tables into README.md")

// quick is the command whose real output the README shows.
const quick = "rpcbench run quick"

// tablesShown are how many of its tables the README has, from its first.
const tablesShown = 2

// TestReadmeShowsTheRealRun finds the beginning of the 60-second run in the README, and with -refresh makes it anew. Do that on
// a machine that does nothing else. TestCommandsPrintWhatTheDocumentsShow compares its shape.
func TestReadmeShowsTheRealRun(t *testing.T) {
	path := filepath.Join(root, "README.md")
	text := read(t, path)
	before, rest, found := strings.Cut(text, "```console\n$ "+quick+"\n")
	shown, after, closed := strings.Cut(rest, "\n```\n")
	if !found || !closed {
		t.Fatalf("README.md has no block with %s", quick)
	}
	if head, rest, _ := strings.Cut(shown, anything); rest != "" || excerpt(head) != shown {
		t.Errorf("the README does not show %d tables and then %s, but\n%s", tablesShown, anything, shown)
	}
	if !*refresh {
		return
	}
	output, code := shell(t, t.TempDir(), quick)
	if code != 0 {
		t.Fatal(output)
	}
	write(t, path, before+"```console\n$ "+quick+"\n"+excerpt(output)+"\n```\n"+after)
}

// excerpt is the beginning of what was printed, with so many tables, each of which a blank line ends.
func excerpt(output string) string {
	parts := strings.SplitN(output, "\n\n", tablesShown+2)
	return strings.Join(parts[:min(len(parts), tablesShown+1)], "\n\n") + "\n\n" + anything
}
