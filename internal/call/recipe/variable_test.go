package recipe_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/call/recipe"
)

// Without a connection Resolve can't send anything: it must have asked before.
func TestVariablesThatFilesNameAreAskedForBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	data := file(t, "data.json", `[{"id": "{{env "ONE"}}"}, {"id": "{{env "TWO"}}{{env "ONE"}}"}]`)
	head := file(t, "head.txt", "x: {{env \"ONE\"}}\n")
	inHead := recipe.Variable{File: head, Name: "ONE"}
	inData := []recipe.Variable{{File: data, Name: "ONE"}, {File: data, Name: "TWO"}}
	for name, test := range map[string]struct {
		config recipe.Config
		isHTTP bool
		want   []recipe.Variable
	}{
		"metadata that reflection sees": {
			recipe.Config{Message: recipe.Message{Metadata: []string{"@" + head}}}, false, []recipe.Variable{inHead},
		},
		"metadata of reflection": {recipe.Config{Reflection: []string{"@" + head}}, false, []recipe.Variable{inHead}},
		"requests": {recipe.Config{
			Protos: []string{"shop/v1/shop.proto"}, ImportPaths: []string{"../schema/testdata"},
			Message: recipe.Message{Data: "@" + data},
		}, false, inData},
		"a body and headers, and not what a flag names": {recipe.Config{Message: recipe.Message{
			Data: "@" + data, Metadata: []string{"@" + head, `y: {{env "FLAG"}}`},
		}}, true, append([]recipe.Variable{inHead}, inData...)},
	} {
		refused := errors.New("no")
		var asked []recipe.Variable
		test.config.Call = "shop.v1.Orders/Upload"
		test.config.LookUp = func(string) (string, bool) { return "YQ==", true }
		test.config.Allow = func(variables []recipe.Variable) error {
			asked = append(asked, variables...)
			return refused
		}
		var err error
		if test.isHTTP {
			_, err = recipe.ResolveHTTP(recipe.HTTPConfig{Method: "POST", URL: "http://localhost/", Message: test.config.Message})
		} else {
			_, err = recipe.Resolve(t.Context(), nil, test.config)
		}
		if !errors.Is(err, refused) {
			t.Errorf("%s: got error %v", name, err)
		}
		if diff := cmp.Diff(test.want, asked); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
