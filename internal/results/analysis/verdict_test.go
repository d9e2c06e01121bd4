package analysis

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The manual lists the verdicts that half of a row's trials must have, from the most severe on.
func TestTheManualListsTheCircumstances(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "measuring.md"))
	if err != nil {
		t.Fatal(err)
	}
	sentence := regexp.MustCompile(`([A-Z_, ]+ and [A-Z_]+) apply to a row when at least half of its trials have them`)
	listed := sentence.FindStringSubmatch(strings.Join(strings.Fields(string(text)), " "))
	if listed == nil {
		t.Fatalf("docs/measuring.md has no sentence like %s", sentence)
	}
	names := regexp.MustCompile(`[A-Z_]+`).FindAllString(listed[1], -1)
	want := slices.Clone(circumstances)
	slices.Reverse(want)
	if !slices.Equal(names, want) {
		t.Errorf("docs/measuring.md lists %v, want %v", names, want)
	}
}
