// Package request makes the requests of a load from JSON, JSON lines, CSV or raw bytes, and the metadata that accompanies
// them. Functions in them give each call its own values.
//
// Everything is read and checked before the first call. An input that does not fit the schema is one sentence with its
// file, line and field. Requests without functions are encoded once. For the others only the functions are evaluated for
// each call, if they fill whole strings or whole numbers; otherwise each call parses JSON (some microseconds). What a call
// sends depends on the seed and the number of the call alone, never on who makes it; only timestamps differ.
//
// A function is written in braces, {{uuid}} or {{random 1 100}}. There are no conditions, loops or variables: for these,
// use a program that writes JSON lines.
package request

import (
	"fmt"
	"os"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"rpcbench/internal/call/schema"
	"rpcbench/internal/stack"
)

// Options say how requests are chosen and filled.
type Options struct {
	Sample bool // a call's request is chosen by the seed; otherwise the requests are taken in turn
	Seed   uint64
	Trial  *Trial // for a caller who tries requests before the first call; nil is none
	// UUIDSeed is another seed of UUIDs, which no two trials of a run share; 0 is none.
	UUIDSeed uint64
	Now      func() time.Time // nil is the clock
	LookUp   LookUp           // nil is the process's environment
	Rows     *Rows            // of function column; nil is none
	File     string           // in which a URL stands; empty is a flag
	// Noted is called with every variable that a file names, as opposed to a flag. It may be nil.
	Noted func(file, variable string)
}

// A Trial is how requests are tried. It may change from call to call, of which there is one at a time.
type Trial struct {
	On    bool
	Ahead uint64 // how many rows further than by its number a call's row is, for requests to meet others than in turn
	Bytes int    // that messages had, or the JSON that they were made of; it grows
}

// isTrial reports whether requests are tried.
func (o Options) isTrial() bool { return o.Trial != nil && o.Trial.On }

// tried adds bytes to those that were tried.
func (o Options) tried(bytes int) {
	if o.isTrial() {
		o.Trial.Bytes += bytes
	}
}

// draw is that of a call's message, or of what else a scope is. Random texts are shortened when requests are tried: their length
// tells nothing but the length.
func (o Options) draw(call uint64, message int, scope uint64, t *template) draw {
	d := draw{seed: o.Seed, uuidSeed: o.UUIDSeed, call: call, message: message, scope: scope, short: o.isTrial()}
	if t.timed {
		d.now = o.Now()
	}
	return d
}

// lookUpIn is LookUp for a text of a file, or of a flag where file is empty.
func (o Options) lookUpIn(file string) LookUp {
	if file == "" || o.Noted == nil {
		return o.LookUp
	}
	return func(name string) (string, bool) {
		o.Noted(file, name)
		return o.LookUp(name)
	}
}

func (o Options) complete() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.LookUp == nil {
		o.LookUp = os.LookupEnv
	}
	return o
}

// A Source has the requests of a load. It may be used concurrently.
type Source struct {
	requests [][]message // each of one message, or of a stream's
	options  Options
	builder  *builder
	scratch  sync.Pool // of *scratch
}

// A message is encoded, or has a template.
type message struct {
	encoded  []byte
	template *template // nil where every call sends the same
	pattern  *pattern  // how the template is filled without JSON; nil where that can't be
	place    place
}

// New makes the requests that an input means for a method.
func New(method *schema.Method, input Input, options Options) (*Source, error) {
	options = options.complete()
	if err := input.check(); err != nil {
		return nil, err
	}
	return newBuilder(method, input.File, options).source(input)
}

func (b *builder) source(input Input) (*Source, error) {
	s := &Source{options: b.options, builder: b, scratch: sync.Pool{New: func() any { return &scratch{} }}}
	if input.Format == FormatBinary {
		m, err := b.binary(input)
		s.requests = [][]message{{m}}
		return s, err
	}
	requests, err := input.documents(b.method.Descriptor)
	if err != nil {
		return nil, err
	}
	for _, documents := range requests {
		messages := make([]message, len(documents))
		for i, d := range documents {
			if messages[i], err = b.message(d, i); err != nil {
				return nil, err
			}
		}
		s.requests = append(s.requests, messages)
	}
	return s, nil
}

