package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-shellwords"

	"rpcbench/internal/cli"
	"rpcbench/internal/test/manualtest"
)

var (
	// nothingKnown ends a sentence that knows no more than that there is no such word.
	nothingKnown = regexp.MustCompile(`--help lists them$`)
	// namesOurs is a flag or a command of ours.
	namesOurs = regexp.MustCompile(`--[a-z]{2}|rpcbench [a-z]|needs|must be|requires|reports have|TARGET|scenario|an address`)
	// internals are words of the libraries that read flags and files.
	internals = regexp.MustCompile(`strconv|yaml:|pflag|invalid argument|parse error|runtime error|goroutine|unmarshal|%!`)
)

// A peerLine is a line that somebody types here by habit, and what is in the answer, one of several; "runs" is that no server is
// there.
type peerLine struct {
	words string
	want  []string
}

// The want of a line that works.
const runs = "cannot reach the server at "

// A peer reads testdata/peers/TOOL.txt. Its lines are
//
//	$ LINE => ANSWER         as it is, in the tool's documentation
//	with LINE                in which … is the place of the flags below
//	NAMES | RIGHT | WRONG | ANSWER
//
// A flag's names are tried with a right value, joined and apart, and with a wrong one and without one, which must be answered
// with the flag's name or with ANSWER; - is no such value, and an empty one a switch. The answer "runs" means that only the
// server is missing, "runs --OURS" also what a wrong value is said to be of, and an empty one names something of ours.
func readPeer(t *testing.T, tool string) (lines []peerLine) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "peers", tool+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	frame := "load … 127.0.0.1:1"
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "$ "):
			words, want, _ := strings.Cut(line[2:], " => ")
			lines = append(lines, peerLine{words, []string{want}})
		case strings.HasPrefix(line, "with "):
			frame = line[len("with "):]
		default:
			columns := strings.Split(line, "|")
			if len(columns) != 4 {
				t.Fatalf("%s: %q has not four columns", tool, line)
			}
			for i := range columns {
				columns[i] = strings.TrimSpace(columns[i])
			}
			lines = append(lines, tried(frame, strings.Fields(columns[0]), columns[1], columns[2], columns[3])...)
		}
	}
	return lines
}

// tried are the lines of one flag.
func tried(frame string, names []string, right, wrong, answer string) (lines []peerLine) {
	answer, ours, _ := strings.Cut(answer, "runs ")
	if ours != "" {
		answer = "runs"
	}
	for _, name := range names {
		isLong := strings.HasPrefix(name, "--")
		add := func(format string, args ...any) {
			words := strings.Replace(frame, "…", fmt.Sprintf(format, args...), 1)
			lines = append(lines, peerLine{words, []string{answer}})
		}
		refused := func(words string) {
			lines = append(lines, peerLine{words, slices.DeleteFunc([]string{name, ours, answer}, func(text string) bool {
				return text == "" || text == "runs"
			})})
		}
		switch {
		case right == "" && isLong:
			add("%s", name)
			add("%s", name[1:])
			refused(strings.Replace(frame, "…", name+"=maybe", 1))
			continue
		case right == "":
			add("%s", name)
			continue
		case right == "-":
		case isLong:
			add("%s %s", name, right)
			add("%s=%s", name, right)
			add("%s %s", name[1:], right)
		default:
			add("%s %s", name, right)
			add("%s%s", name, right)
		}
		if wrong != "-" {
			refused(strings.Replace(frame, "…", name+" "+wrong, 1))
		}
		refused(strings.Replace(frame, "…", "", 1) + " " + name)
	}
	return lines
}

// answerTo returns what a line is answered with, and complains unless it is one sentence about it.
func answerTo(t *testing.T, line peerLine) string {
	t.Helper()
	words, err := shellwords.Parse(line.words)
	if err != nil {
		t.Fatalf("%s: %v", line.words, err)
	}
	code, said := cli.Say(words, stacks())
	if strings.Contains(said, "a command is missing; did you mean rpcbench load") {
		code, said = cli.Say(append([]string{"load"}, words...), stacks())
	}
	said = strings.TrimSuffix(said, "\n")
	isRun := strings.Contains(said, runs)
	switch {
	case code != 2 || strings.Contains(said, "\n"):
		t.Errorf("%s\n  exit code %d, want 2 and one line: %s", line.words, code, said)
	case internals.MatchString(said):
		t.Errorf("%s\n  in words of our libraries: %s", line.words, said)
	case isRun != slices.Contains(line.want, "runs") && !slices.Contains(line.want, ""):
		t.Errorf("%s\n  want %q, got %s", line.words, line.want, said)
	case !isRun && (nothingKnown.MatchString(said) || slices.Contains(line.want, "") && !namesOurs.MatchString(said)):
		t.Errorf("%s\n  is answered with nothing of ours: %s", line.words, said)
	case !isRun && !slices.ContainsFunc(line.want, func(text string) bool { return mentions(said, text) }):
		t.Errorf("%s\n  want %q in it: %s", line.words, line.want, said)
	}
	return said
}

// mentions returns whether a sentence has a text, or a flag as it is spelled here.
func mentions(said, text string) bool {
	ours := strings.ReplaceAll(text, "_", "-")
	return strings.Contains(said, text) || strings.HasPrefix(text, "--") && strings.Contains(said, ours)
}

// A line of another tool's runs, or is answered with what does that here; one with a mistake, by a sentence about it. Lines
// without a command are told to begin with "rpcbench load", and are tried again with it. The manual has the counts.
func TestLinesOfOtherToolsRunOrNameWhatDoesItHere(t *testing.T) { //nolint:paralleltest // it changes the working directory
	tools := []struct{ name, file string }{
		{"ghz", "ghz"}, {"hey", "hey"}, {"oha", "oha"}, {"k6", "k6"}, {"h2load", "h2load"}, {"wrk, wrk2", "wrk"}, {"fortio", "fortio"},
		{"vegeta", "vegeta"}, {"grpcurl", "grpcurl"}, {"curl", "curl"}, {"gRPC's QPS driver and workers", "grpc-qps"},
		{"grpc-java's `qps_client`, `openloop_client`, `qps_server`", "grpc-java"}, {"Vanadium's `benchmark`", "vanadium"},
	}
	all := make([][]peerLine, len(tools))
	for i, tool := range tools {
		all[i] = readPeer(t, tool.file)
	}
	rows := "|---|---|---|---|\n"
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	writeText(t, filepath.Join(folder, "greeter.proto"), `syntax = "proto3"; package helloworld; message A { string name = 1; }
service Greeter { rpc SayHello(A) returns (A); }`)
	writeText(t, filepath.Join(folder, "body.json"), "{}")
	t.Chdir(folder)
	for i, tool := range tools {
		tried, ran := map[string]bool{}, 0
		for _, line := range all[i] {
			if tried[line.words] {
				t.Errorf("%s: %s is there twice", tool.name, line.words)
			}
			tried[line.words] = true
			if strings.Contains(answerTo(t, line), runs) {
				ran++
			}
		}
		rows += fmt.Sprintf("| %s | %d | %d | %d |\n", tool.name, len(tried), ran, len(tried)-ran)
		if len(tried) < 100 {
			t.Errorf("%d lines of %s, want 100", len(tried), tool.name)
		}
	}
	t.Chdir(home)
	manualtest.Table(t, "load.md", "| tool | lines | work | are answered in a sentence |\n", rows, *update)
}
