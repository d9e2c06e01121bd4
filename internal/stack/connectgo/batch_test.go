package connectgo_test

import (
	"context"
	"net/http"
	"testing"

	"connectrpc.com/connect"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/test/stacktest"
)

// A rogue server answers wrongly.
type rogue struct{ stacktest.Rogue }

func (r rogue) unary(
	_ context.Context, asked *connect.Request[batchv1.Batch],
) (*connect.Response[batchv1.Batch], error) {
	r.Spoil(asked.Msg)
	return connect.NewResponse(asked.Msg), nil
}

func (r rogue) stream(_ context.Context, stream *connect.BidiStream[batchv1.Batch, batchv1.Batch]) error {
	for {
		var answers []*batchv1.Batch
		for range 2 {
			answer, err := stream.Receive()
			if err != nil {
				return err
			}
			answers = append(answers, answer)
		}
		r.Reorder(answers)
		for _, answer := range answers {
			if err := stream.Send(answer); err != nil {
				return err
			}
		}
	}
}

func TestAnswersThatAreWrongAreMismatch(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]stack.Stack{"protobuf": connectgo.New(), "json": connectgo.NewJSON()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stacktest.RogueServers(t, s, func(t *testing.T, r stacktest.Rogue) string {
				t.Helper()
				const unary, stream = "/rpcbench.batch.v1.BatchService/Unary", "/rpcbench.batch.v1.BatchService/Stream"
				mux := http.NewServeMux()
				mux.Handle(unary, connect.NewUnaryHandler(unary, rogue{r}.unary))
				mux.Handle(stream, connect.NewBidiStreamHandler(stream, rogue{r}.stream))
				return serveHandler(t, mux)
			})
		})
	}
}
