package request

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rpcbench/internal/call/hint"
)

// A value is the result of a function for a call: either a number or a text.
type value struct {
	number func(d *draw) int64
	text   func(dst []byte, d *draw) []byte // appends
	fixed  []byte                           // a text that is the same for every call
	among  []string                         // the texts that it is one of; nil where they are not listed
	raw    func(dst []byte, d *draw) []byte // of a text in base64, appends the bytes; nil of others
	ofRow  bool                             // it is in the call's row
	secret bool                             // it may be a secret: no error shows it
	bare   bool                             // a text that JSON has without quotes: numbers that may have a fraction, true, false
	timed  bool                             // it needs draw.now
	odd    bool                             // it may have characters that a syntax has to escape
	size   int                              // the most bytes that it gives, where they may be many
	cut    int                              // bytes by which a short draw is shorter, before base64
	called Function                         // what makes it, for others to do the same; of one that is not fixed
}

// append appends the result for this draw.
func (v *value) append(dst []byte, d *draw) []byte {
	switch {
	case v.number != nil:
		return strconv.AppendInt(dst, v.number(d), 10)
	case v.text != nil:
		return v.text(dst, d)
	default:
		return append(dst, v.fixed...)
	}
}

// A draw is one message's: everything that a function may depend on.
type draw struct {
	seed     uint64
	uuidSeed uint64
	call     uint64
	message  int    // its number in its stream
	scope    uint64 // what of a call is drawn: its messages from 0, its metadata, its path
	now      time.Time
	short    bool // random texts and bytes are shortened
	random   rand.PCG
}

// Scopes behind those of messages.
const (
	scopeMetadata = 1 << 40 // and the number of the entry
	scopePath     = 1 << 41
)

// begin seeds random from the call, the scope and the position of the function in it, independently of who asks and when. The
// factor (2^64 divided by the golden ratio) separates neighbors.
func (d *draw) begin(place int) {
	d.random.Seed(d.seed^(d.scope<<20+uint64(place)+1)*0x9e3779b97f4a7c15, d.call)
}

// below returns a random number in [0, n); n is not 0. The bias is below n / 2^64.
func (d *draw) below(n uint64) uint64 {
	high, _ := bits.Mul64(d.random.Uint64(), n)
	return high
}

// An argument is a number or a string.
type argument struct {
	text     string
	number   int64
	isNumber bool
}

// A function can be called in a hole.
type function struct {
	usage string // the name, and what follows it
	least int    // arguments
	most  int
	make  func(arguments []argument, v vocabulary) (value, error)
}

// A LookUp finds a variable of the environment.
type LookUp func(name string) (string, bool)

// many is more arguments than a line has.
const many = 1 << 20

// functions lists the functions by name. Those in camel case and with a dot are ghz's, with ghz's meaning.
var functions = map[string]function{
	"sequence":     {"sequence [FIRST [STEP]]", 0, 2, makeSequence},
	"message":      {"message", 0, 0, fromNumber("message", func(d *draw) int64 { return int64(d.message) })},
	"uuid":         {"uuid", 0, 0, fromText("uuid", appendUUID)},
	"random":       {"random LEAST MOST", 2, 2, makeRandom(0)},
	"random_text":  {"random_text LENGTH", 1, 1, makeRandomText},
	"random_bytes": {"random_bytes LENGTH", 1, 1, makeRandomBytes},
	"choose":       {"choose ONE OTHER…", 1, many, makeChoose},
	"column":       {`column "NAME"`, 1, 1, makeColumn},
	"timestamp":    {"timestamp", 0, 0, makeTimestamp},
	"timestamp_s":  {"timestamp_s", 0, 0, fromTime("timestamp_s", time.Time.Unix)},
	"timestamp_ms": {"timestamp_ms", 0, 0, fromTime("timestamp_ms", time.Time.UnixMilli)},
	"timestamp_ns": {"timestamp_ns", 0, 0, fromTime("timestamp_ns", time.Time.UnixNano)},
	"env":          {`env "NAME"`, 1, 1, makeEnv},

	"newUUID":             {"newUUID", 0, 0, fromText("uuid", appendUUID)},
	"randomInt":           {"randomInt LEAST BELOW", 2, 2, makeRandom(1)},
	"randomString":        {"randomString LENGTH", 1, 1, makeRandomText},
	".RequestNumber":      {".RequestNumber", 0, 0, makeSequence},
	".UUID":               {".UUID", 0, 0, fromText("call_uuid", appendCallUUID)},
	".Timestamp":          {".Timestamp", 0, 0, makeTimestamp},
	".TimestampUnix":      {".TimestampUnix", 0, 0, fromTime("timestamp_s", time.Time.Unix)},
	".TimestampUnixMilli": {".TimestampUnixMilli", 0, 0, fromTime("timestamp_ms", time.Time.UnixMilli)},
	".TimestampUnixNano":  {".TimestampUnixNano", 0, 0, fromTime("timestamp_ns", time.Time.UnixNano)},
}

