package doctest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
)

// A coverage is a row of docs/coverage.md: a feature, whether it is here, and as what.
type coverage struct {
	line        int
	what, state string
	as          string
}

func coverages(t *testing.T) []coverage {
	t.Helper()
	var found []coverage
	for i, line := range strings.Split(read(t, filepath.Join(root, "docs", "coverage.md")), "\n") {
		cells := strings.SplitN(strings.Trim(line, "| "), " | ", 3)
		if strings.HasPrefix(line, "| ") && len(cells) == 3 && cells[1] != "here?" {
			found = append(found, coverage{i + 1, cells[0], cells[1], cells[2]})
		}
	}
	if len(found) < 200 {
		t.Fatalf("docs/coverage.md has %d rows", len(found))
	}
	return found
}

// TestCoverageClaimsNothingThatIsNot holds each row to a state, and its code to the program: its runs are planned, its keys
// and values read, its flags are those of its verb, and its other names those of the manual.
func TestCoverageClaimsNothingThatIsNot(t *testing.T) {
	t.Parallel()
	states := regexp.MustCompile(`^(here|here, differently|here, except for [^,]+|not possible)$`)
	manual := manualWords(t)
	for _, c := range coverages(t) {
		if !states.MatchString(c.state) {
			t.Errorf("coverage.md:%d: %s: it is %q", c.line, c.what, c.state)
		}
		spans := inCode.FindAllStringSubmatch(c.as, -1)
		if c.state != "not possible" && len(spans) == 0 && !strings.Contains(c.as, "](") {
			t.Errorf("coverage.md:%d: %s: it is here, and nothing shows it", c.line, c.what)
		}
		for _, span := range spans {
			if err := holds(t, span[1], manual); err != nil {
				t.Errorf("coverage.md:%d: %s: `%s`: %v", c.line, c.what, span[1], err)
			}
		}
	}
}

// manualWords are all words in backquotes of the other pages.
func manualWords(t *testing.T) map[string]bool {
	t.Helper()
	words := map[string]bool{}
	for _, page := range append(pages(t), filepath.Join(root, "java", "microbench", "README.md")) {
		if filepath.Base(page) == "coverage.md" {
			continue
		}
		for _, match := range inCode.FindAllStringSubmatch(read(t, page), -1) {
			words[match[1]] = true
		}
	}
	return words
}

var (
	aKey  = regexp.MustCompile(`^([a-z_0-9]+): (.+)$`)
	aFlag = regexp.MustCompile(`(^| )(--?[a-z][\w-]*)`)
	aVerb = regexp.MustCompile(`^(?:rpcbench )?([a-z-]+)(?: |$)`)
)

// holds tells whether what a row has in backquotes is there.
func holds(t *testing.T, text string, manual map[string]bool) error {
	t.Helper()
	switch key, verb := aKey.FindStringSubmatch(text), aVerb.FindStringSubmatch(text); {
	case key != nil && slices.Contains(point.Names(), key[1]):
		return reads(text)
	case strings.HasPrefix(text, "run ") || strings.HasPrefix(text, "rpcbench run "):
		return planned(t, strings.TrimPrefix(strings.TrimPrefix(text, "rpcbench "), "run "))
	case strings.HasPrefix(text, "make "):
		mustBeTarget(t, "coverage.md", strings.TrimPrefix(text, "make "))
		return nil
	case manual[text], slices.Contains(scenario.BuiltinNames(), text):
		return nil
	case strings.HasPrefix(text, "-"):
		return flagsOf(t, "", text)
	case verb != nil && strings.Contains(text, " ") && strings.Contains(reference(t), section(verb[1])):
		return flagsOf(t, verb[1], text)
	}
	return fmt.Errorf("no other page of the manual has it")
}

// reads tells whether a case of some kind reads a key with this value.
func reads(text string) error {
	var last error
	text = strings.ReplaceAll(text, "…, ", "")
	for kind := range strings.FieldsSeq("unary ping_pong burst upload download both_ways first_call encode") {
		yaml := "name: x\nquestion: x?\ncases:\n  - title: x\n    " + text
		if !strings.HasPrefix(text, "kind:") {
			yaml += "\n    kind: " + kind
		}
		if _, last = scenario.Parse("x.yaml", []byte(yaml+"\n")); last == nil {
			return nil
		}
	}
	return last
}

// planned plans what a row would run. A stack that is not built is known all the same.
func planned(t *testing.T, arguments string) error {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "scenarios.json"), `{"scenarios": [{"name": "x", "num_servers": 1, "benchmark_seconds": 1,
		"client_config": {"client_channels": 1, "outstanding_rpcs_per_channel": 1}, "server_config": {}}]}`)
	output, code := shell(t, folder, "rpcbench plan "+arguments)
	if code != 0 && !strings.Contains(output, "; make ") {
		return fmt.Errorf("plan ends with %d: %s", code, output)
	}
	return nil
}

func reference(t *testing.T) string {
	t.Helper()
	return read(t, filepath.Join(root, "docs", "reference.md"))
}

// section is the heading of a verb in it.
func section(verb string) string { return "\n## rpcbench " + verb + "\n" }

// flagsOf tells whether the flags of a text are those of a verb, or without one of any, or of another tool.
func flagsOf(t *testing.T, verb, text string) error {
	t.Helper()
	help := reference(t)
	if verb != "" {
		_, help, _ = strings.Cut(help, section(verb))
		help, _, _ = strings.Cut(help, "\n## ")
	}
	aliases := read(t, filepath.Join(root, "internal/cli/alias/table.go"))
	for _, match := range aFlag.FindAllStringSubmatch(text, -1) {
		name := strings.TrimLeft(match[2], "-")
		ours := strings.Contains(help, "--"+name+" ") || strings.Contains(help, "--"+name+"\n")
		if !ours && !strings.Contains(aliases, `name: "`+name+`"`) {
			return fmt.Errorf("there is no %s", match[2])
		}
	}
	return nil
}