// Requests returns the number of requests to choose from.
func (s *Source) Requests() int { return len(s.requests) }

// Constant returns the one message that every call sends, encoded and shared; it is false where calls differ, or are
// streams of another number of messages.
func (s *Source) Constant() ([]byte, bool) {
	if len(s.requests) != 1 || len(s.requests[0]) != 1 || s.requests[0][0].template != nil {
		return nil, false
	}
	return s.requests[0][0].encoded, true
}

// Messages returns the number of messages in a call's request: 1, except for client streams.
func (s *Source) Messages(call uint64) int { return len(s.request(call)) }

// Append appends a call's encoded message. The messages of a stream are numbered from 0; after the last one the request starts
// again, with new values of functions. Append does not allocate if dst has room, unless functions are filled in through JSON. Its
// error says which value of a function does not fit.
func (s *Source) Append(dst []byte, call uint64, number int) ([]byte, error) {
	messages := s.request(call)
	if len(messages) == 0 {
		return dst, fmt.Errorf("the stream of call %d has no message %d", call, number)
	}
	m := &messages[number%len(messages)]
	if m.template == nil {
		s.options.tried(len(m.encoded))
		return append(dst, m.encoded...), nil
	}
	own, _ := s.scratch.Get().(*scratch)
	defer s.scratch.Put(own)
	own.draw = s.options.draw(call, number, uint64(number), m.template)
	return s.fill(dst, m, own)
}

// A scratch holds the working memory for filling one message.
type scratch struct {
	draw draw
	text []byte
}

// fill appends a message with its values: by its pattern or, if it has none, through JSON, which also reports values that do not
// fit.
func (s *Source) fill(dst []byte, m *message, own *scratch) ([]byte, error) {
	cut := m.template.cutIn(&own.draw)
	if m.pattern != nil {
		filled, ok := m.pattern.append(dst, &own.draw)
		if size := len(filled) - len(dst); ok && size+cut <= stack.MessageBytesMax {
			s.options.tried(size)
			return filled, nil
		}
	}
	own.text = m.template.append(own.text[:0], &own.draw)
	s.options.tried(len(own.text))
	filled, err := s.builder.encode(dst, own.text, cut)
	if err != nil {
		call := own.draw.call
		return dst, s.options.inRow(m.template, call, s.builder.explain(err, m.place, m.template, &own.draw))
	}
	return filled, nil
}

// request returns a call's.
func (s *Source) request(call uint64) []message {
	return s.requests[s.options.pick(call, len(s.requests))]
}

// pick returns the number of a call's request, of n.
func (o Options) pick(call uint64, n int) int { return o.choose(call, call, n) }

// pickRow returns the number of a call's row, of n. It is drawn apart from the request, so that each meets all of the other.
func (o Options) pickRow(call uint64, n int) int {
	if o.Trial != nil {
		call += o.Trial.Ahead
	}
	return o.choose(call, ^call, n)
}

func (o Options) choose(call, low uint64, n int) int {
	switch {
	case n == 1:
		return 0
	case o.Sample:
		var d draw
		d.random.Seed(^o.Seed, low) // not what .UUID draws
		return int(d.below(uint64(n)))
	default:
		return int(call % uint64(n))
	}
}

// binary takes a message as it is.
func (b *builder) binary(input Input) (message, error) {
	descriptor := b.method.Descriptor.Input()
	if len(input.Text) > stack.MessageBytesMax {
		return message{}, fmt.Errorf("%s is longer than %d MiB", input.Name, stack.MessageBytesMax>>20)
	}
	err := proto.UnmarshalOptions{Resolver: b.method.Types}.Unmarshal(input.Text, dynamicpb.NewMessage(descriptor))
	if err != nil {
		return message{}, fmt.Errorf("%s is not a %s: %w", input.Name, descriptor.FullName(), err)
	}
	return message{encoded: input.Text}, nil
}
