// Package tool finds the programs of others that the suites run. Their modules are pinned in go.mod.
package tool

import (
	"os/exec"
	"strings"
	"testing"
)

// Path returns where a tool of go.mod is, which the go command builds when it is not yet built. name is that of its
// package, or its last part.
func Path(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.CommandContext(t.Context(), "go", "tool", "-n", name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, path)
	}
	return strings.TrimSpace(string(path))
}
