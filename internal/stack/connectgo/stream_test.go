package connectgo

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"connectrpc.com/connect"
	testpb "google.golang.org/grpc/interop/grpc_testing"
)

// A failed Recv ends the sender, whose own error must not hide why: that of a server which refuses a client, say.
func TestASenderWhoseStreamRecvEndedLeavesTheReasonToRecv(t *testing.T) {
	t.Parallel()
	client := connect.NewClient[testpb.SimpleRequest, testpb.SimpleResponse](http.DefaultClient, "http://127.0.0.1:1/a.B/C")
	life, cancel := context.WithCancel(t.Context())
	stream := streaming[testpb.SimpleRequest, testpb.SimpleResponse]{client.CallBidiStream(life), life, cancel}
	t.Cleanup(func() { stream.Close() })
	cancel()
	if err := stream.Send(&testpb.SimpleRequest{}); !errors.Is(err, io.EOF) {
		t.Errorf("%v, want io.EOF", err)
	}
}
