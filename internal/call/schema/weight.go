package schema

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Limits on what is decoded. All of Google's public APIs have about 400,000 parts, with full names of 25 MB.
const (
	partsMax     = 1_000_000
	nameBytesMax = 64 << 20
	nestingMax   = 64
)

// A weight bounds, before decoding, the memory that decoded and linked descriptors need: two bytes can be a message of hundreds,
// and the full name of a declaration repeats all names around it. One weight covers all files of a schema.
type weight struct {
	parts     int // messages of descriptor.proto
	nameBytes int // of full names
}

// decode decodes a descriptor, or a set of them, and merges it into the given message.
func (w *weight) decode(encoded []byte, into proto.Message) error {
	if err := w.add(into.ProtoReflect().Descriptor(), encoded, 0, 0); err != nil {
		return err
	}
	return proto.UnmarshalOptions{Merge: true}.Unmarshal(encoded, into)
}

// add weighs one message of a kind inside a declaration whose full name has scopeBytes bytes.
func (w *weight) add(kind protoreflect.MessageDescriptor, encoded []byte, scopeBytes, depth int) error {
	scopeBytes += nameBytesOf(kind, encoded)
	w.parts++
	w.nameBytes += scopeBytes
	switch {
	case depth > nestingMax:
		return fmt.Errorf("the schema nests declarations more than %d levels deep", nestingMax)
	case w.parts > partsMax:
		return fmt.Errorf("the schema has more than %d declarations, options and places in its sources", partsMax)
	case w.nameBytes > nameBytesMax:
		return fmt.Errorf("the schema has full names of more than %d MiB", nameBytesMax>>20)
	}
	return eachField(encoded, func(number protowire.Number, value []byte) error {
		field := kind.Fields().ByNumber(number)
		if field == nil || field.Message() == nil {
			return nil
		}
		return w.add(field.Message(), value, scopeBytes, depth+1)
	})
}

// nameBytesOf returns the bytes that a declaration adds to the full names inside it: its own name, or a file's package.
func nameBytesOf(kind protoreflect.MessageDescriptor, encoded []byte) int {
	named := kind.Fields().ByName("package")
	if named == nil {
		named = kind.Fields().ByName("name")
	}
	if named == nil {
		return 0
	}
	bytes := 0
	_ = eachField(encoded, func(number protowire.Number, value []byte) error {
		if number == named.Number() {
			bytes = len(value)
		}
		return nil
	})
	return bytes
}

// eachField takes the fields of an encoded message that hold bytes, up to where it is malformed: decoding says that.
func eachField(encoded []byte, take func(protowire.Number, []byte) error) error {
	for len(encoded) > 0 {
		number, kind, n := protowire.ConsumeTag(encoded)
		if n < 0 {
			return nil
		}
		encoded = encoded[n:]
		if kind != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(number, kind, encoded); n < 0 {
				return nil
			}
			encoded = encoded[n:]
			continue
		}
		value, n := protowire.ConsumeBytes(encoded)
		if n < 0 {
			return nil
		}
		encoded = encoded[n:]
		if err := take(number, value); err != nil {
			return err
		}
	}
	return nil
}
