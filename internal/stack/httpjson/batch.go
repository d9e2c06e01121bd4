package httpjson

import "rpcbench/internal/stack"

// A batch is a message of BatchService, and its own stack.Answers.
type batch struct {
	Operations    []operation `json:"operations,omitempty"`
	ResponseBytes uint32      `json:"responseBytes,omitempty"` // of a request: of each answer's payload

	values stack.Values // that accesses write
}

type operation struct {
	ID      uint64 `json:"id,omitempty,string"` // a string: not every language's JSON numbers hold 64 bits
	Payload []byte `json:"payload,omitempty"`   // in base64
	Access  string `json:"access,omitempty"`    // accessRead, accessWrite; "" is an echo
	Key     uint64 `json:"key,omitempty,string"`
}

// Names of batchv1.Access.
const (
	accessRead  = "ACCESS_READ"
	accessWrite = "ACCESS_WRITE"
)

func newBatch(call stack.Call) *batch {
	b := &batch{Operations: make([]operation, call.Batch), ResponseBytes: uint32(call.ResponseBytes)}
	for i := range b.Operations {
		b.Operations[i].Payload = call.Request
	}
	if call.Accesses != nil {
		b.ResponseBytes, b.values = 0, stack.NewValues(call.Request, call.Batch)
	}
	return b
}

func (b *batch) prepare(message stack.Message) {
	for i := range b.Operations {
		one := &b.Operations[i]
		one.ID = message.First + uint64(i)
		if !message.Accesses() {
			continue
		}
		access := message.Access(i)
		one.Key, one.Access, one.Payload = access.Key, accessRead, nil
		if access.Writes {
			one.Access, one.Payload = accessWrite, b.values.Of(i, access.Key)
		}
	}
}

func (*batch) reply(answer *batch) stack.Reply { return stack.Reply{Answers: answer} }

// respond turns a request that nothing else uses any more into the answer.
func (b *batch) respond(from *stack.Responder) (*batch, error) {
	if err := from.Check("responseBytes", len(b.Operations), int64(b.ResponseBytes)); err != nil {
		return nil, err
	}
	read := int64(0)
	for i := range b.Operations {
		if err := b.Operations[i].respond(from, int(b.ResponseBytes), &read); err != nil {
			return nil, err
		}
	}
	b.ResponseBytes = 0
	return b, nil
}

// respond makes the answer out of an operation. read counts the bytes that those of its message read.
func (o *operation) respond(from *stack.Responder, bytes int, read *int64) (err error) {
	switch o.Access {
	case "":
		o.Payload = from.Payload(o.Payload, bytes)
	case accessRead:
		o.Payload, err = from.Read(o.Key, read)
	case accessWrite:
		o.Payload, err = nil, from.Write(o.Key, o.Payload)
	default:
		err = stack.Errorf(stack.InvalidArgument, "%q is not an access", o.Access)
	}
	o.Access, o.Key = "", 0
	return err
}

// Len is stack.Answers'.
func (b *batch) Len() int { return len(b.Operations) }

// Answer is stack.Answers'.
func (b *batch) Answer(i int) (id uint64, payload []byte) {
	return b.Operations[i].ID, b.Operations[i].Payload
}
