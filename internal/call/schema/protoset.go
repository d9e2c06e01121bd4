package schema

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/call/plain"
)

// Protosets finds a method in files that contain FileDescriptorSets, as written by protoc --include_imports -o and buf build -o.
func Protosets(paths []string, name Name) (*Method, error) {
	types, err := readSets(paths)
	if err != nil {
		return nil, err
	}
	return method(strings.Join(paths, ", "), types, name)
}

func readSets(paths []string) (*Types, error) {
	var set descriptorpb.FileDescriptorSet
	var weight weight
	from := map[string]origin{}
	for _, path := range paths {
		encoded, err := infile.Read(path, BytesMax)
		if err != nil {
			return nil, err
		}
		known := len(set.File)
		if err := weight.decode(encoded, &set); err != nil {
			return nil, notASet(path, err)
		}
		for _, file := range set.File[known:] {
			if err := unambiguous(from, origin{path, file}); err != nil {
				return nil, err
			}
		}
		if len(set.File) == 0 {
			return nil, notASet(path, errors.New("it contains no file"))
		}
	}
	return openSet(strings.Join(paths, ", "), &set)
}

// An origin is a protoset that holds a file.
type origin struct {
	path string
	file *descriptorpb.FileDescriptorProto
}

// unambiguous refuses a file that differs from one of its name, of which the services would be lost. Google's own differ by the
// compilers' versions.
func unambiguous(from map[string]origin, o origin) error {
	name := o.file.GetName()
	first, ok := from[name]
	switch {
	case !ok:
		from[name] = o
		return nil
	case strings.HasPrefix(name, "google/protobuf/"), proto.Equal(essence(first.file), essence(o.file)):
		return nil
	case first.path == o.path:
		return fmt.Errorf("%s holds two different files %q", o.path, name)
	default:
		return fmt.Errorf("%s and %s hold two different files %q: give only the one that has the method", first.path, o.path, name)
	}
}

// essence is a copy of a file without what compilers may leave out, add or choose: sources, names in JSON, custom options and
// the options of generated code.
func essence(file *descriptorpb.FileDescriptorProto) *descriptorpb.FileDescriptorProto {
	file = proto.CloneOf(file)
	file.SourceCodeInfo = nil
	file.Options = &descriptorpb.FileOptions{Features: file.GetOptions().GetFeatures()}
	strip(file.ProtoReflect())
	return file
}

func strip(message protoreflect.Message) {
	message.SetUnknown(nil)
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.IsExtension(), field.Name() == "json_name":
			message.Clear(field)
		case field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				strip(value.List().Get(i).Message())
			}
		default:
			strip(value.Message())
		}
		return true
	})
}

func notASet(path string, err error) error {
	return fmt.Errorf("%s is not a protoset (a FileDescriptorSet, such as protoc --include_imports -o writes): %w", path, bare(err))
}

// OpenSet finds a method in a FileDescriptorSet that Method.Set wrote.
func OpenSet(encoded []byte, name Name) (*Method, error) {
	var set descriptorpb.FileDescriptorSet
	if err := new(weight).decode(encoded, &set); err != nil {
		return nil, fmt.Errorf("the schema is not a FileDescriptorSet: %w", bare(err))
	}
	types, err := openSet("the schema", &set)
	if err != nil {
		return nil, err
	}
	return method("the schema", types, name)
}

func openSet(source string, set *descriptorpb.FileDescriptorSet) (*Types, error) {
	files := map[string]*descriptorpb.FileDescriptorProto{}
	for _, file := range set.File {
		files[file.GetName()] = file // the same import stands in several protosets
	}
	l := newLoader(func(path string) (*descriptorpb.FileDescriptorProto, error) {
		if file, ok := files[path]; ok {
			return file, nil
		}
		return nil, errNotFound
	})
	for _, file := range set.File {
		if err := l.load(file.GetName()); err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
	}
	return newTypes(l), nil
}

// bare takes the library's name off an error's front, which comes with spaces of two kinds by chance. What it quotes of a schema
// may be of any length.
func bare(err error) error {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	return errors.New(plain.Short(strings.TrimPrefix(text, "proto: "), plain.Example))
}
