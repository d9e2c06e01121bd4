package batchv1

import "google.golang.org/protobuf/encoding/protowire"

// OperationsField is the number of the field operations of a Batch.
const OperationsField = 1

// Refuse makes x a message that Respond refuses, instead of decoding one with more operations than most.
func (x *Batch) Refuse(most int) { x.Operations = make([]*Operation, most+1) }

// Exceeds reports whether an encoded Batch has more than most operations. Invalid protobuf is left to the decoder.
func Exceeds(encoded []byte, most int) bool {
	operations := 0
	for len(encoded) > 0 {
		field, kind, size := protowire.ConsumeTag(encoded)
		if size < 0 {
			return false
		}
		if field == OperationsField {
			operations++
		}
		value := protowire.ConsumeFieldValue(field, kind, encoded[size:])
		if value < 0 || operations > most {
			return operations > most
		}
		encoded = encoded[size+value:]
	}
	return false
}
