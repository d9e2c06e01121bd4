package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// A workflow is one of .github/workflows, as far as it is checked.
type workflow struct {
	On          map[string]any    `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Jobs        map[string]struct {
		Permissions map[string]string `yaml:"permissions"`
		Minutes     int               `yaml:"timeout-minutes"` //nolint:tagliatelle // as GitHub spells it
		Steps       []struct {
			Uses string         `yaml:"uses"`
			With map[string]any `yaml:"with"`
			Run  string         `yaml:"run"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

var (
	pinned  = regexp.MustCompile(`^actions/[a-z-]+@v[0-9]+$`)
	targets = regexp.MustCompile(`(?m)^for target in (.*); do$`)
)

// Nothing but GitHub runs workflows: what they name must be there.
func TestWorkflowsCallWhatThereIs(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var runs []string
	for _, path := range paths {
		name := filepath.Base(path)
		var w workflow
		if err := yaml.Unmarshal([]byte(read(t, path)), &w); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(w.On) == 0 || len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
			t.Errorf("%s: on %v, permissions %v; want only to read contents", name, w.On, w.Permissions)
		}
		for title, job := range w.Jobs {
			if job.Permissions != nil || job.Minutes == 0 {
				t.Errorf("%s: job %s: permissions %v, %d minutes; want the workflow's, and an end", name, title, job.Permissions,
					job.Minutes)
			}
			for _, step := range job.Steps {
				if step.Uses != "" && !pinned.MatchString(step.Uses) {
					t.Errorf("%s uses %s, without a major version", name, step.Uses)
				}
				if file, ok := step.With["go-version-file"].(string); ok {
					mustBe(t, name, file)
				}
				if step.Run != "" {
					runs = append(runs, name+": "+step.Run)
					calls(t, name, step.Run)
				}
			}
		}
	}
	for _, want := range []string{"audit.yml: make audit", "ci.yml: .ci/run"} {
		if !slices.Contains(runs, want) {
			t.Errorf("no workflow has %q", want)
		}
	}
}

// mustBe checks that a file of the repository is there that a workflow names.
func mustBe(t *testing.T, name, file string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, file)); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// calls checks what a step calls: targets of make, and scripts of the repository, with the targets that these name.
func calls(t *testing.T, name, line string) {
	t.Helper()
	words := strings.Fields(line)
	switch {
	case words[0] == "make":
		for _, target := range words[1:] {
			mustBeTarget(t, name, target)
		}
	case strings.HasPrefix(words[0], ".ci/"):
		info, err := os.Stat(filepath.Join(root, words[0]))
		if err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s: %s is no program: %v", name, words[0], err)
			return
		}
		for _, match := range targets.FindAllStringSubmatch(read(t, filepath.Join(root, words[0])), -1) {
			for target := range strings.FieldsSeq(match[1]) {
				mustBeTarget(t, words[0], target)
			}
		}
	case words[0] != "sudo":
		t.Errorf("%s runs %q, of which nobody knows whether it is there", name, line)
	}
}

func mustBeTarget(t *testing.T, name, target string) {
	t.Helper()
	rule := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:( |$)`)
	if !rule.MatchString(read(t, filepath.Join(root, "Makefile"))) {
		t.Errorf("%s calls make %s, which is no target", name, target)
	}
}
