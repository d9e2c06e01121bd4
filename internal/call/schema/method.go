package schema

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"rpcbench/internal/call/hint"
)

// method finds a method in linked files. source is the name of their origin in errors.
func method(source string, types *Types, name Name) (*Method, error) {
	service, err := types.files.FindDescriptorByName(name.Service)
	if err != nil {
		if whole, _ := types.files.FindDescriptorByName(name.whole()); isService(whole) {
			return nil, withoutMethod(whole)
		}
		return nil, unknownService(source, name, services(types.files))
	}
	s, ok := service.(protoreflect.ServiceDescriptor)
	if !ok {
		return nil, fmt.Errorf("%s is not a service%s", name.Service, hint.Of(string(name.Service), services(types.files)))
	}
	m := s.Methods().ByName(name.Method)
	if m == nil {
		return nil, fmt.Errorf("the service %s has no method %q%s", name.Service, name.Method,
			hint.Of(string(name.Method), methods(s)))
	}
	for _, message := range []protoreflect.MessageDescriptor{m.Input(), m.Output()} {
		if err := complete(message, map[protoreflect.FullName]bool{}); err != nil {
			return nil, fmt.Errorf("%s does not contain all of %s: %w", source, message.FullName(), err)
		}
	}
	return &Method{Descriptor: m, Types: types}, nil
}

func unknownService(source string, name Name, known []string) error {
	return fmt.Errorf("%s has no service %q%s", source, name.Service, hint.Of(string(name.Service), known))
}

func isService(d protoreflect.Descriptor) bool {
	_, ok := d.(protoreflect.ServiceDescriptor)
	return ok
}

// withoutMethod says that only a service is named, and lists its methods.
func withoutMethod(service protoreflect.Descriptor) error {
	var known []string
	for _, method := range appendMethods(nil, service) {
		known = append(known, Name{service.FullName(), method.Name()}.String())
	}
	return fmt.Errorf("%s is a service, not a method%s", service.FullName(), hint.Of("", known))
}

func methods(service protoreflect.ServiceDescriptor) []string {
	var list []string
	for i := range service.Methods().Len() {
		list = append(list, string(service.Methods().Get(i).Name()))
	}
	return list
}

// complete names the first field, at any depth, whose type is in a file that was not to be had.
func complete(message protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) error {
	if message.IsPlaceholder() {
		return fmt.Errorf("%s is in none of the files", strings.TrimPrefix(string(message.FullName()), "*."))
	}
	if seen[message.FullName()] {
		return nil
	}
	seen[message.FullName()] = true
	for i := range message.Fields().Len() {
		field := message.Fields().Get(i)
		if e := field.Enum(); e != nil && e.IsPlaceholder() {
			return fmt.Errorf("the type of its field %s is in none of the files", field.FullName())
		}
		if m := field.Message(); m != nil && m.IsPlaceholder() {
			return fmt.Errorf("the type of its field %s is in none of the files%s", field.FullName(), missing(field.ParentFile()))
		} else if m != nil {
			if err := complete(m, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// missing names the imports of a file that were not to be had.
func missing(file protoreflect.FileDescriptor) string {
	var list []string
	for i := range file.Imports().Len() {
		if imported := file.Imports().Get(i); imported.IsPlaceholder() {
			list = append(list, fmt.Sprintf("%q", imported.Path()))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf(", and %q imports %s, which is missing", file.Path(), strings.Join(list, ", "))
}

var _ interface { // what protojson and proto ask of Types
	protoregistry.MessageTypeResolver
	protoregistry.ExtensionTypeResolver
} = (*Types)(nil)
