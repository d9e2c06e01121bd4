package codec

import (
	standard "encoding/json"
	"errors"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	fast "github.com/segmentio/encoding/json"
)

// operations holds a codec's functions for one message. One goroutine at a time calls them.
type operations struct {
	object  any                            // that encode encodes
	encode  func() ([]byte, error)         // to new bytes
	decode  func(data []byte) (any, error) // to a new object
	gzipped bool
}

// check encodes and decodes once and returns the encoding. A codec that loses something of the message is an error that
// names the first field.
func (o operations) check() ([]byte, error) {
	data, err := o.encode()
	if err != nil {
		return nil, err
	}
	decoded, err := o.decode(data)
	if err != nil {
		return nil, err
	}
	if d := difference(decoded, o.object); d != "" {
		return nil, errors.New("the message changed by encoding and decoding: " + d)
	}
	return data, nil
}

// codecs bind to messages.
var codecs = []struct {
	name string
	bind func(m message) operations
}{
	{"protobuf", byProtobuf(proto.Marshal, proto.Unmarshal)},
	{"protobuf-json", byProtobuf(protojson.Marshal, protojson.Unmarshal)},
	{"json", byJSON(standard.Marshal, standard.Unmarshal)},
	{"json-fast", byJSON(fast.Marshal, fast.Unmarshal)},
	{"json-gzip", gzipped(byJSON(standard.Marshal, standard.Unmarshal))},
}

func codecNames() []string {
	var names []string
	for _, c := range codecs {
		names = append(names, c.name)
	}
	return names
}

// bind makes the operations of a codec that codecNames lists.
func bind(name string, m message) operations {
	return codecs[slices.Index(codecNames(), name)].bind(m)
}

// byProtobuf works on generated structs. proto.Marshal computes the sizes of all fields anew each time.
func byProtobuf(
	marshal func(proto.Message) ([]byte, error), unmarshal func([]byte, proto.Message) error,
) func(message) operations {
	return func(m message) operations {
		return operations{
			object: m.proto,
			encode: func() ([]byte, error) { return marshal(m.proto) },
			decode: func(data []byte) (any, error) {
				decoded := m.newProto()
				return decoded, unmarshal(data, decoded)
			},
		}
	}
}

// byJSON works on plain structs.
func byJSON(marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) func(message) operations {
	return func(m message) operations {
		return operations{
			object: m.plain,
			encode: func() ([]byte, error) { return marshal(m.plain) },
			decode: func(data []byte) (any, error) {
				decoded := m.newPlain()
				return decoded, unmarshal(data, decoded)
			},
		}
	}
}
