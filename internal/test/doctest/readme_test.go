package doctest

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"
)

var refresh = flag.Bool("refresh", false, "run quick in full, alone, and put what it prints into README.md")

// quick is the command whose real output the README shows.
const quick = "rpcbench run quick"

// TestReadmeShowsTheRealRun finds the 60-second run in the README, and with -refresh makes it anew. Do that on a machine
// that does nothing else.
func TestReadmeShowsTheRealRun(t *testing.T) {
	path := filepath.Join(root, "README.md")
	text := read(t, path)
	before, rest, found := strings.Cut(text, "```console\n$ "+quick+"\n")
	shown, after, closed := strings.Cut(rest, "\n```\n")
	if !found || !closed {
		t.Fatalf("README.md has no block with %s", quick)
	}
	if strings.Contains(shown, "\n"+anything+"\n") {
		t.Error("the README leaves out a part of the run")
	}
	if !*refresh {
		return
	}
	output, code := shell(t, t.TempDir(), quick)
	if code != 0 {
		t.Fatal(output)
	}
	write(t, path, before+"```console\n$ "+quick+"\n"+strings.TrimSpace(output)+"\n```\n"+after)
}
