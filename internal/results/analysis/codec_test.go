package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// coding is a trial of a codec: two calls of 10 operations each, that took the given nanoseconds.
func coding(t *testing.T, stack, kind, codec string, ns ...int64) result.Trial {
	t.Helper()
	one := trial(t, plan.Spec{Stack: stack, Protocol: "codec", Kind: kind, Message: "small", Codec: codec, Connections: 1,
		InFlight: 1, Load: plan.LoadClosed, SampleNs: 20e6}, 1, int64(len(ns)), ns...)
	one.ID += kind + codec
	one.Clients[0].Codec = &result.Codec{Repeat: 10, EncodedBytes: 25, GzippedBytes: 40}
	one.Clients[0].Side = result.Side{
		Begin: &result.Snapshot{Allocations: new(int64(100)), AllocatedBytes: new(int64(0)), GCCycles: new(int64(2)),
			GCPauseNs: new(int64(50))},
		End: &result.Snapshot{CPUUserNs: 400, Allocations: new(int64(160)), AllocatedBytes: new(int64(2000)),
			GCCycles: new(int64(5)), GCPauseNs: new(int64(90)), HeapBytes: new(int64(7_000_000)), PeakMemoryBytes: 9},
	}
	return one
}

func TestACodecIsMeasuredByOperationAndNotByCall(t *testing.T) {
	t.Parallel()
	expect(t, coding(t, "codec-go", "encode", "protobuf", 200, 400), map[Metric]float64{
		NsPerOperation: 30, OperationMBPerSec: 25.0 / 30 * 1000, EncodedBytes: 25, GzippedBytes: 40, AllocsPerOperation: 3,
		AllocatedPerOperation: 100, ClientCPUPerOperation: 20, ClientGCCycles: 3, ClientGCPauseNs: 40,
		ClientGCPausePerSec: 20, ClientHeapBytes: 7_000_000, ClientPeakMemory: 9,
	}, ResponseP50Ns, ResponseMeanNs, CallsPerSec, ClientCPUPerCall, ClientAllocsPerCall, PayloadMBPerSec, Sockets,
		ElapsedPerCall, WireOutPerCall)
	expect(t, trial(t, spec("grpc-go"), 1, 2, 200, 400), map[Metric]float64{ResponseP50Ns: 200},
		NsPerOperation, OperationMBPerSec, EncodedBytes, AllocsPerOperation)
}

func TestTheEnergyOfACodecIsThatOfAnOperation(t *testing.T) {
	t.Parallel()
	one := coding(t, "codec-go", "encode", "protobuf", 200, 400)
	one.Hosts = []result.HostUse{{EnergyJoules: new(3.0)}}
	expect(t, one, map[Metric]float64{EnergyPerOperation: 3.0 / 20}, EnergyPerCall)
	one.Hosts = []result.HostUse{{EnergyJoules: new(3.0)}, {}}
	expect(t, one, nil, EnergyPerOperation) // unknown of one machine
	one = trial(t, spec("grpc-go"), 1, 2, 200, 400)
	one.Hosts = []result.HostUse{{EnergyJoules: new(3.0)}}
	expect(t, one, map[Metric]float64{EnergyPerCall: 1.5}, EnergyPerOperation)
}

func TestACodecWithoutACalibrationHasNoFigure(t *testing.T) {
	t.Parallel()
	one := coding(t, "codec-go", "encode", "protobuf", 200, 400)
	one.Clients[0].Codec = nil
	expect(t, one, nil, NsPerOperation, OperationMBPerSec, EncodedBytes, AllocsPerOperation, ClientCPUPerOperation)
	one.Clients[0].Codec = &result.Codec{Repeat: 10, EncodedBytes: 25}
	expect(t, one, map[Metric]float64{EncodedBytes: 25}, GzippedBytes)
}

func TestEveryCodecIsSetAgainstProtobufOfItsRuntime(t *testing.T) {
	t.Parallel()
	report := build(t, file("a",
		coding(t, "codec-java", "encode", "json", 600), coding(t, "codec-java", "encode", "protobuf-stream", 300),
		coding(t, "codec-java", "encode", "protobuf-bytes", 200), coding(t, "codec-java", "decode", "protobuf-bytes", 500),
		coding(t, "codec-java-android", "encode", "json", 1000), coding(t, "codec-java", "decode", "json", 250),
		coding(t, "codec-go", "encode", "protobuf", 100), coding(t, "codec-go", "encode", "protobuf-json", 150),
		coding(t, "codec-js", "encode", "json", 150)))
	got := map[string]float64{}
	for _, row := range report.Rows {
		if ratio, ok := ProtobufTimes.Of(row); ok {
			got[row.Spec.Stack+" "+row.Spec.Kind+" "+row.Spec.Codec] = ratio
		}
		if row.IsFloor() {
			t.Errorf("%s is the floor", row.Spec.Stack)
		}
	}
	want := map[string]float64{
		"codec-java encode json": 3, "codec-java encode protobuf-stream": 1.5, "codec-java encode protobuf-bytes": 1,
		"codec-java decode json": 0.5, "codec-java decode protobuf-bytes": 1, "codec-java-android encode json": 5,
		"codec-go encode protobuf": 1, "codec-go encode protobuf-json": 1.5,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("times as long as protobuf (-want +got):\n%s", diff)
	}
}

func TestMessagesAreOrderedBySizeAndProtobufComesFirst(t *testing.T) {
	t.Parallel()
	var want []string
	var trials []result.Trial
	for _, message := range []string{"small", "address-book", "newsfeed", "large", "large-dense", "large-sparse", "other"} {
		for _, codec := range []string{"protobuf", "json"} {
			one := coding(t, "codec-go", "encode", codec, 100)
			one.ID, one.Spec.Message = one.ID+message, message
			trials = append([]result.Trial{one}, trials...)
			want = append(want, message+" "+codec)
		}
	}
	var got []string
	for _, row := range build(t, file("a", trials...)).Rows {
		got = append(got, row.Spec.Message+" "+row.Spec.Codec)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestKeyColumnsOfACallAreEmptyForACodec(t *testing.T) {
	t.Parallel()
	spec := coding(t, "codec-go", "encode", "json", 1).Spec
	spec.Security, spec.Network, spec.Compression, spec.Payload = "plaintext", "tcp", "none", "random"
	row := &Row{Key: KeyOf("codec", spec), Spec: spec}
	var filled []string
	for _, field := range row.Fields() {
		if field.Value != nil {
			filled = append(filled, field.Name)
		}
	}
	want := []string{"scenario", "stack", "protocol", "kind", "message", "codec", "load"}
	if diff := cmp.Diff(want, filled); diff != "" {
		t.Errorf("filled columns (-want +got):\n%s", diff)
	}
}
