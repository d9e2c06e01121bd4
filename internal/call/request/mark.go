package request

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// marks is a document with a mark for every value that varies: a text that occurs nowhere else, or a number. Values go where the
// parsed message has the marks.
type marks struct {
	text    []byte
	prefix  string                               // of texts; private characters
	parts   map[int]protoreflect.FieldDescriptor // those that are whole numbers, with their fields
	numbers map[int64]int                        // marks to parts
	count   int
	found   int
}

// firstNumber is the first mark that is a number. It fits every field of whole numbers.
const firstNumber = 1_946_157_057

// mark puts marks into a document; false is a value that no pattern can have.
func (b *builder) mark(text []byte, list []hole, t *template) (*marks, bool) {
	m := &marks{prefix: "\ue000\ue001", parts: map[int]protoreflect.FieldDescriptor{}, numbers: map[int64]int{}}
	if strings.Contains(string(text), m.prefix) {
		return nil, false
	}
	plain := filled(text, list)
	for i := range t.parts {
		p := &t.parts[i]
		if p.literal != nil {
			m.text = append(m.text, p.literal...)
			continue
		}
		m.count++
		at := spotAt(plain, p.hole.start)
		leaf, ok := follow(b.method.Descriptor.Input(), at.path)
		if !ok || at.isKey || leaf.field == nil {
			return nil, false
		}
		if !m.put(i, p, leaf, text) {
			return nil, false
		}
	}
	return m, true
}

// put writes the mark of a part.
func (m *marks) put(i int, p *part, at leaf, text []byte) bool {
	field := at.field
	if field.IsMap() {
		field = field.MapValue()
	}
	if _, _, ok := bounds(field.Kind()); ok {
		number := firstNumber + int64(i)
		m.numbers[number] = i
		m.text = fmt.Appendf(m.text, "%d", number)
		return p.value.number != nil && alone(text, p.hole) && !at.field.IsList()
	}
	if p.quotes {
		m.text = append(m.text, '"')
	}
	if field.Kind() == protoreflect.BytesKind {
		m.text = base64.StdEncoding.AppendEncode(m.text, fmt.Appendf(nil, "%s%d\ue002", m.prefix, i))
	} else {
		m.text = fmt.Appendf(m.text, "%s%d\ue002", m.prefix, i)
	}
	if p.quotes {
		m.text = append(m.text, '"')
	}
	switch field.Kind() {
	case protoreflect.StringKind:
		return p.quotes || p.hole.quoted
	case protoreflect.BytesKind:
		return p.value.raw != nil && alone(text, p.hole) && !at.field.IsList()
	default:
		return false
	}
}

// alone reports whether a hole is a whole JSON value.
func alone(text []byte, h hole) bool {
	before, after := byte(' '), byte(' ')
	if h.start > 0 {
		before = text[h.start-1]
	}
	if h.end < len(text) {
		after = text[h.end]
	}
	if h.quoted {
		return before == '"' && after == '"'
	}
	return strings.IndexByte(" \t\r\n:[,", before) >= 0 && strings.IndexByte(" \t\r\n]},", after) >= 0
}

// nodes encodes a message with marks. Its fields are encoded one by one, so that each lacks the required ones of proto2: whether
// the whole has them was asked when it was parsed.
func (m *marks) nodes(message protoreflect.Message, write proto.MarshalOptions) ([]node, bool) {
	var nodes []node
	ok := true
	write.AllowPartial = true
	for _, field := range fieldsOf(message) {
		value := message.Get(field)
		if !m.has(field, value) {
			single := message.New()
			single.Set(field, value)
			ready, err := write.Marshal(single.Interface())
			nodes, ok = append(nodes, node{ready: ready}), ok && err == nil
			continue
		}
		var made []node
		var fits bool
		switch {
		case field.IsMap():
			made, fits = m.entries(field, value.Map(), write)
		case field.IsList():
			made, fits = m.elements(field, value.List(), write)
		default:
			made, fits = m.single(field, field.Number(), value, write)
		}
		nodes, ok = append(nodes, made...), ok && fits
	}
	return nodes, ok
}

// fieldsOf returns the fields that are set, by number.
func fieldsOf(message protoreflect.Message) []protoreflect.FieldDescriptor {
	list := firsts(message.Range)
	slices.SortFunc(list, func(a, b protoreflect.FieldDescriptor) int { return int(a.Number()) - int(b.Number()) })
	return list
}

// firsts returns the fields of a message, or the keys of a map, in any order.
func firsts[T any](all func(func(T, protoreflect.Value) bool)) []T {
	var list []T
	all(func(one T, _ protoreflect.Value) bool {
		list = append(list, one)
		return true
	})
	return list
}

// has reports whether a value contains a mark, at any depth.
func (m *marks) has(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
	switch {
	case field.IsMap():
		found := false
		value.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
			found = found || m.hasOne(field.MapValue(), v)
			return !found
		})
		return found
	case field.IsList():
		for i := range value.List().Len() {
			if m.hasOne(field, value.List().Get(i)) {
				return true
			}
		}
		return false
	default:
		return m.hasOne(field, value)
	}
}

func (m *marks) hasOne(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
	switch field.Kind() {
	case protoreflect.StringKind:
		return strings.Contains(value.String(), m.prefix)
	case protoreflect.BytesKind:
		return strings.Contains(string(value.Bytes()), m.prefix)
	case protoreflect.MessageKind, protoreflect.GroupKind:
		for _, below := range fieldsOf(value.Message()) {
			if m.has(below, value.Message().Get(below)) {
				return true
			}
		}
		return false
	default:
		_, ok := m.number(field, value)
		return ok
	}
}

