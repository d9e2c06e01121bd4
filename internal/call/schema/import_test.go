package schema_test

import (
	"os"
	"path/filepath"
	"slices"
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

// A file is the one that was given, whatever else has its name. Imports of that name are refused where they could mean either.
func TestAProtoThatIsHiddenIsReadUnlessItIsImported(t *testing.T) { //nolint:paralleltest // it changes the working directory
	imports := func(imported, uses string) string {
		return "syntax = \"proto3\";\nimport \"" + imported + "\";\nmessage U { " + uses + " }\n"
	}
	t.Chdir(tree(t, map[string]string{
		"a/x.proto": service("a.A"), "b/x.proto": service("b.B"),
		"here/x.proto": service("here.H"), "here/y.proto": service("here.Y"), "a/y.proto": service("a.Y"),
		"a/none.proto": imports("y.proto", ""), "a/own.proto": imports("y.proto", "a.MY m = 1;"),
		"a/other.proto": imports("x.proto", ""),
	}))
	t.Chdir("here")
	for _, c := range []struct {
		protos, paths []string
		services      string
		want          string // an error
	}{
		{protos: []string{"../a/x.proto", "../b/x.proto"},
			want: "../a/x.proto and ../b/x.proto are both named x.proto: give a folder that holds both with --import-path"},
		{protos: []string{"../a/x.proto", "../b/x.proto"}, paths: []string{"../a", "../b"},
			want: "../a/x.proto and ../b/x.proto are both named x.proto: give a folder that holds both with --import-path"},
		{protos: []string{"x.proto", "../b/x.proto"},
			want: "x.proto and ../b/x.proto are both named x.proto: give a folder that holds both with --import-path"},
		{protos: []string{"y.proto", "../a/x.proto"}, services: "a.A here.Y"},
		{protos: []string{"../b/x.proto"}, paths: []string{"../a", "../b"}, services: "b.B"},
		{protos: []string{"../b/x.proto"}, paths: []string{"."}, services: "b.B"},
		{protos: []string{"../b/x.proto", "../b/x.proto"}, paths: []string{"../b", "../a"}, services: "b.B"},
		{protos: []string{"../b/x.proto", "../a/x.proto"}, paths: []string{".."}, services: "a.A b.B"},
		{protos: []string{"y.proto", "../a/none.proto"}, want: `none.proto imports "y.proto", which is y.proto or ../a/y.proto: give ` +
			"the folder of the one that is meant first with --import-path"},
		{protos: []string{"y.proto", "../a/none.proto"}, paths: []string{"."}, services: "here.Y"},
		{protos: []string{"y.proto", "../a/own.proto"},
			want: "own.proto:3:13: field U.m: unknown type a.MY (y.proto is y.proto, not ../a/y.proto)"},
		{protos: []string{"../b/x.proto", "../a/other.proto"}, paths: []string{"../a", "../b"},
			want: `other.proto imports "x.proto", which is ../b/x.proto or ../a/x.proto: give the folder of the one that is meant ` +
				"first with --import-path"},
	} {
		methods, err := schema.ListCompiled(t.Context(), c.protos, c.paths)
		if c.want != "" {
			wantError(t, err, c.want)
			continue
		}
		var services []string
		for _, m := range methods {
			services = append(services, string(m.Parent().FullName()))
		}
		slices.Sort(services)
		if got := strings.Join(services, " "); got != c.services || err != nil {
			t.Errorf("%v, %v: %q, %v, want %q", c.protos, c.paths, got, err, c.services)
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
