package httpjson

// The messages in protobuf's JSON form, as far as they are used.

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