// number returns the part whose mark a field of whole numbers has.
func (m *marks) number(field protoreflect.FieldDescriptor, value protoreflect.Value) (int, bool) {
	if _, _, ok := bounds(field.Kind()); !ok {
		return 0, false
	}
	var v int64
	switch is := value.Interface().(type) {
	case int32:
		v = int64(is)
	case int64:
		v = is
	case uint32:
		v = int64(is)
	case uint64:
		v = int64(is)
	}
	i, ok := m.numbers[v]
	return i, ok
}

// single encodes one value under a field's number.
func (m *marks) single(field protoreflect.FieldDescriptor, under protowire.Number, value protoreflect.Value,
	write proto.MarshalOptions,
) ([]node, bool) {
	tag := protowire.AppendTag(nil, under, protowire.BytesType)
	if field.Kind() == protoreflect.StringKind {
		pieces, ok := m.pieces(value.String())
		return []node{{ready: tag, kind: textNode, pieces: pieces}}, ok
	}
	if field.Kind() == protoreflect.BytesKind {
		pieces, ok := m.pieces(string(value.Bytes()))
		if !ok || len(pieces) != 1 || pieces[0].part < 0 {
			return nil, false
		}
		pieces[0].raw = true
		return []node{{ready: tag, kind: textNode, pieces: pieces}}, true
	}
	if field.Kind() == protoreflect.MessageKind {
		below, ok := m.nodes(value.Message(), write)
		return []node{{ready: tag, kind: messageNode, below: below}}, ok
	}
	part, ok := m.number(field, value)
	if !ok {
		return nil, false
	}
	m.found++
	least, most, _ := bounds(field.Kind())
	n := &number{part: part, kind: field.Kind(), least: least, most: most}
	return []node{{ready: protowire.AppendTag(nil, under, wireType(field.Kind())), kind: numberNode, number: n}}, true
}

func wireType(kind protoreflect.Kind) protowire.Type {
	switch kind {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		return protowire.Fixed64Type
	default:
		return protowire.VarintType
	}
}

// elements encodes a list of strings or messages.
func (m *marks) elements(field protoreflect.FieldDescriptor, list protoreflect.List, write proto.MarshalOptions,
) ([]node, bool) {
	if field.Kind() != protoreflect.StringKind && field.Kind() != protoreflect.MessageKind {
		return nil, false
	}
	var nodes []node
	for i := range list.Len() {
		made, ok := m.single(field, field.Number(), list.Get(i), write)
		if !ok {
			return nil, false
		}
		nodes = append(nodes, made...)
	}
	return nodes, true
}

// entries encodes a map: each entry is a message of a key and a value.
func (m *marks) entries(field protoreflect.FieldDescriptor, entries protoreflect.Map, write proto.MarshalOptions,
) ([]node, bool) {
	var nodes []node
	tag := protowire.AppendTag(nil, field.Number(), protowire.BytesType)
	for _, key := range keysOf(entries) {
		below, ok := m.entry(field, key, entries.Get(key), write)
		if !ok {
			return nil, false
		}
		nodes = append(nodes, node{ready: tag, kind: messageNode, below: below})
	}
	return nodes, true
}

// keysOf returns the keys of a map in an order that is always the same, for all processes to send the same bytes.
func keysOf(entries protoreflect.Map) []protoreflect.MapKey {
	list := firsts(entries.Range)
	slices.SortFunc(list, func(a, b protoreflect.MapKey) int { return strings.Compare(a.String(), b.String()) })
	return list
}

func (m *marks) entry(field protoreflect.FieldDescriptor, key protoreflect.MapKey, value protoreflect.Value,
	write proto.MarshalOptions,
) ([]node, bool) {
	// A map of this entry alone, encoded, is the entry's tag and length, and then the key and the value.
	keys := []node{{ready: encodeKey(field.MapKey(), key)}}
	if keys[0].ready == nil || !m.hasOne(field.MapValue(), value) && field.MapValue().Kind() != protoreflect.StringKind &&
		field.MapValue().Kind() != protoreflect.MessageKind {
		return nil, false
	}
	values, ok := m.single(field.MapValue(), 2, value, write)
	return append(keys, values...), ok
}

// encodeKey encodes a map's key; nil where it is a bool, which is not worth it.
func encodeKey(field protoreflect.FieldDescriptor, key protoreflect.MapKey) []byte {
	switch is := key.Interface().(type) {
	case string:
		return protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), is)
	case int32:
		return appendNumber(protowire.AppendTag(nil, 1, wireType(field.Kind())), field.Kind(), int64(is))
	case int64:
		return appendNumber(protowire.AppendTag(nil, 1, wireType(field.Kind())), field.Kind(), is)
	case uint32:
		return appendNumber(protowire.AppendTag(nil, 1, wireType(field.Kind())), field.Kind(), int64(is))
	case uint64:
		return appendNumber(protowire.AppendTag(nil, 1, wireType(field.Kind())), field.Kind(), int64(is))
	default:
		return nil
	}
}

// pieces splits a string at its marks.
func (m *marks) pieces(text string) ([]piece, bool) {
	var list []piece
	for text != "" {
		before, rest, ok := strings.Cut(text, m.prefix)
		if before != "" {
			list = append(list, piece{ready: before, part: -1})
		}
		if !ok {
			break
		}
		var part int
		if _, err := fmt.Sscanf(rest, "%d\ue002", &part); err != nil {
			return nil, false
		}
		m.found++
		list = append(list, piece{part: part})
		_, text, _ = strings.Cut(rest, "\ue002")
	}
	return list, true
}
