package wireconn

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
)

const binary64 = "-bin" // ends the names of metadata that is no text

// requestFields are those that a call has by its context: its deadline and its metadata. The timeout is rounded up, so that
// the server's ends after the client's.
func requestFields(ctx context.Context) []wire.Field {
	var fields []wire.Field
	if deadline, ok := ctx.Deadline(); ok {
		left := max(0, time.Until(deadline)) + time.Millisecond
		fields = append(fields, wire.Field{Name: "grpc-timeout", Value: fmt.Sprintf("%dm", left.Milliseconds())})
	}
	md, _ := metadata.FromOutgoingContext(ctx)
	for name, values := range md {
		for _, value := range values {
			if strings.HasSuffix(name, binary64) {
				value = base64.RawStdEncoding.EncodeToString([]byte(value))
			}
			fields = append(fields, wire.Field{Name: name, Value: value})
		}
	}
	return fields
}

// head takes a header block: wire.Call.Head. An interim one has no metadata.
func (s *stream) head(fields []wire.Field) {
	md := metadata.MD{}
	for _, f := range fields {
		switch {
		case f.Name == ":status" && strings.HasPrefix(f.Value, "1"):
			return
		case strings.HasPrefix(f.Name, ":"):
		case strings.HasSuffix(f.Name, binary64):
			for value := range strings.SplitSeq(f.Value, ",") {
				md.Append(f.Name, decode(value))
			}
		default:
			md.Append(f.Name, f.Value)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heads = append(s.heads, md)
	s.changed.Broadcast()
}

// decode returns what stands in base64, padded or not; what is none as it is.
func decode(value string) string {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	if err != nil {
		return value
	}
	return string(plain)
}

// statusOf makes the error of a failed call. The trailers have the details.
func statusOf(code codes.Code, err error, trailer metadata.MD) error {
	s := &statuspb.Status{Code: int32(code), Message: stack.Reason(err)}
	for _, encoded := range trailer.Get("grpc-status-details-bin") {
		detailed := &statuspb.Status{}
		if proto.Unmarshal([]byte(encoded), detailed) == nil {
			s.Details = detailed.GetDetails()
		}
	}
	return status.ErrorProto(s)
}
