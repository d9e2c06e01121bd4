package grpcwire

import (
	"encoding/binary"
	"slices"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

// newMethodScript returns the script of a foreign method. A reply that has to be kept has at most share bytes. Metadata that
// every call has is part of the header block.
func newMethodScript(call stack.Call, gzip bool, share int) *script {
	s := &script{gzip: gzip, call: wire.Call{
		Path: call.Method.Path, Gzip: gzip, Counts: true, Replies: 1, Open: stack.SharesStreams(call.Kind), Streams: call.Streams,
		PerStream: call.PerStream, ReplyBytesMax: share,
	}}
	if call.Kind == stack.KindDownload && call.Messages > 0 {
		s.call.Replies, s.call.Endless = call.Messages, true
	}
	for _, m := range call.Method.Metadata {
		if _, ok := m.Constant(); !ok {
			continue
		}
		if value, err := m.AppendWire(nil, 0); err == nil { // a constant can be made
			s.call.Header = append(s.call.Header, wire.Field{Name: m.Name, Value: string(value)})
		}
	}
	return s
}

// A foreign is a slot's exchange with a foreign method: it implements wire.Exchange. Replies are counted, not read.
type foreign struct {
	method   *stack.Method
	kind     string
	count    int // Call.Messages
	constant bool
	message  []byte // with its prefix
	travels  []byte // message, or what it is compressed
	varying  []stack.Metadatum
	fields   []byte
	replies  stack.Replies
	packer   packer
	wrong    error // about a reply

	made   int    // which message lies in message
	sent   int    // messages of the call
	number uint64 // of the call
	behind int    // messages of an open stream before the call's
	most   int    // Call.PerStream
	called bool
}

// newForeign makes a slot's. resume has it asked for its next message again.
func newForeign(s *script, call stack.Call, slot int, resume func()) *foreign {
	f := &foreign{
		method: call.Method, kind: call.Kind, count: call.Messages, replies: stack.NewReplies(call, slot),
		message: make([]byte, prefixBytes), most: call.PerStream,
	}
	f.replies.WakeSender(resume)
	f.packer.on = s.gzip
	message, constant := f.method.Requests.Constant()
	if f.constant = constant; constant {
		f.message = append(f.message, message...)
		f.frame()
	}
	f.varying = slices.DeleteFunc(slices.Clone(f.method.Metadata), func(m stack.Metadatum) bool {
		_, constant := m.Constant()
		return constant
	})
	return f
}

// frame prepends the message's length, and makes the result the message on the wire.
func (f *foreign) frame() {
	binary.BigEndian.PutUint32(f.message[1:], uint32(len(f.message)-prefixBytes))
	f.travels = f.packer.pack(f.message)
}

// Begin implements wire.Exchange. It does everything that can fail, so that nothing is sent if it does.
func (f *foreign) Begin() (messages int, err error) {
	f.replies.Begin()
	f.wrong, f.sent = nil, 0
	f.next()
	messages = f.messages()
	err = f.makeFields()
	if err == nil && messages > 0 {
		err = f.makeMessage(0)
	}
	switch { // of a call that is not made, the next one takes the place
	case err == nil:
	case f.behind == 0:
		f.called = false
	default:
		f.behind--
	}
	return messages, err
}

// next numbers the call. On an open stream, messages are numbered on, too.
func (f *foreign) next() {
	f.number = f.method.NextCall()
	if f.kind == stack.KindPingPong && f.called && f.behind+1 != f.most {
		f.behind++
		return
	}
	f.called, f.behind = true, 0
}

func (f *foreign) messages() int {
	switch {
	case f.kind != stack.KindUpload && f.kind != stack.KindStream:
		return 1
	case f.count > 0:
		return f.count
	default:
		return f.method.Requests.Messages(f.number)
	}
}

func (f *foreign) makeFields() error {
	f.fields = f.fields[:0]
	for _, m := range f.varying {
		value, err := m.AppendWire(nil, f.number)
		if err != nil {
			return stack.Errorf(stack.InvalidArgument, "the metadata can't be made: %w", err)
		}
		f.fields = wire.AppendField(f.fields, m.Name, value)
	}
	return nil
}

func (f *foreign) makeMessage(i int) error {
	if f.constant {
		return nil
	}
	message, err := f.method.Append(f.message[:prefixBytes], f.number, f.behind+i)
	if err != nil {
		return err
	}
	f.message, f.made = message, i
	f.frame()
	return nil
}

// Fields is wire.Exchange's.
func (f *foreign) Fields() []byte { return f.fields }

// Message is wire.Exchange's.
func (f *foreign) Message(i int) ([]byte, error) {
	if i < f.sent { // it goes out once more
		f.replies.Again()
	}
	f.sent = i
	if !f.replies.Sending(i) {
		return nil, nil
	}
	f.sent = i + 1
	if i != f.made {
		if err := f.makeMessage(i); err != nil {
			return nil, err
		}
	}
	f.replies.AddSent(len(f.message) - prefixBytes)
	return f.travels, nil
}

// Reply implements wire.Exchange. Compressed replies are decompressed as far as needed for their size.
func (f *foreign) Reply(payload []byte, _ bool) {
	bytes, err := f.packer.gzip.Size(payload, stack.EncodedBytesMax)
	if err != nil {
		f.wrong = err
	}
	f.Count(bytes)
}

// Count is wire.Counter's.
func (f *foreign) Count(bytes int) { f.replies.AddBytes(bytes) }

// End is wire.Exchange's.
func (f *foreign) End() error {
	if f.wrong != nil {
		return f.wrong
	}
	f.replies.End()
	return f.replies.Verify()
}
