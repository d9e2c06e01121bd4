package schema_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/call/schema"
)

// A foreign .proto file can read only files below the import paths, and errors quote nothing of other files.
func TestAnImportStaysBelowTheImportPaths(t *testing.T) {
	t.Parallel()
	folder := tree(t, map[string]string{
		"secret":        "token: hush",
		"given/a.proto": "syntax = \"proto3\";\nimport \"../secret\";\n",
	})
	given := filepath.Join(folder, "given")
	_, err := schema.Compile(t.Context(), []string{filepath.Join(given, "a.proto")}, []string{given}, place)
	wantError(t, err, `a.proto:2:8: could not resolve path "../secret": it is outside the import paths (`+given+")")
}

// A file outside the working directory is the one that is compiled, and not another of its name that is here.
func TestAProtoOutsideIsReadWhereItIsGiven(t *testing.T) { //nolint:paralleltest // it changes the working directory
	folder := tree(t, map[string]string{
		"here/service.proto": service("here.Old"),
		"v2/service.proto":   service("v2.New"),
	})
	t.Chdir(filepath.Join(folder, "here"))
	name := schema.Name{Service: "v2.New", Method: "Do"}
	method, err := schema.Compile(t.Context(), []string{"../v2/service.proto"}, nil, name)
	if err != nil {
		t.Fatal(err)
	}
	if got := method.Path(); got != "/v2.New/Do" {
		t.Errorf("path %s", got)
	}
}

func TestAProtoThatIsShadowedIsRefused(t *testing.T) { //nolint:paralleltest // it changes the working directory
	t.Chdir(tree(t, map[string]string{
		"a/x.proto": service("a.A"), "b/x.proto": service("b.B"),
		"here/x.proto": service("here.H"), "here/y.proto": service("here.Y"), "a/y.proto": service("a.Y"),
	}))
	t.Chdir("here")
	both := "../a/x.proto and ../b/x.proto are both named x.proto: give a folder that holds both with --import-path"
	for _, c := range []struct {
		protos, paths []string
		want          string
	}{
		{[]string{"../a/x.proto", "../b/x.proto"}, nil, both},
		{[]string{"../a/x.proto", "../b/x.proto"}, []string{"../a", "../b"}, both},
		{[]string{"x.proto", "../b/x.proto"}, nil,
			"../b/x.proto and x.proto are both named x.proto: give a folder that holds both with --import-path"},
		{[]string{"y.proto", "../a/x.proto"}, nil, "y.proto is shadowed by ../a/y.proto: give its folder first with --import-path"},
		{[]string{"../b/x.proto"}, []string{"../a", "../b"},
			"../b/x.proto is shadowed by ../a/x.proto: give its folder first with --import-path"},
		{[]string{"../b/x.proto"}, []string{"."}, "../b/x.proto is shadowed by x.proto: give its folder first with --import-path"},
		{[]string{"../b/x.proto", "../b/x.proto"}, []string{"../b", "../a"}, ""},
		{[]string{"../b/x.proto", "../a/x.proto"}, []string{".."}, ""},
	} {
		_, err := schema.ListCompiled(t.Context(), c.protos, c.paths)
		if c.want == "" && err != nil {
			t.Errorf("%v, %v: %v", c.protos, c.paths, err)
		}
		if c.want != "" {
			wantError(t, err, c.want)
		}
	}
}

// tree writes files below a new folder, and returns it.
func tree(t *testing.T, files map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, []byte(text))
	}
	return folder
}

// service is a file with a service that has a method Do, in a package of its own.
func service(name string) string {
	space, word, _ := strings.Cut(name, ".")
	return "syntax = \"proto3\";\npackage " + space + ";\nmessage M" + word + " {}\nservice " + word +
		" { rpc Do (M" + word + ") returns (M" + word + "); }\n"
}
