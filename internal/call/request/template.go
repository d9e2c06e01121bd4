package request

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"rpcbench/internal/stack"
)

// A syntax says how a text is escaped where it is inserted.
type syntax int

const (
	syntaxPlain syntax = iota // as it is
	syntaxJSON
	syntaxURL
)

// A template is a text with values in it. It may be used concurrently.
type template struct {
	parts  []part
	varies bool // a part differs from call to call
	timed  bool // a part needs the time
	ofRow  bool // a part is of the call's row
	secret bool // a part may be a secret
	cut    int  // bytes by which a short draw is shorter
}

// cutIn returns the bytes by which what a draw makes is shorter than what calls send.
func (t *template) cutIn(d *draw) int {
	if !d.short {
		return 0
	}
	return t.cut
}

// textMax bounds what a text becomes with the values of its functions. No message in JSON takes as much: base64 is a third longer
// than its bytes.
const textMax = 2 * stack.MessageBytesMax

// A part is a literal, or a value in its place.
type part struct {
	literal []byte // nil with a value
	value   value
	escape  func(text []byte) []byte // of the value; nil where it needs none
	quotes  bool                     // a text where JSON needs a string
	hole    hole                     // of the value, in the source
	start   int                      // in the source
}

// vocabulary holds what functions can look up while a template is made.
type vocabulary struct {
	lookUp LookUp
	rows   *Rows                        // nil without any
	pick   func(call uint64, n int) int // the number of a call's row, of n
	sample bool                         // it is by chance
	facts  map[string]string            // words with a fixed value, such as .MethodName
}

// vocabulary is that of a text in a file, or of a flag where file is empty.
func (o Options) vocabulary(file string) vocabulary {
	return vocabulary{lookUp: o.lookUpIn(file), rows: o.Rows, pick: o.pickRow, sample: o.Sample}
}

// parse makes a template of a text.
func (v vocabulary) parse(text []byte, list []hole, s syntax) (*template, error) {
	t := &template{}
	from, size := 0, len(text)
	for _, h := range list {
		t.literal(text[from:h.start], from)
		made, err := v.evaluate(string(text[h.start+2 : h.end-2]))
		if err != nil {
			return nil, faultf(h.start, "%w", err)
		}
		if size += made.size; size > textMax {
			return nil, faultf(h.start, "with this function the text has more than %d MiB", textMax>>20)
		}
		t.value(made, h, s)
		from = h.end
	}
	t.literal(text[from:], from)
	return t, nil
}

func (t *template) literal(text []byte, start int) {
	if len(text) > 0 {
		t.parts = append(t.parts, part{literal: text, start: start})
	}
}

func (t *template) value(v value, h hole, s syntax) {
	p := part{value: v, hole: h, start: h.start, quotes: s == syntaxJSON && !h.quoted && v.number == nil && !v.bare}
	if v.odd {
		p.escape = escapes[s]
	}
	t.secret = t.secret || v.secret
	t.cut += v.cut
	if v.number == nil && v.text == nil {
		p.literal = p.append(nil, &draw{})
	} else {
		t.varies = true
		t.timed = t.timed || v.timed
		t.ofRow = t.ofRow || v.ofRow
	}
	t.parts = append(t.parts, p)
}

var escapes = map[syntax]func([]byte) []byte{
	syntaxJSON: func(text []byte) []byte {
		quoted := quote(string(text))
		return quoted[1 : len(quoted)-1]
	},
	// A space is %20, which it is in paths and queries alike; + is one in queries only.
	syntaxURL: func(text []byte) []byte { return []byte(strings.ReplaceAll(url.QueryEscape(string(text)), "+", "%20")) },
}

// quote writes a text as a JSON string.
func quote(text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // every string has JSON
	}
	return quoted
}

// append appends the template's text in this draw.
func (t *template) append(dst []byte, d *draw) []byte {
	for i := range t.parts {
		if p := &t.parts[i]; p.literal != nil {
			dst = append(dst, p.literal...)
		} else {
			d.begin(i)
			dst = p.append(dst, d)
		}
	}
	return dst
}

// append appends the value as its place needs it.
func (p *part) append(dst []byte, d *draw) []byte {
	if p.quotes {
		dst = append(dst, '"')
	}
	from := len(dst)
	dst = p.value.append(dst, d)
	if p.escape != nil {
		dst = append(dst[:from], p.escape(slices.Clone(dst[from:]))...)
	}
	if p.quotes {
		dst = append(dst, '"')
	}
	return dst
}

// source returns the origin of an offset of the output.
func (t *template) source(d *draw, offset int) int {
	begin := 0
	for i := range t.parts {
		p := &t.parts[i]
		d.begin(i)
		size := len(p.literal)
		if p.literal == nil {
			size = len(p.append(nil, d))
		}
		if offset < begin+size {
			if p.hole.end > 0 {
				return p.start
			}
			return p.start + offset - begin
		}
		begin += size
	}
	if len(t.parts) == 0 {
		return 0
	}
	last := t.parts[len(t.parts)-1]
	if last.hole.end > 0 {
		return last.hole.end
	}
	return last.start + len(last.literal)
}