// names returns the names of all functions and facts, in order.
func names(facts map[string]string) []string {
	list := slices.Concat(slices.Collect(maps.Keys(functions)), slices.Collect(maps.Keys(facts)))
	slices.Sort(list)
	return list
}

// evaluate makes the value of the text between braces.
func (v vocabulary) evaluate(text string) (value, error) {
	name, arguments, err := words(text)
	if err != nil {
		return value{}, err
	}
	if name == "" { // a string alone
		return value{fixed: []byte(arguments[0].text), odd: true}, nil
	}
	if fact, ok := v.facts[name]; ok && len(arguments) == 0 {
		return value{fixed: []byte(fact), odd: true}, nil
	}
	f, ok := functions[name]
	switch {
	case !ok && name == ".WorkerID":
		return value{}, errors.New(".WorkerID is not supported: calls belong to no worker")
	case !ok:
		return value{}, fmt.Errorf("unknown function %q%s", name, hint.Of(name, names(v.facts)))
	case len(arguments) < f.least || len(arguments) > f.most:
		return value{}, fmt.Errorf("%s is written {{%s}}", name, f.usage)
	}
	made, err := f.make(arguments, v)
	if err != nil {
		return value{}, fmt.Errorf("%s: %w", name, err)
	}
	return made, nil
}

// words splits a call into the function's name and its arguments. The name is empty for a bare string.
func words(text string) (name string, arguments []argument, err error) {
	rest := strings.TrimSpace(text)
	for first := true; rest != ""; first = false {
		var word string
		if rest[0] == '"' || rest[0] == '`' {
			end := stringEnd([]byte(rest), 0)
			if word, err = strconv.Unquote(rest[:end]); err != nil || !utf8.ValidString(word) {
				return "", nil, fmt.Errorf("%s is not a string", rest[:end])
			}
			arguments = append(arguments, argument{text: word})
			if rest = rest[end:]; rest != "" && !strings.ContainsRune(" \t\r", rune(rest[0])) {
				return "", nil, fmt.Errorf("a space is missing before %s", rest)
			}
			rest = strings.TrimSpace(rest)
			continue
		}
		word, rest, _ = strings.Cut(rest, " ")
		rest = strings.TrimSpace(rest)
		if strings.ContainsAny(word, "|()$\"`") {
			return "", nil, fmt.Errorf("%q is template syntax; only a function and its arguments are supported here", word)
		}
		number, err := strconv.ParseInt(word, 10, 64)
		switch {
		case first:
			name = word
		case err != nil:
			return "", nil, fmt.Errorf("%q is not a whole number; quote text", word)
		default:
			arguments = append(arguments, argument{number: number, isNumber: true})
		}
	}
	if name == "" && len(arguments) != 1 {
		return "", nil, errors.New("a function's name is missing")
	}
	return name, arguments, nil
}

func fromNumber(name string, number func(d *draw) int64) func([]argument, vocabulary) (value, error) {
	return func([]argument, vocabulary) (value, error) {
		return value{number: number, called: Function{Name: name}}, nil
	}
}

func fromText(name string, text func(dst []byte, d *draw) []byte) func([]argument, vocabulary) (value, error) {
	return func([]argument, vocabulary) (value, error) {
		return value{text: text, called: Function{Name: name}}, nil
	}
}

func fromTime(name string, unit func(time.Time) int64) func([]argument, vocabulary) (value, error) {
	return func([]argument, vocabulary) (value, error) {
		number := func(d *draw) int64 { return unit(d.now) }
		return value{number: number, timed: true, called: Function{Name: name}}, nil
	}
}

func makeTimestamp([]argument, vocabulary) (value, error) {
	return value{timed: true, called: Function{Name: "timestamp"}, text: func(dst []byte, d *draw) []byte {
		return d.now.UTC().AppendFormat(dst, "2006-01-02T15:04:05.000000000Z")
	}}, nil
}

func makeSequence(arguments []argument, _ vocabulary) (value, error) {
	first, step := int64(0), int64(1)
	for i, a := range arguments {
		switch {
		case !a.isNumber:
			return value{}, fmt.Errorf("%q is not a whole number", a.text)
		case i == 0:
			first = a.number
		default:
			step = a.number
		}
	}
	if last := lastCall(first, step); last < minSequence {
		return value{}, fmt.Errorf("the value for call %d does not fit into 64 bits", last+1)
	}
	return value{
		number: func(d *draw) int64 { return first + int64(d.call)*step },
		called: Function{Name: "sequence", Numbers: []int64{first, step}},
	}, nil
}

// minSequence is the number of calls for which a sequence must have numbers.
const minSequence = 1_000_000

// lastCall returns the last call for which a sequence has a number within uint64.
func lastCall(first, step int64) uint64 {
	switch {
	case step > 0:
		return (uint64(math.MaxInt64) - uint64(first)) / uint64(step)
	case step < 0:
		return (uint64(first) - 1<<63) / -uint64(step)
	default:
		return math.MaxUint64
	}
}

