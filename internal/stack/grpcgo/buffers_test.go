package grpcgo

import (
	"bytes"
	"testing"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

func whole(b *buffer) []byte { return append(bytes.Clone(b.head), b.payload...) }

var served = stack.NewResponder(stack.ServeConfig{Reply: func(n int) []byte { return bytes.Repeat([]byte("s"), n) }})

func TestABufferedRequestIsTheEncodedOne(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 127, 128, 70_000} {
		for _, responseBytes := range []int{0, n + 3} {
			call := stack.Call{Request: bytes.Repeat([]byte("q"), n), ResponseBytes: responseBytes}
			want, err := proto.Marshal(&testpb.SimpleRequest{
				ResponseSize: int32(responseBytes), Payload: &testpb.Payload{Body: call.Request},
			})
			if got := whole(bufferMessages(call).Request()); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes for %d: got % .16x, want % .16x, %v", n, responseBytes, got, want, err)
			}
		}
	}
}

// FuzzAnswerBuffer holds answers by buffers against those of the library, whatever is asked.
func FuzzAnswerBuffer(f *testing.F) {
	for _, request := range []*testpb.SimpleRequest{
		{},
		{ResponseSize: 3, Payload: &testpb.Payload{Body: []byte("abc")}},
		{ResponseSize: 5, Payload: &testpb.Payload{Body: []byte("abc")}},
		{ResponseSize: -1},
		{ResponseStatus: &testpb.EchoStatus{Code: 14, Message: "later"}},
		{ResponseType: 1, FillUsername: true, ResponseSize: 2},
	} {
		encoded, err := proto.Marshal(request)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(encoded)
		f.Add(append(encoded, encoded...))
	}
	f.Add([]byte{2 << 3, 0x80})
	f.Fuzz(func(t *testing.T, data []byte) {
		request := new(testpb.SimpleRequest)
		wrong := proto.Unmarshal(data, request)
		if request.GetResponseSize() > 1<<20 {
			t.Skip("it takes memory only")
		}
		var want *testpb.SimpleResponse
		if wrong == nil {
			want, wrong = service.Respond(request, served)
		}
		answer, err := answerBuffer(&buffer{head: data}, served)
		if (err == nil) != (wrong == nil) {
			t.Fatalf("got error %v, by the library %v", err, wrong)
		}
		if err != nil {
			return
		}
		encoded, err := proto.Marshal(want)
		if got := whole(answer); err != nil || !bytes.Equal(got, encoded) {
			t.Fatalf("the answer is %x, by the library %x, %v", got, encoded, err)
		}
	})
}
