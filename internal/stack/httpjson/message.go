package httpjson

import "rpcbench/internal/stack"

// The messages in protobuf's JSON form, with the fields that are used.

type simpleRequest struct {
	ResponseSize int32    `json:"responseSize,omitempty"`
	Payload      *payload `json:"payload,omitempty"`
}

type simpleResponse struct {
	Payload *payload `json:"payload,omitempty"`
}

type payload struct {
	Body []byte `json:"body,omitempty"` // in base64
}

func (p *payload) bytes() []byte {
	if p == nil {
		return nil
	}
	return p.Body
}

func newSimpleRequest(call stack.Call) *simpleRequest {
	return &simpleRequest{ResponseSize: int32(call.ResponseBytes), Payload: &payload{Body: call.Request}}
}

func (r *simpleRequest) prepare(message stack.Message) {
	if message.Drawn {
		r.ResponseSize, r.Payload.Body = int32(message.ResponseBytes), message.Payload
	}
}

func (*simpleRequest) reply(answer *simpleResponse) stack.Reply {
	return stack.Reply{Payload: answer.Payload.bytes()}
}

func (r *simpleRequest) respond(from *stack.Responder) (*simpleResponse, error) {
	if err := from.Check("responseSize", 0, int64(r.ResponseSize)); err != nil {
		return nil, err
	}
	return &simpleResponse{Payload: &payload{Body: from.Payload(r.Payload.bytes(), int(r.ResponseSize))}}, nil
}
