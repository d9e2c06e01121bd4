package schema

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/call/plain"
)

// errNotFound is the error of a source that lacks a descriptor.
var errNotFound = errors.New("not found")

// A loader turns descriptors, which name their imports, into linked files. Google's own imports are known without
// being sent. It is used from one goroutine at a time.
type loader struct {
	files *protoregistry.Files
	// get returns the descriptor of a path, or errNotFound.
	get   func(path string) (*descriptorpb.FileDescriptorProto, error)
	begun map[string]bool
	count int
	bytes int
}

func newLoader(get func(path string) (*descriptorpb.FileDescriptorProto, error)) *loader {
	return &loader{files: &protoregistry.Files{}, get: get, begun: map[string]bool{}}
}

// load links a file and its imports. It returns errNotFound if the file does not exist.
func (l *loader) load(path string) error {
	if l.begun[path] {
		return nil // of a cycle too, which linking then refuses
	}
	l.begun[path] = true
	file, err := l.get(path)
	if errors.Is(err, errNotFound) {
		return l.standard(path)
	}
	if err != nil {
		return err
	}
	return l.link(file)
}

// link registers a file behind its imports.
func (l *loader) link(file *descriptorpb.FileDescriptorProto) error {
	l.begun[file.GetName()] = true
	l.count, l.bytes = l.count+1, l.bytes+proto.Size(file)
	if l.count > FilesMax || l.bytes > BytesMax {
		return fmt.Errorf("the schema has more than %d files or %d MiB", FilesMax, BytesMax>>20)
	}
	for _, path := range file.GetDependency() {
		if err := l.load(path); err != nil && !errors.Is(err, errNotFound) {
			return err
		}
	}
	linked, err := protodesc.FileOptions{AllowUnresolvable: true}.New(file, l.files)
	if err != nil {
		return fmt.Errorf("the descriptor of %q is invalid: %w", plain.Short(file.GetName(), plain.Example), bare(err))
	}
	if err := l.files.RegisterFile(linked); err != nil {
		return fmt.Errorf("the descriptor of %q does not fit the others: %w", plain.Short(file.GetName(), plain.Example), bare(err))
	}
	return nil
}

// standard registers one of the files that come with every compiler, such as google/protobuf/any.proto.
func (l *loader) standard(path string) error {
	nothing := protocompile.ResolverFunc(func(string) (protocompile.SearchResult, error) {
		return protocompile.SearchResult{}, errNotFound
	})
	result, err := protocompile.WithStandardImports(nothing).FindFileByPath(path)
	if err != nil || result.Desc == nil {
		return errNotFound
	}
	return l.link(protodesc.ToFileDescriptorProto(result.Desc))
}

// wellKnown loads the missing files of well-known types, if they are compatible with the others.
func (l *loader) wellKnown() {
	for _, path := range []string{ // imports first
		"any", "duration", "empty", "field_mask", "source_context", "struct", "timestamp", "wrappers", "type", "api",
	} {
		if path = "google/protobuf/" + path + ".proto"; !l.begun[path] {
			_ = l.standard(path) // the name is looked up again, and is found or not
		}
	}
}

// paths returns those of all files, in order.
func paths(files *protoregistry.Files) []string {
	var list []string
	files.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		list = append(list, file.Path())
		return true
	})
	slices.Sort(list)
	return list
}

// services returns the names of all services, in order.
func services(files *protoregistry.Files) []string {
	var list []string
	files.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			list = append(list, string(file.Services().Get(i).FullName()))
		}
		return true
	})
	slices.Sort(list)
	return list
}
