// Package schema finds the request and response messages of a gRPC method: by server reflection, in .proto files, or in a
// protoset (a FileDescriptorSet written by a compiler).
//
// The result is a Method in each case: its descriptor, and the types that JSON may name inside messages. Nothing is
// generated or executed. Input is bounded in size, and requests in time. Missing imports are ignored unless the method's
// own messages need them, because servers often omit what only options use.
package schema

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Limits of a schema. The largest public ones, Google's APIs as a whole, have about 5,000 files and 30 MB.
const (
	BytesMax = 64 << 20 // of all files together, as descriptors
	FilesMax = 10_000
)

// patience limits the time of asking a server, where the context ends later. Only tests change it.
var patience = 10 * time.Second

// SourceBytesMax is the limit of all .proto files together, less than BytesMax because compiling them takes up to 230 times
// as much memory.
const SourceBytesMax = 8 << 20

// A Name is the name of a method in a call.
type Name struct {
	Service protoreflect.FullName // "package.Service"
	Method  protoreflect.Name
}

// ParseName reads package.Service/Method; a leading slash and package.Service.Method are understood too.
func ParseName(text string) (Name, error) {
	trimmed := strings.TrimPrefix(text, "/")
	at := strings.LastIndex(trimmed, "/")
	if at < 0 {
		at = strings.LastIndex(trimmed, ".")
	}
	if at < 0 {
		return Name{}, fmt.Errorf("%q is not a method, such as package.Service/Method", text)
	}
	name := Name{Service: protoreflect.FullName(trimmed[:at]), Method: protoreflect.Name(trimmed[at+1:])}
	if !name.Service.IsValid() || !name.Method.IsValid() {
		return Name{}, fmt.Errorf("%q is not a method, such as package.Service/Method", text)
	}
	return name, nil
}

// String returns package.Service/Method.
func (n Name) String() string { return string(n.Service) + "/" + string(n.Method) }

// whole returns what the name may have been if it is a service's alone, of which the last word was taken for a method.
func (n Name) whole() protoreflect.FullName { return n.Service.Append(n.Method) }

// A Method holds what a caller needs to know about a method. It is safe for concurrent use.
type Method struct {
	Descriptor protoreflect.MethodDescriptor
	Types      *Types // what Any and extensions in its messages may name
}

// Path is the method's on the wire, "/package.Service/Method".
func (m *Method) Path() string { return "/" + m.Name().String() }

// Name returns the method's.
func (m *Method) Name() Name {
	return Name{Service: m.Descriptor.Parent().FullName(), Method: m.Descriptor.Name()}
}

// Set returns the method's file and all that was loaded with it, imports first, for OpenSet to read elsewhere.
func (m *Method) Set() ([]byte, error) {
	set := &descriptorpb.FileDescriptorSet{}
	for _, file := range m.Types.all() {
		set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
	}
	encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(set)
	if err != nil {
		return nil, fmt.Errorf("cannot write the schema of %s: %w", m.Name(), err)
	}
	return encoded, nil
}
