package request

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Prepared is what calls send, for workers that read neither schemas nor JSON: encoded bytes with places for the values of
// functions. It is plain data.
type Prepared struct {
	Requests [][][]Part // the messages of each request
	Metadata []PreparedEntry
}

// A PreparedEntry is one entry of metadata. If its name ends in -bin, the value is base64 of the bytes to send.
type PreparedEntry struct {
	Name  string
	Parts []Part
}

// A Part is ready bytes, and then a function's value, or the length of further parts and these, or nothing.
type Part struct {
	Ready       []byte
	Function    *Function // nil without one
	Encoding    Encoding
	Least, Most int64 // of a number that is not text
	Below       []Part
}

// A Function makes values: see Function in worker.proto.
type Function struct {
	Name    string
	Place   int // of the value in its message, by which it is drawn
	Numbers []int64
	Texts   []string
}

// An Encoding is how a value is written.
type Encoding int

// The encodings, in the order of worker.proto.
const (
	EncodingText Encoding = iota
	EncodingBytes
	EncodingVarint
	EncodingZigzag
	EncodingFixed32
	EncodingFixed64
)

// Unprepared returns the error of Prepare, one sentence: a function whose place requires parsing JSON for every call.
func (s *Source) Unprepared() error {
	for _, messages := range s.requests {
		for _, m := range messages {
			if m.template != nil && m.pattern == nil {
				return fmt.Errorf("%s: there is a function in the request in place of something other than a string, a whole "+
					"number or random_bytes", m.place.at(0))
			}
		}
	}
	return nil
}

// Prepare returns the requests.
func (s *Source) Prepare() ([][][]Part, error) {
	if err := s.Unprepared(); err != nil {
		return nil, err
	}
	requests := make([][][]Part, len(s.requests))
	for i, messages := range s.requests {
		requests[i] = make([][]Part, len(messages))
		for j, m := range messages {
			if m.template == nil {
				requests[i][j] = []Part{{Ready: m.encoded}}
			} else {
				requests[i][j] = m.pattern.prepare(m.pattern.nodes)
			}
		}
	}
	return requests, nil
}

// Prepare returns the entries, without a token.
func (m Metadata) Prepare() []PreparedEntry {
	var list []PreparedEntry
	for _, one := range m {
		if w, ok := one.Value.(*written); ok {
			list = append(list, PreparedEntry{Name: one.Name, Parts: w.text.template.prepare()})
		}
	}
	return list
}

func (t *template) prepare() []Part {
	list := make([]Part, len(t.parts))
	for i := range t.parts {
		if p := &t.parts[i]; p.literal != nil {
			list[i] = Part{Ready: p.literal}
		} else {
			list[i] = p.value.part(i, EncodingText)
		}
	}
	return list
}

func (p *pattern) prepare(nodes []node) []Part {
	list := make([]Part, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		list[i] = Part{Ready: n.ready}
		switch n.kind {
		case numberNode:
			list[i] = p.parts[n.number.part].value.part(n.number.part, encodingOf(n.number.kind))
			list[i].Ready, list[i].Least, list[i].Most = n.ready, n.number.least, n.number.most
		case textNode:
			list[i] = lengthed(n.ready, p.preparePieces(n.pieces))
		case messageNode:
			list[i] = lengthed(n.ready, p.prepare(n.below))
		case readyNode:
		}
	}
	return list
}

// lengthed is parts behind their length. No parts at all have the length 0.
func lengthed(ready []byte, below []Part) Part {
	if len(below) == 0 {
		return Part{Ready: slices.Concat(ready, []byte{0})}
	}
	return Part{Ready: ready, Below: below}
}

func (p *pattern) preparePieces(pieces []piece) []Part {
	list := make([]Part, len(pieces))
	for i, one := range pieces {
		switch {
		case one.part < 0:
			list[i] = Part{Ready: []byte(one.ready)}
		case one.raw:
			list[i] = p.parts[one.part].value.part(one.part, EncodingBytes)
		default:
			list[i] = p.parts[one.part].value.part(one.part, EncodingText)
		}
	}
	return list
}

// part returns the part that makes the value at a place.
func (v *value) part(place int, as Encoding) Part {
	if v.number == nil && v.text == nil {
		return Part{Ready: v.fixed}
	}
	called := v.called
	called.Place = place
	return Part{Function: &called, Encoding: as}
}

// encodingOf is appendNumber's for others to do the same.
func encodingOf(kind protoreflect.Kind) Encoding {
	switch kind {
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return EncodingZigzag
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		return EncodingFixed32
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		return EncodingFixed64
	default:
		return EncodingVarint
	}
}
