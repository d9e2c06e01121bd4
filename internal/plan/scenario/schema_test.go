package scenario

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"rpcbench/internal/stack"
)

// compiled is the JSON Schema, read by a library.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := Schema([]stack.Info{{Name: "grpc-go", Options: []stack.Option{
		{Name: "codec", Client: true, Server: true, Words: []string{"proto", "bytes"}, Default: "proto"},
		{Name: "send_deadline", Client: true, Words: stack.Switch()},
		{Name: "buffer", Client: true, Words: []string{"none"}, Numbers: stack.Range{Min: 1, Max: 9}},
		{Name: "text", Client: true},
		{Name: "workers", Server: true, Numbers: stack.Range{Min: 0, Max: 9}},
	}}})
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

// A case may inherit its server, which has options of its own.
func TestTheSchemaKnowsWhatOptionsOfAClientTake(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	for text, where := range map[string]string{
		"stack: grpc-go, options: {codec: bytes, send_deadline: true, buffer: 9, text: 7}":   "",
		"stack: grpc-go, options: [{buffer: none}, {buffer: '3'}, {send_deadline: 'false'}]": "",
		"stack: grpc-go, options: {workers: 99, direct_executor: 1}":                         "",
		"stack: connect-go, options: {codec: xml}":                                           "",
		"stack: [grpc-go, connect-go], options: {codec: xml}":                                "",
		"options: {codec: xml}":                                   "",
		"stack: grpc-go, options: {codec: xml}":                   "/cases/0/options/codec",
		"stack: grpc-go, options: {send_deadline: 1}":             "/cases/0/options/send_deadline",
		"stack: grpc-go, options: {buffer: 10}":                   "/cases/0/options/buffer",
		"stack: grpc-go, options: {buffer: '+3'}":                 "/cases/0/options/buffer",
		"stack: grpc-go, options: [{codec: bytes}, {codec: xml}]": "/cases/0/options/1/codec",
	} {
		err := judged(t, s, []byte("name: a\nquestion: Why?\ncases: [{title: a, kind: unary, "+text+"}]"))
		if where == "" && err != nil || where != "" && (err == nil || !strings.Contains(err.Error(), "'"+where+"'")) {
			t.Errorf("%s: %v, want %q", text, err, where)
		}
	}
}
