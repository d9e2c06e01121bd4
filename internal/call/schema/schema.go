// Package schema finds out what messages a gRPC method takes and gives: from a server by reflection, from .proto files,
// or from a protoset (a FileDescriptorSet that a compiler wrote).
//
// Whatever it comes from, the answer is a Method: its descriptor, and the types that JSON may name inside of messages.
// Nothing is generated or executed. What is read is bounded in size, and what is asked for in time. Imports that are not
// to be had are passed over unless the method's own messages need them: servers often leave out what only options use.
package schema

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// Limits of a schema. The largest public ones, Google's APIs as a whole, have about 5,000 files and 30 MB.
const (
	BytesMax = 64 << 20 // of all files together, as descriptors
	FilesMax = 10_000
	Timeout  = 10 * time.Second // of asking a server, where the context ends later
)

// SourceBytesMax is the limit of all .proto files together, less than BytesMax because compiling them takes up to 230 times
// as much memory.
const SourceBytesMax = 8 << 20

// A Name is a method's, as a call spells it.
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

// A Method is what a caller needs to know of one. It may be used concurrently.
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

// CheckReply tells whether an encoded message is one of the method's replies, as far as decoding it tells.
func (m *Method) CheckReply(encoded []byte) error {
	reply := dynamicpb.NewMessage(m.Descriptor.Output())
	if err := (proto.UnmarshalOptions{Resolver: m.Types}).Unmarshal(encoded, reply); err != nil {
		return fmt.Errorf("a reply of %d bytes is not a %s: %w", len(encoded), m.Descriptor.Output().FullName(), err)
	}
	return nil
}
