package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

var update = flag.Bool("update", false, "write the JSON Schema anew")

func TestTheSchemaOfTheManualIsThatOfTheDeclarations(t *testing.T) {
	t.Parallel()
	var infos []stack.Info
	for _, s := range stacks() {
		infos = append(infos, s.Info())
	}
	made, err := scenario.Schema(infos)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "scenario.schema.json")
	if *update {
		if err := os.WriteFile(path, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	there, err := os.ReadFile(path)
	if diff := cmp.Diff(string(there), string(made)); err != nil || diff != "" {
		t.Errorf("%v %s (-is +should be; go test ./cmd/rpcbench -update):\n%s", err, path, diff)
	}
}
