package schema

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// maxMethods limits what List returns to as many methods as people still read.
const maxMethods = 40

// List asks a server for its methods, except those of reflection and health checks. server is its name in errors. A server
// without reflection has none.
func List(ctx context.Context, conn grpc.ClientConnInterface, server string) ([]protoreflect.MethodDescriptor, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, path := range reflectionPaths {
		s := newSession(conn, path, server)
		var methods []protoreflect.MethodDescriptor
		err := s.during(ctx, func() (err error) {
			methods, err = s.methods()
			return err
		})
		if errors.Is(err, errUnimplemented) {
			continue
		}
		return methods, err
	}
	return nil, nil
}

// methods returns the methods of all services that have a schema, at most maxMethods.
func (s *session) methods() ([]protoreflect.MethodDescriptor, error) {
	names, err := s.services()
	if err != nil {
		return nil, err
	}
	types := newTypes(s.loader)
	var list []protoreflect.MethodDescriptor
	for _, name := range names {
		if strings.HasPrefix(name, "grpc.reflection.") || strings.HasPrefix(name, "grpc.health.") {
			continue
		}
		switch err := s.symbol(protoreflect.FullName(name)); {
		case errors.Is(err, errNotFound):
			continue
		case err != nil:
			return nil, err
		}
		found, err := types.files.FindDescriptorByName(protoreflect.FullName(name))
		if err != nil {
			continue // the files are not the service's
		}
		list = appendMethods(list, found)
		if len(list) >= maxMethods {
			return list[:maxMethods], nil
		}
	}
	return list, nil
}

// ListCompiled returns the methods in .proto files and their imports, at most maxMethods.
func ListCompiled(ctx context.Context, protos, importPaths []string) ([]protoreflect.MethodDescriptor, error) {
	types, err := compile(ctx, protos, importPaths)
	if err != nil {
		return nil, err
	}
	return types.methods(), nil
}

// ListSets returns the methods in files that hold FileDescriptorSets, maxMethods at the most.
func ListSets(paths []string) ([]protoreflect.MethodDescriptor, error) {
	types, err := readSets(paths)
	if err != nil {
		return nil, err
	}
	return types.methods(), nil
}

// methods returns the methods of all services in order, at most maxMethods.
func (t *Types) methods() []protoreflect.MethodDescriptor {
	var list []protoreflect.MethodDescriptor
	for _, name := range services(t.files) {
		if found, err := t.files.FindDescriptorByName(protoreflect.FullName(name)); err == nil {
			list = appendMethods(list, found)
		}
	}
	return list[:min(len(list), maxMethods)]
}

// appendMethods appends those of a service.
func appendMethods(list []protoreflect.MethodDescriptor, found protoreflect.Descriptor) []protoreflect.MethodDescriptor {
	if service, ok := found.(protoreflect.ServiceDescriptor); ok {
		for i := range service.Methods().Len() {
			list = append(list, service.Methods().Get(i))
		}
	}
	return list
}
