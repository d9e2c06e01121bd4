package schema

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/call/infile"
)

// Compile finds a method in .proto files. It looks for a file below the import paths, in their order, and then at the path as
// given. The default import path is the working directory. Imports are also looked for in each file's own folder: last, or first
// if there is no import path and the file is outside the working directory. Google's own imports need no path.
func Compile(ctx context.Context, protos, importPaths []string, name Name) (*Method, error) {
	types, err := compile(ctx, protos, importPaths)
	if err != nil {
		return nil, err
	}
	return method(strings.Join(protos, ", "), types, name)
}

// compile links .proto files and their imports.
func compile(ctx context.Context, protos, importPaths []string) (*Types, error) {
	given, err := locate(protos, importPaths)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, compileTimeout)
	defer cancel()
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(given.resolver())}
	compiled, err := compiler.Compile(ctx, given.names...)
	if err != nil {
		return nil, given.explain(compileError(err, given.roots))
	}
	files := map[string]protoreflect.FileDescriptor{}
	for _, file := range compiled {
		addFile(files, file)
	}
	if err := given.ambiguous(files); err != nil {
		return nil, err
	}
	l := newLoader(func(path string) (*descriptorpb.FileDescriptorProto, error) {
		if file, ok := files[path]; ok {
			return protodesc.ToFileDescriptorProto(file), nil
		}
		return nil, errNotFound
	})
	for _, name := range given.names {
		if err := l.load(name); err != nil {
			return nil, err
		}
	}
	return newTypes(l), nil
}

// compileTimeout stops the compilation of sources that are within the limits but still take very long. Sources within the limits
// take seconds, or ten times that on a busy machine.
const compileTimeout = 2 * time.Minute

var errSourceBytes = fmt.Errorf("the .proto files are longer than %d MiB", SourceBytesMax>>20)

// addFile adds a file with all that it imports.
func addFile(files map[string]protoreflect.FileDescriptor, file protoreflect.FileDescriptor) {
	if _, ok := files[file.Path()]; ok {
		return
	}
	files[file.Path()] = file
	for i := range file.Imports().Len() {
		addFile(files, file.Imports().Get(i).FileDescriptor)
	}
}

// A budget opens files below the import paths until their total size exceeds BytesMax.
type budget struct {
	roots        []string
	bytes, files atomic.Int64
}

func (b *budget) open(path string) (io.ReadCloser, error) {
	if !slices.ContainsFunc(b.roots, func(root string) bool {
		name, err := filepath.Rel(root, path)
		return err == nil && filepath.IsLocal(name)
	}) {
		return nil, fmt.Errorf("it is outside the import paths (%s)", strings.Join(b.roots, ", "))
	}
	file, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	if err := b.admit(file); err != nil {
		file.Close()
		return nil, err
	}
	return &boundedFile{File: file, budget: b}, nil
}

// admit refuses a file whose size is too large before the compiler reads it. A file without a known size, such as a pipe, is
// counted as it is read.
func (b *budget) admit(file *os.File) error {
	if b.files.Add(1) > FilesMax {
		return fmt.Errorf("the schema has more than %d files", FilesMax)
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() && info.Size() > SourceBytesMax {
		return errSourceBytes
	}
	return nil
}

type boundedFile struct {
	*os.File

	budget *budget
	open   int // braces
}

// Read reads the file within the budget. The compiler's memory grows with the square of the nesting, so nesting is bounded too.
// Braces in comments and strings count, since real files leave few of them open.
func (f *boundedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if f.budget.bytes.Add(int64(n)) > SourceBytesMax {
		return 0, errSourceBytes
	}
	for _, b := range p[:n] {
		switch b {
		case '{':
			f.open++
		case '}':
			f.open = max(0, f.open-1)
		}
		if f.open > nestingMax {
			return 0, fmt.Errorf("%s nests braces more than %d levels deep", f.Name(), nestingMax)
		}
	}
	return n, err
}

// A PathError is a file that is below none of the import paths.
type PathError struct{ text string }

func (e *PathError) Error() string { return e.text }

// compileError is one sentence: the compiler's first, with its place.
func compileError(err error, roots []string) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("compiling the .proto files took longer than %v", compileTimeout)
	}
	if placed, ok := errors.AsType[reporter.ErrorWithPos](err); ok {
		at := placed.GetPosition()
		cause := placed.Unwrap()
		if name, ok := missingImport(cause, roots); ok {
			return &PathError{fmt.Sprintf("%s:%d:%d: the imported file %q is not below an import path (%s)",
				at.Filename, at.Line, at.Col, name, strings.Join(roots, ", "))}
		}
		return fmt.Errorf("%s:%d:%d: %w", at.Filename, at.Line, at.Col, cause)
	}
	return err
}

// missingImport returns the name of an import that is below none of the roots. The compiler reports the last path that it tried.
func missingImport(cause error, roots []string) (name string, ok bool) {
	failed, ok := errors.AsType[*fs.PathError](cause)
	if !ok || !errors.Is(cause, fs.ErrNotExist) {
		return "", false
	}
	name, err := filepath.Rel(roots[len(roots)-1], failed.Path)
	return filepath.ToSlash(name), err == nil
}
