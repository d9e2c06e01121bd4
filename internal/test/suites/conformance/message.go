package conformance

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// The suite's messages, as far as they are used.
type (
	header struct {
		Name  string   `json:"name"`
		Value []string `json:"value"`
	}

	credentials struct {
		Cert []byte `json:"cert"`
		Key  []byte `json:"key"`
	}

	failure struct {
		Code    int               `json:"code"`
		Message string            `json:"message"`
		Details []json.RawMessage `json:"details,omitempty"`
	}

	clientRequest struct {
		TestName            string            `json:"test_name"`
		Compression         int               `json:"compression"`
		Host                string            `json:"host"`
		Port                uint16            `json:"port"`
		ServerTLSCert       []byte            `json:"server_tls_cert"`
		ClientTLSCreds      *credentials      `json:"client_tls_creds"`
		MessageReceiveLimit int               `json:"message_receive_limit"`
		Service             string            `json:"service"`
		Method              string            `json:"method"`
		StreamType          int               `json:"stream_type"`
		RequestHeaders      []header          `json:"request_headers"`
		RequestMessages     []json.RawMessage `json:"request_messages"`
		TimeoutMs           *int64            `json:"timeout_ms"`
		RequestDelayMs      int64             `json:"request_delay_ms"`
		Cancel              cancellation      `json:"cancel"`
	}

	cancellation struct {
		BeforeCloseSend   *struct{} `json:"before_close_send"`
		AfterCloseSendMs  *int64    `json:"after_close_send_ms"`
		AfterNumResponses int       `json:"after_num_responses"`
	}

	clientResponse struct {
		TestName string        `json:"test_name"`
		Response *clientResult `json:"response,omitempty"`
		Error    *reason       `json:"error,omitempty"`
	}

	reason struct {
		Message string `json:"message"`
	}

	serverRequest struct {
		UseTLS        bool         `json:"use_tls"`
		ClientTLSCert []byte       `json:"client_tls_cert"`
		ServerCreds   *credentials `json:"server_creds"`
	}

	serverResponse struct {
		Host    string `json:"host"`
		Port    int    `json:"port"`
		PemCert []byte `json:"pem_cert,omitempty"`
	}

	clientResult struct {
		ResponseHeaders   []header          `json:"response_headers"`
		Payloads          []json.RawMessage `json:"payloads"`
		Error             *failure          `json:"error,omitempty"`
		ResponseTrailers  []header          `json:"response_trailers"`
		NumUnsentRequests int               `json:"num_unsent_requests"`
	}
)

// toMetadata reads the suite's headers, whose binary values are in base64.
func toMetadata(headers []header) metadata.MD {
	md := metadata.MD{}
	for _, h := range headers {
		for _, value := range h.Value {
			if strings.HasSuffix(strings.ToLower(h.Name), "-bin") {
				if plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "=")); err == nil {
					value = string(plain)
				}
			}
			md.Append(h.Name, value)
		}
	}
	return md
}

func fromMetadata(md metadata.MD) []header {
	headers := []header{}
	for name, values := range md {
		h := header{Name: name}
		for _, value := range values {
			if strings.HasSuffix(name, "-bin") {
				value = base64.RawStdEncoding.EncodeToString([]byte(value))
			}
			h.Value = append(h.Value, value)
		}
		headers = append(headers, h)
	}
	return headers
}

// failureOf describes the error of a call; nil is OK.
func failureOf(err error) (*failure, error) {
	if err == nil {
		return nil, nil
	}
	from := status.Convert(err).Proto()
	f := &failure{Code: int(from.GetCode()), Message: from.GetMessage()}
	for _, detail := range from.GetDetails() {
		text, err := toJSON(detail)
		if err != nil {
			return nil, err
		}
		f.Details = append(f.Details, text)
	}
	return f, nil
}
