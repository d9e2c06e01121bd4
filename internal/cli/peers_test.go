package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/mattn/go-shellwords"
)

var (
	// nothingKnown ends a sentence that knows no more than that there is no such word.
	nothingKnown = regexp.MustCompile(`--help lists them$|; known: `)
	// namesOurs is a flag or a command of ours.
	namesOurs = regexp.MustCompile(`--[a-z]{2}|rpcbench [a-z]|needs|serve`)
)

// unanswered is a line whose -B is ghz's, with a value, so that what is left is no server.
const unanswered = "h2load -B http://127.0.0.1:1 /\n"

// replied says what a line of another tool's is answered with: "runs" if nothing but the server is missing, "sentence" if
// something of ours is named instead, and "" if nothing is.
func replied(t *testing.T, folder string, args []string) (kind, said string) {
	t.Helper()
	command := exec.Command("rpcbench", args...)
	command.Dir = folder
	text, err := command.CombinedOutput()
	said = strings.TrimSuffix(string(text), "\n")
	if got := code(err); got != 2 || strings.Contains(said, "\n") {
		t.Errorf("%q: exit code %d, want 2 and one line:\n%s", args, got, said)
	}
	switch {
	case strings.Contains(said, "cannot reach the server at "):
		return "runs", said
	case nothingKnown.MatchString(said) || !namesOurs.MatchString(said):
		return "", said
	default:
		return "sentence", said
	}
}

// A line of another tool's flags runs, or is answered with what does that here. Lines without a command are told to begin with
// "rpcbench load", and are tried again with it.
func TestLinesOfOtherToolsRunOrNameWhatDoesItHere(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "peers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	writeText(t, filepath.Join(folder, "greeter.proto"), `syntax = "proto3"; package helloworld; message A { string name = 1; }
service Greeter { rpc SayHello(A) returns (A); }`)
	writeText(t, filepath.Join(folder, "body.json"), "{}")
	var mu sync.Mutex
	var running sync.WaitGroup
	counts := map[string]map[string]int{}
	free := make(chan struct{}, 4)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words, err := shellwords.Parse(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			kind, said := replied(t, folder, words[1:])
			if strings.Contains(said, "a command is missing; did you mean rpcbench load") {
				kind, said = replied(t, folder, append([]string{"load"}, words[1:]...))
			}
			if kind == "" && line != unanswered {
				t.Errorf("%s  is answered with\n  %s", strings.TrimSpace(line), said)
			}
			mu.Lock()
			defer mu.Unlock()
			if counts[words[0]] == nil {
				counts[words[0]] = map[string]int{}
			}
			counts[words[0]][kind]++
			counts[words[0]]["all"]++
		})
	}
	running.Wait()
	all := 0
	for tool, c := range counts {
		t.Logf("%-7s %d lines: %d run, %d are answered with what does it here", tool, c["all"], c["runs"], c["sentence"])
		all += c["all"]
	}
	if all < 100 || len(counts) < 7 {
		t.Errorf("%d lines of %d tools, want 100 of 7", all, len(counts))
	}
}
