package httpwire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"

	"rpcbench/internal/stack"
)

// An own is a slot's calls of rpcbench's service. Without a batch all send the same.
type own struct {
	replies stack.Replies
	head    []byte // up to the value of content-length
	whole   []byte
	payload string // of each operation, in base64
	answer  int    // bytes of each operation's answer
	batch   int
	isDrawn bool         // lengths differ from call to call
	values  stack.Values // that accesses to a store write
	body    []byte
	packer  packer

	known []byte      // a body that came before
	reply stack.Reply // what it says
}

func newOwn(d dialled, call stack.Call, slot int) *own {
	o := &own{
		replies: stack.NewReplies(call, slot), payload: base64.StdEncoding.EncodeToString(call.Request),
		answer: call.ResponseBytes, batch: call.Batch, isDrawn: call.Sizes != nil,
		packer: packer{on: d.gzip, most: call.ReplyBodyMax()},
	}
	if call.Accesses != nil {
		o.values, o.answer = stack.NewValues(call.Request, call.Batch), 0
	}
	to := stack.JSONPath
	if call.Batch > 0 {
		to = stack.JSONBatchPath
	}
	o.head = d.head([]byte("POST "+to+" HTTP/1.1\r\n"), true)
	o.head = append(o.head, "content-type: application/json\r\n"...)
	if d.gzip {
		o.head = append(o.head, "content-encoding: gzip\r\n"...)
	}
	o.head = append(o.head, "content-length: "...)
	if call.Batch == 0 && !o.isDrawn {
		o.ask(call.Request, call.ResponseBytes)
	}
	return o
}

// ask encodes the request with a payload, for an answer of answer bytes.
func (o *own) ask(payload []byte, answer int) {
	o.body = strconv.AppendInt(append(o.body[:0], `{"responseSize":`...), int64(answer), 10)
	o.body = base64.StdEncoding.AppendEncode(append(o.body, `,"payload":{"body":"`...), payload)
	o.body = append(o.body, `"}}`...)
	o.finish()
}

// next is script's.
func (o *own) next() (request, error) {
	o.replies.Begin()
	switch {
	case o.batch > 0:
		o.askBatch(o.replies.Message(0))
	case o.isDrawn:
		message := o.replies.Message(0)
		o.ask(message.Payload, message.ResponseBytes)
	}
	return request{whole: o.whole, repeats: true}, nil
}

// askBatch encodes the request with a message's operations.
func (o *own) askBatch(message stack.Message) {
	o.body = append(o.body[:0], `{"operations":[`...)
	for i := range o.batch {
		if i > 0 {
			o.body = append(o.body, ',')
		}
		o.body = strconv.AppendUint(append(o.body, `{"id":"`...), message.First+uint64(i), 10)
		o.body = append(o.body, '"')
		if message.Accesses() {
			o.access(message.Access(i), i)
		} else {
			o.body = append(append(append(o.body, `,"payload":"`...), o.payload...), '"')
		}
		o.body = append(o.body, '}')
	}
	o.body = append(o.body, ']')
	if o.answer > 0 {
		o.body = strconv.AppendInt(append(o.body, `,"responseBytes":`...), int64(o.answer), 10)
	}
	o.body = append(o.body, '}')
	o.finish()
}

// access encodes what operation i does with a store.
func (o *own) access(access stack.Access, i int) {
	if access.Writes {
		o.body = base64.StdEncoding.AppendEncode(append(o.body, `,"payload":"`...), o.values.Of(i, access.Key))
		o.body = append(o.body, `","access":"ACCESS_WRITE`...)
	} else {
		o.body = append(o.body, `,"access":"ACCESS_READ`...)
	}
	o.body = strconv.AppendUint(append(o.body, `","key":"`...), access.Key, 10)
	o.body = append(o.body, '"')
}

func (o *own) finish() {
	body := o.packer.pack(o.body)
	o.whole = strconv.AppendInt(append(o.whole[:0], o.head...), int64(len(body)), 10)
	o.whole = append(append(o.whole, "\r\n\r\n"...), body...)
}

// answers is script's.
func (o *own) answers() reading { return reading{most: o.packer.most} }

// take is script's. A body that is the same as another says the same.
func (o *own) take(r *response) error {
	body, err := o.packer.unpack(r)
	switch {
	case r.status != http.StatusOK: // whatever its body is
		return stack.Errorf(stack.JSONCode(r.status), "HTTP status %d %s: %.200s", r.status, http.StatusText(r.status), body)
	case err != nil:
		return err
	}
	if o.known == nil || !bytes.Equal(body, o.known) {
		reply, err := o.decode(body)
		if err != nil {
			return stack.Errorf(stack.Internal, "the reply is not the expected JSON: %w", err)
		}
		o.known, o.reply = append(o.known[:0], body...), reply
	}
	o.replies.Add(o.reply)
	o.replies.End()
	return nil
}

// verify is script's.
func (o *own) verify() error { return o.replies.Verify() }

// The answers in protobuf's JSON form, with the fields that are used.

type simpleResponse struct {
	Payload struct {
		Body []byte `json:"body"` // in base64
	} `json:"payload"`
}

type batchResponse struct {
	Operations []struct {
		ID      uint64 `json:"id,string"`
		Payload []byte `json:"payload"`
	} `json:"operations"`
}

// Len is stack.Answers'.
func (b *batchResponse) Len() int { return len(b.Operations) }

// Answer is stack.Answers'.
func (b *batchResponse) Answer(i int) (id uint64, payload []byte) {
	return b.Operations[i].ID, b.Operations[i].Payload
}

// decode reads an answer.
func (o *own) decode(body []byte) (stack.Reply, error) {
	if o.batch > 0 {
		var batch batchResponse
		err := json.Unmarshal(body, &batch)
		return stack.Reply{Answers: &batch}, err
	}
	var simple simpleResponse
	err := json.Unmarshal(body, &simple)
	return stack.Reply{Payload: simple.Payload.Body}, err
}
