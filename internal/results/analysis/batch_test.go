package analysis

import (
	"math"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// batched is a trial of ping_pong with batches of n, each of which takes ns.
func batched(t *testing.T, link *plan.Link, repetition, n int, ns int64) result.Trial {
	t.Helper()
	s := spec("grpc-go")
	s.Kind, s.Streams, s.Batch, s.RequestBytes, s.ResponseBytes, s.Link = "ping_pong", 1, n, 8, 8, link
	one := trial(t, s, repetition, 1000, ns)
	one.Clients[0].ElapsedNs = 1000 * ns
	one.Clients[0].MessagesOut, one.Clients[0].MessagesIn = 1000, 1000
	one.ID += s.Kind + string(rune('0'+n%7)) + s.LinkText()
	one.Started = one.Started.Add(time.Duration(n)*time.Minute + time.Duration(roundTrip(s)))
	return one
}

func expectNear(t *testing.T, one result.Trial, want map[Metric]float64) {
	t.Helper()
	row := onlyRow(t, build(t, file("a", one)))
	for metric, value := range want {
		if got, ok := row.Summary(metric); !ok || math.Abs(got.Median-value) > 1e-9*value {
			t.Errorf("%s: %s = %v (present: %v), want %v", one.Spec.Kind, metric, got.Median, ok, value)
		}
	}
}

func TestOperationsAreCallsByMessagesByBatch(t *testing.T) {
	t.Parallel()
	one := batched(t, nil, 1, 100, 1024)
	one.WireCountedAt = "client"
	one.Clients[0].Side = result.Side{Begin: &result.Snapshot{BytesOut: new(int64(0)), BytesIn: new(int64(0))},
		End: &result.Snapshot{BytesOut: new(int64(2_100_000)), BytesIn: new(int64(2_000_000))}}
	expectNear(t, one, map[Metric]float64{OperationsPerSec: 100 / 1024e-9, ResponsePerOperation: 10.24, ElapsedPerBatch: 1024,
		WireOutPerOperation: 21, WireInPerOperation: 20, WireOutPerCall: 2100})

	one.Spec.Kind, one.Spec.Messages, one.Spec.Streams = "burst", 50, 1
	expectNear(t, one, map[Metric]float64{OperationsPerSec: 50 * 100 / 1024e-9, ElapsedPerBatch: 1024. / 50,
		WireOutPerOperation: 0.42})

	one.Spec.Batch = 0
	expect(t, one, nil, OperationsPerSec, ResponsePerOperation, ElapsedPerBatch, WireOutPerOperation, WireInPerOperation)
}

func TestBatchesAreSetAgainstBatchesOfOne(t *testing.T) {
	t.Parallel()
	report := build(t, file("a", batched(t, nil, 1, 1, 1000), batched(t, nil, 1, 100, 2000)))
	for i, want := range []float64{1, 50} {
		if got, ok := BatchTimes.Of(report.Rows[i]); !ok || math.Abs(got-want) > 1e-6 {
			t.Errorf("batch %d: %v %v, want %v", report.Rows[i].Spec.Batch, got, ok, want)
		}
	}
	if got, ok := PatternTimes.Of(report.Rows[1]); ok {
		t.Errorf("what alternates is set against itself: %v", got)
	}
}

func TestPatternsAreSetAgainstAlternating(t *testing.T) {
	t.Parallel()
	burst := batched(t, nil, 1, 10, 1000)
	burst.Spec.Kind, burst.Spec.Messages, burst.ID = "burst", 4, "burst"
	upload := burst
	upload.Spec.Kind, upload.Spec.ResponseBytes, upload.Spec.Streams, upload.ID = "upload", 0, 0, "upload"
	report := build(t, file("a", batched(t, nil, 1, 10, 1000), burst, upload))
	if got, ok := PatternTimes.Of(report.Rows[2]); !ok || math.Abs(got-4) > 1e-6 {
		t.Errorf("%s: %v %v, want 4", report.Rows[2].Spec.Kind, got, ok)
	}
	if got, ok := PatternTimes.Of(report.Rows[1]); !ok || math.Abs(got-4) > 1e-6 {
		t.Errorf("%s: %v %v, want 4", report.Rows[1].Spec.Kind, got, ok)
	}
}

func TestATimeOfMessagesIsFittedOverBatches(t *testing.T) {
	t.Parallel()
	var trials []result.Trial
	for _, n := range []int{1, 10, 100, 1000} {
		for repetition := range 3 {
			trials = append(trials, batched(t, nil, repetition+1, n, int64(100_000+400*n)))
		}
	}
	fits := BatchFits(build(t, file("a", trials...)).Rows)
	if len(fits) != 1 || fits[0].Err != nil || len(fits[0].Rows) != 4 {
		t.Fatalf("got %+v", fits)
	}
	line := fits[0].Line
	if math.Abs(line.A.Value-100_000) > 1 || math.Abs(line.B.Value-400) > 0.01 {
		t.Errorf("got %+v", line)
	}
	if best := fits[0].BestUnder(150 * time.Microsecond); best == nil || best.Spec.Batch != 100 {
		t.Errorf("the best under 150 µs is %+v, want batch 100", best)
	}
	if best := fits[0].BestUnder(50 * time.Microsecond); best != nil {
		t.Errorf("batch %d is said to take 50 µs", best.Spec.Batch)
	}
}

func TestCallersAreSweptAlongOneAxisAtATime(t *testing.T) {
	t.Parallel()
	at := func(connections, inFlight int) result.Trial {
		s := spec("grpc-go")
		s.Connections, s.InFlight = connections, inFlight
		n := float64(connections * inFlight)
		one := trial(t, s, 1, int64(2e6*n/(1+0.1*(n-1))), 100)
		one.ID += string(rune('a'+connections)) + string(rune('a'+inFlight))
		return one
	}
	fits := ScalingFits(build(t, file("a", at(1, 1), at(1, 2), at(1, 4), at(1, 8), at(2, 1), at(4, 1), at(8, 1))).Rows)
	if len(fits) != 2 || fits[0].Over != SweepInFlight || fits[1].Over != SweepConnections {
		t.Fatalf("got %+v", fits)
	}
	for _, fit := range fits {
		if fit.Err != nil || math.Abs(fit.Scaling.Sigma-0.1) > 1e-4 || math.Abs(fit.Scaling.Lambda-1e6) > 100 {
			t.Errorf("%s: %+v, %v", fit.Over, fit.Scaling, fit.Err)
		}
	}
	mixed := ScalingFits(build(t, file("a", at(1, 1), at(1, 10), at(1, 100), at(4, 25), at(16, 16), at(64, 100))).Rows)
	if len(mixed) != 1 || mixed[0].Over != SweepShape || len(mixed[0].Rows) != 6 || mixed[0].Err != nil {
		t.Errorf("got %+v", mixed)
	}
	few := ScalingFits(build(t, file("a", at(1, 1), at(1, 2), at(1, 4))).Rows)
	if len(few) != 1 || few[0].Err == nil {
		t.Errorf("three points make %+v", few)
	}
	ramped := []result.Trial{at(1, 4), at(2, 4), at(4, 4)}
	for i := range ramped {
		ramped[i].Spec.Schedule = steps(1, 8)
	}
	if fits := ScalingFits(build(t, file("a", ramped...)).Rows); len(fits) != 0 {
		t.Errorf("callers that come and go make %+v", fits)
	}
}
