package schema

import (
	"errors"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// Types finds the messages and extensions named by an Any or by a name in brackets. It is a resolver for protojson and proto.
// After reflection it asks the server for unknown names while the connection is open.
type Types struct {
	mu     sync.Mutex
	loader *loader
	files  *protoregistry.Files // the loader's
	types  *dynamicpb.Types
	fetch  func(symbol protoreflect.FullName) error // loads the file that has it; nil where there is nobody to ask
	asked  map[protoreflect.FullName]bool
}

func newTypes(l *loader) *Types {
	return &Types{loader: l, files: l.files, types: dynamicpb.NewTypes(l.files), asked: map[protoreflect.FullName]bool{}}
}

// FindMessageByName returns a message's type, or protoregistry.NotFound.
func (t *Types) FindMessageByName(message protoreflect.FullName) (protoreflect.MessageType, error) {
	return find(t, message, func() (protoreflect.MessageType, error) { return t.types.FindMessageByName(message) })
}

// FindMessageByURL returns the type that the last part of a URL names, or protoregistry.NotFound.
func (t *Types) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	message := protoreflect.FullName(url)
	for i := len(url) - 1; i >= 0; i-- {
		if url[i] == '/' {
			message = message[i+1:]
			break
		}
	}
	return t.FindMessageByName(message)
}

// FindExtensionByName returns an extension's type, or protoregistry.NotFound.
func (t *Types) FindExtensionByName(field protoreflect.FullName) (protoreflect.ExtensionType, error) {
	return find(t, field, func() (protoreflect.ExtensionType, error) { return t.types.FindExtensionByName(field) })
}

// FindExtensionByNumber returns an extension's type among those that are loaded, or protoregistry.NotFound.
func (t *Types) FindExtensionByNumber(message protoreflect.FullName, field protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.types.FindExtensionByNumber(message, field)
}

// find looks a name up. If that fails, it tries again after loading the well-known types, which every protobuf runtime has, or
// asking the server.
func find[T any](t *Types, name protoreflect.FullName, lookUp func() (T, error)) (T, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	found, err := lookUp()
	if !errors.Is(err, protoregistry.NotFound) || t.asked[name] || !name.IsValid() {
		return found, err
	}
	t.asked[name] = true // once: a name that is unknown stays so
	if name.Parent() == "google.protobuf" {
		t.loader.wellKnown()
	} else if t.fetch == nil || t.fetch(name) != nil {
		return found, err
	}
	return lookUp()
}

// all returns the loaded files, imports first.
func (t *Types) all() []protoreflect.FileDescriptor {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []protoreflect.FileDescriptor
	seen := map[string]bool{}
	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		if file.IsPlaceholder() || seen[file.Path()] {
			return
		}
		seen[file.Path()] = true
		for i := range file.Imports().Len() {
			add(file.Imports().Get(i).FileDescriptor)
		}
		list = append(list, file)
	}
	for _, path := range paths(t.files) {
		file, _ := t.files.FindFileByPath(path) // it was just listed
		add(file)
	}
	return list
}
