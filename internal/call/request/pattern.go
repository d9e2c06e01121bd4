package request

import (
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// A pattern is an encoded message with places for values: the template's JSON, parsed once. It is safe for concurrent use.
type pattern struct {
	nodes []node
	parts []part // the template's
}

// A node is one of: ready bytes; a number; a text of pieces; a message of nodes.
type node struct {
	ready  []byte // behind it stands what follows; a tag, or any number of whole fields
	number *number
	pieces []piece
	below  []node
	kind   nodeKind
}

type nodeKind int

const (
	readyNode nodeKind = iota
	numberNode
	textNode
	messageNode
)

// A number is a value in a field of some kind.
type number struct {
	part        int
	kind        protoreflect.Kind
	least, most int64
}

// A piece is ready text, or a value.
type piece struct {
	ready string
	part  int  // -1 with ready text
	raw   bool // the value's bytes, not their base64
}

// append appends the message; false is a number that does not fit its field.
func (p *pattern) append(dst []byte, d *draw) ([]byte, bool) { return p.appendNodes(dst, p.nodes, d) }

func (p *pattern) appendNodes(dst []byte, nodes []node, d *draw) ([]byte, bool) {
	for i := range nodes {
		n := &nodes[i]
		dst = append(dst, n.ready...)
		switch n.kind {
		case numberNode:
			d.begin(n.number.part)
			v := p.parts[n.number.part].value.number(d)
			if v < n.number.least || v > n.number.most {
				return dst, false
			}
			dst = appendNumber(dst, n.number.kind, v)
		case textNode:
			start := len(dst)
			dst = p.appendPieces(dst, n.pieces, d)
			dst = insertLength(dst, start)
		case messageNode:
			start := len(dst)
			filled, ok := p.appendNodes(dst, n.below, d)
			if !ok {
				return dst, false
			}
			dst = insertLength(filled, start)
		case readyNode:
		}
	}
	return dst, true
}

func (p *pattern) appendPieces(dst []byte, pieces []piece, d *draw) []byte {
	for _, piece := range pieces {
		if piece.part < 0 {
			dst = append(dst, piece.ready...)
			continue
		}
		d.begin(piece.part)
		if v := &p.parts[piece.part].value; piece.raw {
			dst = v.raw(dst, d)
		} else {
			dst = v.append(dst, d)
		}
	}
	return dst
}

// insertLength inserts, at start, the length of the bytes that follow.
func insertLength(dst []byte, start int) []byte {
	length := uint64(len(dst) - start)
	size := protowire.SizeVarint(length)
	dst = append(dst, make([]byte, size)...)
	copy(dst[start+size:], dst[start:])
	protowire.AppendVarint(dst[:start], length)
	return dst
}

func appendNumber(dst []byte, kind protoreflect.Kind, v int64) []byte {
	switch kind {
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return protowire.AppendVarint(dst, protowire.EncodeZigZag(v))
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		return protowire.AppendFixed32(dst, uint32(v))
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		return protowire.AppendFixed64(dst, uint64(v))
	default:
		return protowire.AppendVarint(dst, uint64(v))
	}
}

// bounds returns the range of an integer field within int64. It returns false for other kinds.
func bounds(kind protoreflect.Kind) (least, most int64, ok bool) {
	switch kind {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return math.MinInt32, math.MaxInt32, true
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return 0, math.MaxUint32, true
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return math.MinInt64, math.MaxInt64, true
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return 0, math.MaxInt64, true
	default:
		return 0, 0, false
	}
}

// pattern makes one, or nil where a value is more than a string field with text around it, a whole number, or random bytes.
func (b *builder) pattern(text []byte, list []hole, t *template) *pattern {
	marked, ok := b.mark(text, list, t)
	if !ok {
		return nil
	}
	m := dynamicpb.NewMessage(b.method.Descriptor.Input())
	if err := b.read.Unmarshal(marked.text, m); err != nil {
		return nil
	}
	nodes, ok := marked.nodes(m, b.write)
	if !ok || marked.found != marked.count {
		return nil
	}
	p := &pattern{nodes: nodes, parts: t.parts}
	for _, call := range []uint64{0, 1, 1_000_003} { // the proof that both ways come to the same
		if !b.agree(p, t, call) {
			return nil
		}
	}
	return p
}

// agree reports whether pattern and template make the same message for a call.
func (b *builder) agree(p *pattern, t *template, call uint64) bool {
	d := draw{seed: b.options.Seed, call: call, now: b.options.Now(), short: true}
	slow, fast := dynamicpb.NewMessage(b.method.Descriptor.Input()), dynamicpb.NewMessage(b.method.Descriptor.Input())
	unreadable := b.read.Unmarshal(t.append(nil, &d), slow) != nil
	encoded, ok := p.append(nil, &d)
	if unreadable || !ok {
		return unreadable == !ok // the sequence may have come to its field's end
	}
	wanted, wrong := b.write.Marshal(slow)
	if wrong == nil && slices.Equal(encoded, wanted) {
		return true
	}
	err := proto.UnmarshalOptions{Resolver: b.method.Types}.Unmarshal(encoded, fast)
	encoded, again := b.write.Marshal(fast)
	return err == nil && again == nil && wrong == nil && slices.Equal(encoded, wanted) || err == nil && proto.Equal(slow, fast)
}
