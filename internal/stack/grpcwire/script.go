package grpcwire

import (
	"encoding/binary"
	"strconv"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/batchv1"
	"rpcbench/internal/stack/wire"
)

const (
	benchmarkService = "/grpc.testing.BenchmarkService/"
	batchService     = "/rpcbench.batch.v1.BatchService/"
)

// A script specifies what all slots of a call do.
type script struct {
	call    wire.Call
	gzip    bool
	sends   int    // messages of a call
	message []byte // as it travels; the ids of a batch's operations are to be set
	firstID int    // where the first of them stands
	stride  int    // between one and the next
	batch   int    // how many there are
}

func newScript(call stack.Call, gzip bool, share int) (*script, error) {
	if call.Method != nil {
		return newMethodScript(call, gzip, share), nil
	}
	sends, replies := stack.MessagesOf(call.Kind, int64(call.Messages))
	s := &script{batch: call.Batch, gzip: gzip, sends: int(sends), call: wire.Call{
		Path: pathOf(call), Gzip: gzip, Replies: int(replies),
		Open: stack.SharesStreams(call.Kind), Streams: call.Streams, PerStream: call.PerStream,
		Endless:       call.Kind == stack.KindDownload || call.Kind == stack.KindBothWays,
		ReplyBytesMax: call.ReplyBytesMax(),
	}}
	switch call.Kind {
	case stack.KindDownload, stack.KindBothWays:
		s.call.Header = []wire.Field{{Name: stack.MessagesMetadata, Value: strconv.Itoa(call.Messages)}}
	case stack.KindBurst:
		s.call.Header = []wire.Field{{Name: stack.BurstMetadata, Value: strconv.Itoa(call.Messages)}}
	}
	encoded, err := s.encode(call)
	if err != nil {
		return nil, stack.Errorf(stack.Internal, "the request can't be encoded: %w", err)
	}
	s.message = binary.BigEndian.AppendUint32([]byte{0}, uint32(len(encoded)))
	s.message = append(s.message, encoded...)
	if s.batch == 0 && call.Sizes == nil {
		s.message = (&packer{on: gzip}).pack(s.message)
	}
	return s, nil
}

func pathOf(call stack.Call) string {
	if call.Batch > 0 {
		return batchService + map[string]string{
			stack.KindUnary: "Unary", stack.KindPingPong: "Stream", stack.KindBurst: "Stream", stack.KindUpload: "Upload",
		}[call.Kind]
	}
	return benchmarkService + map[string]string{
		stack.KindUnary: "UnaryCall", stack.KindStream: "StreamingCall", stack.KindPingPong: "StreamingCall",
		stack.KindBurst: "StreamingCall", stack.KindUpload: "StreamingFromClient", stack.KindDownload: "StreamingFromServer",
		stack.KindBothWays: "StreamingBothWays",
	}[call.Kind]
}

func (s *script) encode(call stack.Call) ([]byte, error) {
	if call.Batch == 0 {
		return proto.Marshal(&testpb.SimpleRequest{
			ResponseSize: int32(call.ResponseBytes), Payload: &testpb.Payload{Body: call.Request},
		})
	}
	batch := batchv1.New(call.Batch, call.Request, call.ResponseBytes)
	batch.Number(1) // or there would be no room for the ids: 0 is not encoded
	s.stride = proto.Size(&batchv1.Batch{Operations: batch.Operations[:1]})
	operation := proto.Size(batch.Operations[0])
	s.firstID = prefixBytes + s.stride - operation + 1 // after the tags of the operation and of its id
	return proto.MarshalOptions{Deterministic: true}.Marshal(batch)
}

const prefixBytes = 5 // of a message: no compression, and its length

// number sets the ids of a message's operations, which count up from first.
func (s *script) number(message []byte, first uint64) {
	at := s.firstID
	for i := range s.batch {
		binary.LittleEndian.PutUint64(message[at:], first+uint64(i))
		at += s.stride
	}
}
