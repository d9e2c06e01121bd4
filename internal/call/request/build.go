package request

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/schema"
	"rpcbench/internal/stack"
)

// A builder makes messages of documents.
type builder struct {
	method     *schema.Method
	options    Options
	vocabulary vocabulary
	read       protojson.UnmarshalOptions
	write      proto.MarshalOptions
	values     int // bytes that functions gave so far
}

// valuesMax bounds what functions give when requests are tried, at 20 ns a byte. Only rows and the environment can give as
// much; of a million requests each may have half a kilobyte of them.
const valuesMax = 512 << 20

func newBuilder(method *schema.Method, file string, options Options) *builder {
	descriptor := method.Descriptor
	b := &builder{
		method: method, options: options,
		read:       protojson.UnmarshalOptions{Resolver: method.Types},
		write:      proto.MarshalOptions{Deterministic: true},
		vocabulary: options.vocabulary(file),
	}
	b.vocabulary.facts = map[string]string{ // ghz's
		".FullyQualifiedName": string(descriptor.FullName()),
		".MethodName":         string(descriptor.Name()),
		".ServiceName":        string(descriptor.Parent().Name()),
		".InputName":          string(descriptor.Input().Name()),
		".OutputName":         string(descriptor.Output().Name()),
		".IsClientStreaming":  strconv.FormatBool(descriptor.IsStreamingClient()),
		".IsServerStreaming":  strconv.FormatBool(descriptor.IsStreamingServer()),
	}
	return b
}

// message makes a message of a document, and tries it as the first call would.
func (b *builder) message(doc document, number int) (message, error) {
	if err := messageLimits.Check(doc.text); err != nil {
		return message{}, fmt.Errorf("%s: %w", doc.place.at(0), err)
	}
	list, err := holes(doc.text, true)
	if err != nil {
		return message{}, located(doc.place, err)
	}
	t, err := b.vocabulary.parse(doc.text, list, syntaxJSON)
	if err != nil {
		return message{}, located(doc.place, err)
	}
	d := b.options.draw(0, number, uint64(number), t)
	d.short = true
	text := t.append(nil, &d)
	if b.values += max(0, len(text)-len(doc.text)); b.values > valuesMax {
		return message{}, fmt.Errorf("%s: the functions of the requests up to here give more than %d MiB",
			doc.place.at(0), valuesMax>>20)
	}
	encoded, err := b.encode(nil, text, t.cut)
	if err != nil {
		return message{}, b.options.inRow(t, 0, b.explain(err, doc.place, t, &d))
	}
	if !t.varies {
		return message{encoded: encoded}, nil
	}
	return message{template: t, pattern: b.pattern(doc.text, list, t), place: doc.place}, nil
}

// encode appends the message that a JSON text is, in which values are cut by that many bytes.
func (b *builder) encode(dst, text []byte, cut int) ([]byte, error) {
	m := dynamicpb.NewMessage(b.method.Descriptor.Input())
	if err := b.read.Unmarshal(text, m); err != nil {
		return nil, err
	}
	if size := proto.Size(m) + cut; size > stack.MessageBytesMax {
		return nil, fmt.Errorf("the message has %d bytes, above the limit of %d", size, stack.MessageBytesMax)
	}
	return b.write.MarshalAppend(dst, m)
}

// Error texts of protojson. The space after "proto:" is one of two kinds, chosen at random.
var (
	placed     = regexp.MustCompile(`^proto:[\s\x{a0}]*(syntax error )?\(line (\d+):(\d+)\): (.*)$`)
	unknown    = regexp.MustCompile(`^unknown field "(.*)"$`)
	invalid    = regexp.MustCompile(`^invalid value for (\S+) (?:field \S+|key): (.*)$`)
	token      = regexp.MustCompile(`^unexpected token (.*)$`)
	quotedText = regexp.MustCompile(`"([^"\\]|\\.)*"`)
	front      = regexp.MustCompile(`^proto:[\s\x{a0}]*`)
)

