package qpsworker

import (
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// checkKnown refuses a setup with a field of a newer protocol, which would be ignored otherwise.
func checkKnown(setup proto.Message) error {
	if field := unknownField(setup.ProtoReflect()); field != "" {
		return refuse(field, "unknown: the driver's protocol is newer than this worker's")
	}
	return nil
}

// unknownField returns the path of the first unknown field of a message or one within it, "" if all are known.
func unknownField(m protoreflect.Message) (path string) {
	if number, _, n := protowire.ConsumeTag(m.GetUnknown()); n > 0 {
		return "field " + strconv.Itoa(int(number))
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		for _, inner := range messagesOfField(f, v) {
			if found := unknownField(inner); found != "" {
				path = string(f.Name()) + "." + found
				return false
			}
		}
		return true
	})
	return path
}

// messagesOfField returns the messages that a field holds. The protocol has no maps.
func messagesOfField(f protoreflect.FieldDescriptor, v protoreflect.Value) (all []protoreflect.Message) {
	switch {
	case f.Message() == nil || f.IsMap():
	case f.IsList():
		for i := range v.List().Len() {
			all = append(all, v.List().Get(i).Message())
		}
	default:
		all = []protoreflect.Message{v.Message()}
	}
	return all
}