// makeRandom makes integers from the first argument to the second minus less.
func makeRandom(less int64) func([]argument, vocabulary) (value, error) {
	return func(arguments []argument, _ vocabulary) (value, error) {
		least, most := arguments[0].number, arguments[1].number-less
		if !arguments[0].isNumber || !arguments[1].isNumber || least > most || arguments[1].number < least {
			return value{}, errors.New("it needs two whole numbers, the smaller one first")
		}
		span := uint64(most) - uint64(least) + 1 // 0 is all numbers there are
		called := Function{Name: "random", Numbers: []int64{least, most}}
		return value{called: called, number: func(d *draw) int64 {
			if span == 0 {
				return int64(d.random.Uint64())
			}
			return int64(uint64(least) + d.below(span))
		}}, nil
	}
}

// letters of random texts: none that any syntax escapes.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// randomMax bounds a random text or random bytes.
const randomMax = 16 << 20

func length(a argument) (int, error) {
	if !a.isNumber || a.number < 0 || a.number > randomMax {
		return 0, fmt.Errorf("the length must be a whole number from 0 to %d", randomMax)
	}
	return int(a.number), nil
}

// shortLength returns the length of a random text in a short draw. Base64 of it, or as it, fits as it does at its full length.
func shortLength(n int) int {
	const group, least = 12, 36
	return min(n, least+n%group)
}

// makeRandomText makes letters and digits. A length of 0 means 2 to 16 of them, as in ghz.
func makeRandomText(arguments []argument, _ vocabulary) (value, error) {
	n, err := length(arguments[0])
	return value{
		called: Function{Name: "random_text", Numbers: []int64{int64(n)}}, size: n, cut: n - shortLength(n),
		text: func(dst []byte, d *draw) []byte {
			n := n
			switch {
			case n == 0:
				n = 2 + int(d.below(15))
			case d.short:
				n = shortLength(n)
			}
			for range n {
				dst = append(dst, letters[d.below(uint64(len(letters)))])
			}
			return dst
		},
	}, err
}

// makeRandomBytes makes bytes, encoded in base64 as in JSON.
func makeRandomBytes(arguments []argument, _ vocabulary) (value, error) {
	n, err := length(arguments[0])
	groups := func(dst []byte, d *draw, add func(dst, group []byte) []byte) []byte {
		left := n
		if d.short {
			left = shortLength(n)
		}
		for ; left > 0; left -= 3 {
			bits := d.random.Uint64()
			group := [3]byte{byte(bits >> 56), byte(bits >> 48), byte(bits >> 40)}
			dst = add(dst, group[:min(left, 3)])
		}
		return dst
	}
	return value{
		odd: true, size: base64.StdEncoding.EncodedLen(n), cut: n - shortLength(n),
		called: Function{Name: "random_bytes", Numbers: []int64{int64(n)}},
		text:   func(dst []byte, d *draw) []byte { return groups(dst, d, base64.StdEncoding.AppendEncode) },
		raw: func(dst []byte, d *draw) []byte {
			return groups(dst, d, func(dst, group []byte) []byte { return append(dst, group...) })
		},
	}, err
}

func makeChoose(arguments []argument, _ vocabulary) (value, error) {
	var list []string
	for _, a := range arguments {
		if a.isNumber {
			a.text = strconv.FormatInt(a.number, 10)
		}
		list = append(list, a.text)
	}
	if len(list) == 1 {
		return value{fixed: []byte(list[0]), odd: true}, nil
	}
	return value{odd: true, among: list, called: Function{Name: "choose", Texts: list}, text: func(dst []byte, d *draw) []byte {
		return append(dst, list[d.below(uint64(len(list)))]...)
	}}, nil
}

func makeEnv(arguments []argument, v vocabulary) (value, error) {
	name := arguments[0].text
	if arguments[0].isNumber || name == "" {
		return value{}, errors.New("it needs a variable's name in quotes")
	}
	text, ok := v.lookUp(name)
	if !ok {
		return value{}, fmt.Errorf("the environment has no variable %s", name)
	}
	if !utf8.ValidString(text) {
		return value{}, fmt.Errorf("the variable %s is not UTF-8", name)
	}
	return value{fixed: []byte(text), odd: true, secret: true, size: len(text)}, nil
}

// appendUUID appends a random UUID: RFC 9562, section 5.4.
func appendUUID(dst []byte, d *draw) []byte {
	if d.uuidSeed != 0 {
		high := d.random.Uint64() ^ d.uuidSeed
		d.random.Seed(high, d.random.Uint64())
	}
	var u [16]byte
	binary.LittleEndian.PutUint64(u[:8], d.random.Uint64())
	binary.LittleEndian.PutUint64(u[8:], d.random.Uint64())
	u[6] = u[6]&0x0f | 0x40 // version 4
	u[8] = u[8]&0x3f | 0x80 // variant
	for i, part := range [][]byte{u[:4], u[4:6], u[6:8], u[8:10], u[10:]} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, part)
	}
	return dst
}

// appendCallUUID appends the one UUID that a call has wherever it asks.
func appendCallUUID(dst []byte, d *draw) []byte {
	d.random.Seed(d.seed, d.call)
	return appendUUID(dst, d)
}
