package schema_test

import (
	"os"
	"path/filepath"
	"testing"

	"rpcbench/internal/call/schema"
)

// A foreign .proto file can read only files below the import paths, and errors quote nothing of other files.
func TestAnImportStaysBelowTheImportPaths(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"secret":        "token: hush",
		"given/a.proto": "syntax = \"proto3\";\nimport \"../secret\";\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	given := filepath.Join(folder, "given")
	_, err := schema.Compile(t.Context(), []string{filepath.Join(given, "a.proto")}, []string{given}, place)
	wantError(t, err, `a.proto:2:8: could not resolve path "../secret": it is outside the import paths (`+given+")")
}
