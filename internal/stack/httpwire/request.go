package httpwire

import (
	"encoding/base64"
	"encoding/json"
	"strconv"

	"rpcbench/internal/stack"
)

const (
	path      = "/grpc.testing.BenchmarkService/UnaryCall"
	batchPath = "/rpcbench.batch.v1.BatchService/Unary"
)

// bodyBytesMax holds payloads of stack.MessageBytesMax in base64, and what surrounds them: of an operation the names of
// its fields, and 20 digits for the 8 bytes of its id.
const bodyBytesMax = stack.MessageBytesMax/3*4 + stack.BatchMax*operationBytes + 1<<10

const operationBytes = 64

// A request is what a slot sends. Without a batch it is the same each time.
type request struct {
	head    string // up to the value of content-length
	whole   []byte
	payload string // of each operation, in base64
	answer  int    // bytes of each operation's answer
	batch   int
	body    []byte
}

func newRequest(host string, call stack.Call) *request {
	r := &request{
		payload: base64.StdEncoding.EncodeToString(call.Request), answer: call.ResponseBytes, batch: call.Batch,
	}
	to := path
	if call.Batch > 0 {
		to = batchPath
	}
	r.head = "POST " + to + " HTTP/1.1\r\nHost: " + host +
		"\r\nUser-Agent: rpcbench\r\nContent-Type: application/json\r\nContent-Length: "
	if call.Batch == 0 {
		r.body = append(r.body, `{"responseSize":`+strconv.Itoa(call.ResponseBytes)+`,"payload":{"body":"`+r.payload+`"}}`...)
		r.finish()
	}
	return r
}

// bytes returns the request whose operations have ids that count up from first.
func (r *request) bytes(first uint64) []byte {
	if r.batch == 0 {
		return r.whole
	}
	r.body = append(r.body[:0], `{"operations":[`...)
	for i := range r.batch {
		if i > 0 {
			r.body = append(r.body, ',')
		}
		r.body = strconv.AppendUint(append(r.body, `{"id":"`...), first+uint64(i), 10)
		r.body = append(append(append(r.body, `","payload":"`...), r.payload...), `"}`...)
	}
	r.body = strconv.AppendInt(append(r.body, `],"responseBytes":`...), int64(r.answer), 10)
	r.body = append(r.body, '}')
	r.finish()
	return r.whole
}

func (r *request) finish() {
	r.whole = strconv.AppendInt(append(r.whole[:0], r.head...), int64(len(r.body)), 10)
	r.whole = append(append(r.whole, "\r\n\r\n"...), r.body...)
}

// The answers in protobuf's JSON form, as far as they are used.

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
func (r *request) decode(body []byte) (stack.Reply, error) {
	if r.batch > 0 {
		var batch batchResponse
		err := json.Unmarshal(body, &batch)
		return stack.Reply{Answers: &batch}, err
	}
	var simple simpleResponse
	err := json.Unmarshal(body, &simple)
	return stack.Reply{Payload: simple.Payload.Body}, err
}
