package schema

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/call/infile"
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
	for _, path := range paths {
		encoded, err := readBounded(path)
		if err != nil {
			return nil, err
		}
		if err := weight.decode(encoded, &set); err != nil {
			return nil, notASet(path, err)
		}
		if len(set.File) == 0 {
			return nil, notASet(path, errors.New("it contains no file"))
		}
	}
	return openSet(strings.Join(paths, ", "), &set)
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

// readBounded reads a file of at most BytesMax.
func readBounded(path string) ([]byte, error) {
	file, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, BytesMax+1))
	if err != nil {
		return nil, err
	}
	if len(content) > BytesMax {
		return nil, fmt.Errorf("%s is longer than %d MB", path, BytesMax>>20)
	}
	return content, nil
}

// bare takes the library's name off an error's front, which comes with spaces of two kinds by chance.
func bare(err error) error {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	return errors.New(strings.TrimPrefix(text, "proto: "))
}