// explain turns the error of a document that does not fit the message into a sentence: its place, the field, and what is wrong.
func (b *builder) explain(err error, at place, t *template, d *draw) error {
	text := t.append(nil, d)
	if half := halfCharacter(text); half >= 0 { // which protojson describes by what follows
		return fmt.Errorf("%s: %s is half of a character without the other half", at.at(t.source(d, half)), text[half:half+6])
	}
	match := placed.FindStringSubmatch(err.Error())
	if match == nil {
		return fmt.Errorf("%s: %s", at.at(0), front.ReplaceAllString(err.Error(), ""))
	}
	line, _ := strconv.Atoi(match[2])
	column, _ := strconv.Atoi(match[3])
	offset := offsetOf(text, line, column)
	where := at.at(t.source(d, offset))
	spot := spotAt(text, offset)
	reason := match[4]
	show := short
	if t.secret {
		spot, show = spot.known(t), func(string) string { return "the value" }
		reason = quotedText.ReplaceAllString(reason, `"…"`)
	}
	if name := unknown.FindStringSubmatch(reason); name != nil {
		return fmt.Errorf("%s: %s", where, b.unknownField(spot, name[1]))
	}
	if parts := invalid.FindStringSubmatch(reason); parts != nil {
		reason = fmt.Sprintf("%s is not %s", show(parts[2]), b.wanted(spot, parts[1], parts[2]))
	} else if parts := token.FindStringSubmatch(reason); parts != nil {
		reason = fmt.Sprintf("%s is not %s", show(parts[1]), b.wanted(spot, "", parts[1]))
	}
	if len(spot.path) == 0 {
		return fmt.Errorf("%s: %s", where, reason)
	}
	return fmt.Errorf("%s: field %s: %s", where, spot, reason)
}

// halfCharacter returns the offset of an escaped surrogate of UTF-16 in JSON that is not one of a pair, or -1.
func halfCharacter(text []byte) int {
	unit := func(at int) rune {
		if at+6 > len(text) || text[at] != '\\' || text[at+1] != 'u' {
			return 0
		}
		n, err := strconv.ParseUint(string(text[at+2:at+6]), 16, 16)
		if err != nil {
			return 0
		}
		return rune(n)
	}
	for i := 0; i < len(text); i++ {
		first := unit(i)
		switch {
		case utf16.DecodeRune(first, unit(i+6)) != utf8.RuneError:
			i += 11
		case utf16.IsSurrogate(first):
			return i
		case text[i] == '\\':
			i++
		}
	}
	return -1
}

// unknownField says which message lacks the field, and which fields it has.
func (b *builder) unknownField(at spot, name string) string {
	input := b.method.Descriptor.Input()
	if len(at.path) == 0 {
		return fmt.Sprintf("%s has no field %q", input.FullName(), name)
	}
	parent, ok := follow(input, at.path[:len(at.path)-1])
	message := parent.message
	if ok && parent.field != nil {
		message = parent.field.Message()
		if parent.field.IsMap() {
			message = parent.field.MapValue().Message()
		}
	}
	if !ok || message == nil || ownJSON(message) { // such as what an Any holds
		return fmt.Sprintf("field %s: there is no field %q here", at, name)
	}
	return fmt.Sprintf("%s has no field %q%s", message.FullName(), name, hint.Of(name, fieldNames(message)))
}

// wanted says what the value should have been. kind is protobuf's term, used if the schema has no better one.
func (b *builder) wanted(at spot, kind, got string) string {
	to, ok := follow(b.method.Descriptor.Input(), at.path)
	if ok && to.field == nil {
		return fmt.Sprintf("an object, {…} (%s)", to.message.FullName())
	}
	if !ok || at.isKey {
		return valuesOf(kind)
	}
	field := to.field
	switch {
	case field.IsList() && !to.element:
		return "a list, […]"
	case field.IsMap() && !to.element:
		return "a map, {…}"
	case field.IsMap():
		field = field.MapValue()
	}
	switch {
	case field.Enum() != nil:
		return "a " + string(field.Enum().FullName()) + hint.Of(strings.Trim(got, `"`), enumNames(field.Enum()))
	case field.Message() != nil:
		return "a " + string(field.Message().FullName())
	default:
		return valuesOf(field.Kind().String())
	}
}

// values are those of protobuf's kinds in JSON.
var values = map[string]string{
	"string": "text in quotes", "bytes": "base64 in quotes", "bool": "true or false", "float": "a number", "double": "a number",
	"int32": wholeSigned, "sint32": wholeSigned, "sfixed32": wholeSigned, "uint32": wholeUnsigned, "fixed32": wholeUnsigned,
	"int64": longSigned, "sint64": longSigned, "sfixed64": longSigned, "uint64": longUnsigned, "fixed64": longUnsigned,
}

const (
	whole         = "a whole number"
	wholeSigned   = whole + " from -2147483648 to 2147483647"
	wholeUnsigned = whole + " from 0 to 4294967295"
	longSigned    = whole + " from -9223372036854775808 to 9223372036854775807"
	longUnsigned  = whole + " from 0 to 18446744073709551615"
)

// valuesOf describes the values of a kind, and names it.
func valuesOf(kind string) string {
	text, ok := values[kind]
	if !ok {
		return "a value of its kind"
	}
	return fmt.Sprintf("%s (%s)", text, kind)
}

// short cuts a value that no sentence can hold.
func short(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
