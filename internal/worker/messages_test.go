package worker_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/record"
)

// counts are how many times each of Done's histograms has.
func counts(t *testing.T, done *control.Done) map[string]int64 {
	t.Helper()
	got := map[string]int64{}
	for _, h := range done.GetHistograms() {
		decoded, err := record.Decode(h.GetV2Compressed())
		if err != nil {
			t.Fatal(err)
		}
		got[h.GetName()] = decoded.TotalCount()
	}
	return got
}

// Each phase has its own, of the messages within its calls alone.
func TestMessagesWithinCallsAreTimedInEachPhase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, method string
		messages     uint32
		perSec       float64
		want         map[string]int64 // within ten calls
		open         bool
	}{
		{stack.KindUnary, "UnaryCall", 0, 0, map[string]int64{"response": 10}, false},
		{stack.KindDownload, "StreamingFromServer", 4, 0, map[string]int64{"response": 10, "first_reply": 10, "reply_gap": 30}, false},
		{stack.KindStream, "StreamingCall", 4, 0, map[string]int64{"response": 10, "first_reply": 10, "message": 40}, false},
		{stack.KindStream, "StreamingCall", 4, 1000,
			map[string]int64{"response": 10, "first_reply": 10, "message": 40, "message_lag": 40}, false},
		{stack.KindUpload, "StreamingFromClient", 4, 0, map[string]int64{"response": 10}, false},
		{stack.KindUpload, "StreamingFromClient", 4, 1000, map[string]int64{"response": 10, "message_lag": 40}, false},
		{stack.KindUpload, "StreamingFromClient", 4, 1000,
			map[string]int64{"response": 10, "service": 10, "wake": 10, "queue": 10, "message_lag": 40}, true},
	} {
		for _, name := range []string{"grpc-go", "grpc-wire"} {
			t.Run(name+" "+c.kind, func(t *testing.T) {
				t.Parallel()
				_, address := serve(t, "grpc-go")
				connect := recipe(t, address)
				connect.Stack, connect.Call.Kind, connect.Call.Messages, connect.Call.MessageRatePerSec = name, c.kind, c.messages, c.perSec
				connect.Call.Recipe.Method = "grpc.testing.BenchmarkService/" + c.method
				client := open(t)
				if _, err := client.Connect(t.Context(), connect); err != nil {
					t.Fatal(err)
				}
				for phase := range 2 {
					begin := closed(10)
					if c.open {
						begin.Load = &control.Load{Arrivals: "constant", PerSec: 200}
					}
					done, err := client.Begin(t.Context(), begin, ignore)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(c.want, counts(t, done)); diff != "" {
						t.Errorf("phase %d (-want +got):\n%s", phase, diff)
					}
					names := []string{}
					for _, h := range done.GetHistograms() {
						names = append(names, h.GetName())
					}
					if !slices.Equal(names, slices.Sorted(maps.Keys(c.want))) || done.GetUnpairedReplies() != 0 {
						t.Errorf("phase %d: histograms %v, %d unpaired replies", phase, names, done.GetUnpairedReplies())
					}
				}
			})
		}
	}
}
