package analysis

import (
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

func TestGarbageCollectionIsOfTheMeasuredPhaseAndTheHeapOfItsEnd(t *testing.T) {
	t.Parallel()
	one := trial(t, spec("grpc-go"), 1, 10, 100) // 2 s
	one.Servers[0] = result.Side{
		Runtime: "java 17.0.9 linux/amd64",
		Begin:   &result.Snapshot{GCCycles: new(int64(3)), GCPauseNs: new(int64(1000)), HeapBytes: new(int64(1))},
		End:     &result.Snapshot{GCCycles: new(int64(7)), GCPauseNs: new(int64(9000)), HeapBytes: new(int64(64_000_000))},
	}
	expect(t, one, map[Metric]float64{ServerGCCycles: 4, ServerGCPauseNs: 8000, ServerGCPausePerSec: 4000,
		ServerHeapBytes: 64_000_000}, ClientGCCycles, ClientGCPauseNs, ClientHeapBytes)
	if row := onlyRow(t, build(t, file("a", one))); !row.Trials[0].OnJVM() {
		t.Error("it is not on a JVM")
	}
	one.Servers[0].Runtime = "go1.26.8 linux/amd64"
	if row := onlyRow(t, build(t, file("a", one))); row.Trials[0].OnJVM() {
		t.Error("Go is a JVM")
	}
}

func TestSafepointsAreOfTheMeasuredPhase(t *testing.T) {
	t.Parallel()
	one := trial(t, spec("grpc-go"), 1, 10, 100)
	one.Clients[0].Side = result.Side{
		Begin: &result.Snapshot{SafepointSyncNs: new(int64(2e6)), Safepoints: new(int64(10))},
		End:   &result.Snapshot{SafepointSyncNs: new(int64(5e6)), Safepoints: new(int64(17))},
	}
	expect(t, one, map[Metric]float64{ClientSafepointSyncNs: 3e6, ClientSafepoints: 7}, ServerSafepointSyncNs, ServerSafepoints)
}

func TestWireBytesOfBothDirectionsTogether(t *testing.T) {
	t.Parallel()
	one := trial(t, spec("grpc-go"), 1, 10, 100)
	one.WireCountedAt = "client"
	one.Clients[0].Side = result.Side{
		Begin: &result.Snapshot{BytesOut: new(int64(100)), BytesIn: new(int64(50))},
		End:   &result.Snapshot{BytesOut: new(int64(1100)), BytesIn: new(int64(550))},
	}
	expect(t, one, map[Metric]float64{WirePerCall: 150})
	one.Clients[0].End.BytesIn = nil
	expect(t, one, map[Metric]float64{WireOutPerCall: 100}, WirePerCall)
}

func TestAClosedLoadHasNoPacer(t *testing.T) {
	t.Parallel()
	one := trial(t, spec("grpc-go"), 1, 10, 100)
	one.Clients[0].Side = result.Side{
		Begin: &result.Snapshot{PacerCPUNs: new(int64(0))}, End: &result.Snapshot{PacerCPUNs: new(int64(300))},
	}
	expect(t, one, nil, ClientPacerPerCall)
	one.Spec.Load = plan.LoadPoisson
	expect(t, one, map[Metric]float64{ClientPacerPerCall: 30})
}

// Servers on one host share its processors.
func TestAServersPartOfItsProcessors(t *testing.T) {
	t.Parallel()
	side := func(host string, processors int, cpuNs int64) result.Side {
		return result.Side{
			Host: host, Processors: processors, Begin: &result.Snapshot{TimeNs: 1e9, CPUUserNs: 5e8},
			End: &result.Snapshot{TimeNs: 3e9, CPUUserNs: 5e8 + cpuNs/2, CPUSystemNs: cpuNs / 2},
		}
	}
	one := trial(t, spec("grpc-go"), 1, 10, 100)
	one.Servers = []result.Side{side("", 4, 2e9)}
	expect(t, one, map[Metric]float64{ServerCPURatio: 0.25})
	one.Servers = append(one.Servers, side("", 4, 1e9), side("db", 1, 1e9))
	expect(t, one, map[Metric]float64{ServerCPURatio: 0.4}) // 4 s of 8 and 2
	one.Servers[1].Processors = 0
	expect(t, one, nil, ServerCPURatio)
}
