package scenario

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "write the JSON Schema anew")

// compiled is the JSON Schema, read by a library.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("scenario.json", read); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("scenario.json")
}

// judged is what the schema says of a scenario.
func judged(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	plain, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(read)
}

func TestTheSchemaOfTheManualIsThatOfTheDeclarations(t *testing.T) {
	t.Parallel()
	made, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "..", "docs", "scenario.schema.json")
	if *update {
		if err := os.WriteFile(path, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	there, err := os.ReadFile(path)
	if diff := cmp.Diff(string(there), string(made)); err != nil || diff != "" {
		t.Errorf("%v %s (-is +should be; go test ./internal/plan/scenario -update):\n%s", err, path, diff)
	}
}

func TestTheSchemaTakesEveryGoodScenario(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	for _, name := range BuiltinNames() {
		text, err := builtin.ReadFile("builtin/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if err := judged(t, s, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	example, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "several-cases", "shop.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := judged(t, s, example); err != nil {
		t.Error(err)
	}
}

// What the schema refuses is refused by rpcbench too.
func TestTheSchemaRefusesWhatIsUnknownOrHasAnotherShape(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	const head = "name: a\nquestion: Why?\n"
	for text, want := range map[string]string{
		head + "cases: [{title: a, kindd: unary}]":            "'kindd'",
		head + "case: []\ncases: [{title: a, kind: unary}]":   "'case'",
		head + "defaults: {title: a}\ncases: [{kind: unary}]": "'title'",
		head + "cases: []":                                              "minItems",
		"name: a\ncases: [{title: a, kind: unary}]":                     "'question'",
		head + "cases: {title: a, kind: unary}":                         "want array",
		head + "cases: [{title: [a], kind: unary}]":                     "want string",
		head + "cases: [{title: a, kind: unary, trials: [1]}]":          "/cases/0/trials",
		head + "cases: [{title: a, kind: unary, network: ipx}]":         "/cases/0/network",
		head + "cases: [{title: a, kind: unary, payload: [json, xml]}]": "/cases/0/payload",
		head + "cases: [{title: a, kind: encode, message: huge}]":       "/cases/0/message",
		head + "defaults: {data_format: yaml}\ncases: [{kind: unary}]":  "/defaults/data_format",
	} {
		if err := judged(t, s, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if _, err := Parse("a.yaml", []byte(text)); err == nil {
			t.Errorf("%q: rpcbench takes what the schema refuses", text)
		}
	}
}
