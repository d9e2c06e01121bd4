package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../.."

// documents are those whose commands are run.
func documents(t *testing.T) []string {
	t.Helper()
	manual, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	if len(manual) == 0 {
		t.Fatal("there is no document in docs")
	}
	return append([]string{filepath.Join(root, "README.md")}, manual...)
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A block is what stands between two fences.
type block struct {
	where string // "README.md:12", of the opening fence
	kind  string // the word behind the fence
	lines []string
}

var fence = regexp.MustCompile("^```([a-z]*)$")

func blocks(name, text string) ([]block, error) {
	var found []block
	var open *block
	for i, line := range strings.Split(text, "\n") {
		match := fence.FindStringSubmatch(line)
		switch {
		case match == nil && open != nil:
			open.lines = append(open.lines, line)
		case match == nil:
		case open == nil:
			open = &block{where: fmt.Sprintf("%s:%d", name, i+1), kind: match[1]}
		case match[1] != "":
			return nil, fmt.Errorf("%s:%d: a block opens within the block of %s", name, i+1, open.where)
		default:
			found = append(found, *open)
			open = nil
		}
	}
	if open != nil {
		return nil, fmt.Errorf("%s: the block has no end", open.where)
	}
	return found, nil
}

// A step is a command of a console block, and what it prints.
type step struct {
	command string
	output  []string
}

func (b block) steps() ([]step, error) {
	var steps []step
	for _, line := range b.lines {
		command, isCommand := strings.CutPrefix(line, "$ ")
		last := len(steps) - 1
		switch {
		case isCommand:
			steps = append(steps, step{command: command})
		case last < 0:
			return nil, fmt.Errorf("%s: the block does not begin with a command: %q", b.where, line)
		case strings.HasSuffix(steps[last].command, `\`) && len(steps[last].output) == 0:
			steps[last].command = strings.TrimSuffix(steps[last].command, `\`) + strings.TrimSpace(line)
		default:
			steps[last].output = append(steps[last].output, line)
		}
	}
	return steps, nil
}

// scenarioFile returns the name of the file that a yaml block is: its first line is "# NAME.yaml".
func (b block) scenarioFile() (name string, ok bool) {
	if b.kind != "yaml" || len(b.lines) == 0 {
		return "", false
	}
	name, found := strings.CutPrefix(b.lines[0], "# ")
	return name, found && strings.HasSuffix(name, ".yaml") && !strings.Contains(name, " ")
}

func TestBlocksAreTakenApart(t *testing.T) {
	t.Parallel()
	text := "a\n```console\n$ rpcbench run \\\n    quick\nout\n$ echo $?\n0\n```\nb\n```yaml\n# my.yaml\nname: x\n```\n"
	found, err := blocks("x.md", text)
	if err != nil || len(found) != 2 || found[0].where != "x.md:2" || found[1].kind != "yaml" {
		t.Fatalf("got %v, %v", found, err)
	}
	steps, err := found[0].steps()
	if err != nil || len(steps) != 2 {
		t.Fatalf("got %v, %v", steps, err)
	}
	if steps[0].command != "rpcbench run quick" || strings.Join(steps[0].output, "|") != "out" ||
		steps[1].command != "echo $?" {
		t.Errorf("got %q", steps)
	}
	if name, ok := found[1].scenarioFile(); name != "my.yaml" || !ok {
		t.Errorf("got the name %q, %v", name, ok)
	}
	if _, err := blocks("x.md", "```console\n$ rpcbench\n"); err == nil {
		t.Error("a block without an end is accepted")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
