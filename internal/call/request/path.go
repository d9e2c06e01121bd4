package request

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A step goes from a JSON value into one of its parts.
type step struct {
	key     string
	index   int // in an array; the key is empty
	inArray bool
}

// A spot describes an offset of a JSON text.
type spot struct {
	path  []step
	isKey bool // the name of the last step stands there, not its value
}

// String returns the path as people write it, items[2].price.
func (s spot) String() string {
	var b strings.Builder
	for _, step := range s.path {
		switch {
		case step.inArray:
			b.WriteString("[" + strconv.Itoa(step.index) + "]")
		case b.Len() > 0:
			b.WriteString("." + step.key)
		default:
			b.WriteString(step.key)
		}
	}
	return b.String()
}

// known returns the spot without the names that are in no text of the template's author: they may be secrets.
func (s spot) known(t *template) spot {
	var written strings.Builder
	for _, p := range t.parts {
		if !p.value.secret {
			written.Write(p.literal)
		}
	}
	s.path = slices.Clone(s.path)
	for i := range s.path {
		if !strings.Contains(written.String(), s.path[i].key) {
			s.path[i].key = "…"
		}
	}
	return s
}

// A level is an object or an array that a walk is inside of.
type level struct {
	array   bool
	index   int
	key     string
	wantKey bool
}

// spotAt walks a JSON text as far as the token that holds an offset. Where the text ends or is wrong before, the spot
// is the last one.
func spotAt(text []byte, offset int) spot {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var levels []level
	var at spot
	for {
		token, err := decoder.Token()
		if err != nil {
			return at
		}
		delimiter, _ := token.(json.Delim)
		closes := delimiter == '}' || delimiter == ']'
		if closes {
			levels = levels[:len(levels)-1]
		}
		at = here(levels)
		if key, ok := token.(string); ok && at.isKey {
			levels[len(levels)-1].key = key
			at.path[len(at.path)-1].key = key
		}
		if decoder.InputOffset() > int64(offset) {
			return at
		}
		switch delimiter {
		case '{', '[':
			levels = append(levels, level{array: delimiter == '[', wantKey: delimiter == '{'})
		default:
			pass(levels)
		}
	}
}

// here is the spot of the token that comes next on these levels.
func here(levels []level) spot {
	var at spot
	for _, l := range levels {
		at.path = append(at.path, step{key: l.key, index: l.index, inArray: l.array})
	}
	at.isKey = len(levels) > 0 && levels[len(levels)-1].wantKey
	return at
}

// pass goes on behind a key or a value.
func pass(levels []level) {
	if len(levels) == 0 {
		return
	}
	last := &levels[len(levels)-1]
	switch {
	case last.array:
		last.index++
	default:
		last.wantKey = !last.wantKey
	}
}

// A leaf is the field of a message at the end of a path.
type leaf struct {
	message protoreflect.MessageDescriptor // that has the field
	field   protoreflect.FieldDescriptor   // nil where the path ends in the message, or is unknown
	element bool                           // of the list or map, not the field as a whole
}

// follow follows a JSON path from a message. It returns false for messages with their own JSON form (such as Timestamp) and for
// unknown fields.
func follow(message protoreflect.MessageDescriptor, path []step) (leaf, bool) {
	at := leaf{message: message}
	for _, s := range path {
		if at.field != nil && !at.element && (at.field.IsList() && s.inArray || at.field.IsMap() && !s.inArray) {
			at.element = true
			continue
		}
		if at.field != nil {
			inside := at.inside()
			if inside == nil {
				return at, false
			}
			at = leaf{message: inside}
		}
		if s.inArray || ownJSON(at.message) {
			return at, false
		}
		field := fieldOf(at.message, s.key)
		if field == nil {
			return at, false
		}
		at.field = field
	}
	return at, true
}

// inside returns the message that the leaf's value is; nil where it is none.
func (l leaf) inside() protoreflect.MessageDescriptor {
	switch {
	case (l.field.IsList() || l.field.IsMap()) && !l.element:
		return nil
	case l.field.IsMap():
		return l.field.MapValue().Message()
	default:
		return l.field.Message()
	}
}

// fieldOf finds a field by either of the names that JSON may use.
func fieldOf(message protoreflect.MessageDescriptor, name string) protoreflect.FieldDescriptor {
	if field := message.Fields().ByJSONName(name); field != nil {
		return field
	}
	return message.Fields().ByTextName(name)
}

// ownJSON reports whether the JSON of a message is something other than an object of its fields.
func ownJSON(message protoreflect.MessageDescriptor) bool {
	return message.FullName().Parent() == "google.protobuf" && message.FullName() != "google.protobuf.Empty"
}

// fieldNames returns those that JSON may use.
func fieldNames(message protoreflect.MessageDescriptor) []string {
	var list []string
	for i := range message.Fields().Len() {
		list = append(list, message.Fields().Get(i).TextName())
	}
	return list
}

// enumNames returns the names of an enum's values.
func enumNames(enum protoreflect.EnumDescriptor) []string {
	var list []string
	for i := range enum.Values().Len() {
		list = append(list, string(enum.Values().Get(i).Name()))
	}
	return list
}
