// Generate writes the Go code of the schemas, and the TypeScript code of those that the page of a phone speaks, and with
// -check only says whether the committed code is what it would write.
//
//	go -C tools run ./generate [-check] [ROOT]
//
// It compiles every .proto file under ROOT/proto and hands them to protoc-gen-go, in the version that ROOT's module
// asks for, and to protoc-gen-go-grpc, in the version that this module asks for. It takes the place of protoc, which Go
// can't install, and of buf, which takes over a minute to build. TypeScript is protoc-gen-es's, of ROOT/web's packages;
// without them it stays as it is.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/pluginpb"
)

const parameter = "module=rpcbench"

// Of the page of a phone: what it speaks with rpcbench, with its servers, and the messages that it encodes.
const (
	esPlugin    = "web/node_modules/.bin/protoc-gen-es"
	esParameter = "target=ts"
	esFolder    = "web/src/gen"
)

var esSchemas = []string{"rpcbench/worker/v1/worker.proto", "rpcbench/codec/v1/message.proto", "benchmark.proto"}

// plugins write the code. What does not come in ROOT's module is a tool of this one.
var plugins = []struct {
	name     string
	ofModule bool // ROOT's
}{
	{"google.golang.org/protobuf/cmd/protoc-gen-go", true},
	{"google.golang.org/grpc/cmd/protoc-gen-go-grpc", false},
}

func main() {
	check := flag.Bool("check", false, "write nothing; fail if a generated file is not current")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	if err := run(root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	schemas, err := filesUnder(filepath.Join(root, "proto"), ".proto")
	if err != nil {
		return err
	}
	request, err := compile(schemas, parameter, filepath.Join(root, "proto"))
	if err != nil {
		return err
	}
	generated := map[string]string{}
	for _, plugin := range plugins {
		command := exec.Command("go", "tool", plugin.name)
		if plugin.ofModule {
			command = exec.Command("go", "run", plugin.name)
			command.Dir = root
		}
		made, err := callPlugin(command, request)
		if err != nil {
			return fmt.Errorf("%s: %w", plugin.name, err)
		}
		maps.Copy(generated, made)
	}
	script, err := typeScript(root)
	if err != nil {
		return err
	}
	maps.Copy(generated, script)
	if check {
		return compare(root, generated)
	}
	return write(root, generated)
}

// typeScript makes the TypeScript code, none where its plugin is not installed.
func typeScript(root string) (map[string]string, error) {
	plugin, err := filepath.Abs(filepath.Join(root, esPlugin))
	if err != nil {
		return nil, err
	}
	switch _, err := os.Stat(plugin); {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Fprintln(os.Stderr, "generate: no", esPlugin, "so the TypeScript code stays as it is: make web-modules installs it")
		return nil, nil
	case err != nil:
		return nil, err
	}
	request, err := compile(esSchemas, esParameter, filepath.Join(root, "proto"), filepath.Join(root, "web/src"))
	if err != nil {
		return nil, err
	}
	made, err := callPlugin(exec.Command(plugin), request)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", esPlugin, err)
	}
	generated := make(map[string]string, len(made))
	for name, content := range made {
		generated[esFolder+"/"+name] = content
	}
	return generated, nil
}

// filesUnder lists the files with an extension, relative to the folder, in order.
func filesUnder(folder, extension string) ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, extension) {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

// compile makes what protoc would send to its plugins.
func compile(schemas []string, parameter string, folders ...string) (*pluginpb.CodeGeneratorRequest, error) {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: folders}),
		SourceInfoMode: protocompile.SourceInfoStandard, // the schemas' comments
	}
	compiled, err := compiler.Compile(context.Background(), schemas...)
	if err != nil {
		return nil, err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: schemas, Parameter: new(parameter)}
	seen := map[string]bool{}
	for _, file := range compiled {
		addAfterImports(request, file, seen)
	}
	return request, nil
}

// addAfterImports keeps the order that plugins rely on: what is imported comes first.
func addAfterImports(request *pluginpb.CodeGeneratorRequest, file protoreflect.FileDescriptor, seen map[string]bool) {
	if seen[file.Path()] {
		return
	}
	seen[file.Path()] = true
	for i := range file.Imports().Len() {
		addAfterImports(request, file.Imports().Get(i).FileDescriptor, seen)
	}
	if result, ok := file.(linker.Result); ok {
		request.ProtoFile = append(request.ProtoFile, result.FileDescriptorProto())
		return
	}
	request.ProtoFile = append(request.ProtoFile, protoutil.ProtoFromFileDescriptor(file))
}

func callPlugin(command *exec.Cmd, request *pluginpb.CodeGeneratorRequest) (map[string]string, error) {
	input, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	command.Stdin, command.Stderr = bytes.NewReader(input), os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(output, &response); err != nil {
		return nil, fmt.Errorf("read its answer: %w", err)
	}
	if response.Error != nil {
		return nil, errors.New(response.GetError())
	}
	generated := make(map[string]string, len(response.GetFile()))
	for _, file := range response.GetFile() {
		generated[file.GetName()] = file.GetContent()
	}
	return generated, nil
}

// compare names every file that is missing, differs, or no schema makes any more.
func compare(root string, generated map[string]string) error {
	var stale []error
	for name, content := range generated {
		committed, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || string(committed) != content {
			stale = append(stale, fmt.Errorf("%s is not what its schema makes: run `make generate`", name))
		}
	}
	committed, err := filesUnder(root, ".pb.go")
	if err != nil {
		return err
	}
	for _, name := range committed {
		if _, made := generated[name]; !made {
			stale = append(stale, fmt.Errorf("%s has no schema: remove it", name))
		}
	}
	return errors.Join(stale...)
}

func write(root string, generated map[string]string) error {
	for name, content := range generated {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
