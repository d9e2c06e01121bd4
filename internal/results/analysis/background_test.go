package analysis

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
)

// TestBackgroundsAreOrderedByNumbers: as texts, 1000 messages come before 100, and 10000 B before 10.
func TestBackgroundsAreOrderedByNumbers(t *testing.T) {
	t.Parallel()
	var want []plan.Spec
	for _, b := range []*plan.Background{
		nil,
		{Kind: "stream", RequestBytes: 10, ResponseBytes: 10, Messages: 100},
		{Kind: "stream", RequestBytes: 1000, ResponseBytes: 1000, Messages: 100},
		{Kind: "stream", RequestBytes: 10_000, ResponseBytes: 10_000, Messages: 100},
		{Kind: "stream", RequestBytes: 10, ResponseBytes: 10, Messages: 1000},
		{Kind: "unary", RequestBytes: 1, ResponseBytes: 2},
		{Kind: "unary", RequestBytes: 2, ResponseBytes: 1},
	} {
		s := spec("grpc-go")
		s.Background = b
		want = append(want, s)
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, comparePoints)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTimeIsSharedAmongCallsAndMessages(t *testing.T) {
	t.Parallel()
	stream := trial(t, spec("grpc-go"), 1, 4, 1000, 1000, 2000, 4000) // 2 s
	stream.Spec.Kind, stream.Spec.Messages, stream.Clients[0].MessagesIn = "stream", 10, 40
	row := onlyRow(t, build(t, file("a", stream)))
	for metric, want := range map[Metric]float64{ElapsedPerCall: 5e8, ElapsedPerMessage: 5e7, ResponseMeanNs: 2000} {
		if got, ok := row.Summary(metric); !ok || got.Median < want*0.999 || got.Median > want*1.001 {
			t.Errorf("%s: %v, want %v", metric, got.Median, want)
		}
	}
	unary := onlyRow(t, build(t, file("b", trial(t, spec("grpc-go"), 1, 4, 1000))))
	if got, ok := unary.Summary(ElapsedPerMessage); ok {
		t.Errorf("a unary call has %v ns a message", got.Median)
	}
	none := onlyRow(t, build(t, file("c", trial(t, spec("grpc-go"), 1, 0))))
	for _, metric := range []Metric{ElapsedPerCall, ResponseMeanNs} {
		if got, ok := none.Summary(metric); ok {
			t.Errorf("%s without a call is %v", metric, got.Median)
		}
	}
}
