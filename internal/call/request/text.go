package request

import "sync"

// A text is a template outside of messages: a metadata value, a path, a body. It is safe for concurrent use.
type text struct {
	template *template
	options  Options
	scope    uint64
	scratch  sync.Pool // of *scratch
}

// newText makes one; where names it in sentences.
func newText(v vocabulary, options Options, content []byte, s syntax, scope uint64, at place) (*text, error) {
	list, err := holes(content, s == syntaxJSON)
	if err != nil {
		return nil, located(at, err)
	}
	t, err := v.parse(content, list, s)
	if err != nil {
		return nil, located(at, err)
	}
	return &text{
		template: t, options: options, scope: scope, scratch: sync.Pool{New: func() any { return &scratch{} }},
	}, nil
}

// append appends the text for a call.
func (t *text) append(dst []byte, call uint64) []byte {
	return t.appendDrawn(dst, t.options.draw(call, 0, t.scope, t.template))
}

func (t *text) appendDrawn(dst []byte, d draw) []byte {
	own, _ := t.scratch.Get().(*scratch)
	defer t.scratch.Put(own)
	own.draw = d
	return t.template.append(dst, &own.draw)
}
