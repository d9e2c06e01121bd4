package rpcbench.worker;

import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Call;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Load;
import rpcbench.worker.v1.Worker.Phase;
import rpcbench.worker.v1.Worker.Security;
import rpcbench.worker.v1.Worker.Serve;

/** Good commands, for tests to change. */
final class Commands {
  static final long SECOND_NS = 1_000_000_000;
  static final long HOUR_NS = 3600 * SECOND_NS; // longer than a machine pauses

  private Commands() {}

  static Serve.Builder serve(String stack) {
    return Serve.newBuilder()
        .setStack(stack)
        .setNetwork("tcp")
        .setAddress("127.0.0.1:0")
        .setSecurity(Security.newBuilder().setMode("plaintext"))
        .setPayload("random")
        .setSeed(1);
  }

  /** 2 connections of 3 slots, 1000 bytes there and 700 back. */
  static Connect.Builder connect(String stack, String kind, String address) {
    Call.Builder call =
        Call.newBuilder()
            .setKind(kind)
            .setCompression("none")
            .setPayload("random")
            .setSeed(1)
            .setDeadlineNs(HOUR_NS);
    if (!Kind.opens(kind)) {
      call.setRequestBytes(1000).setResponseBytes(700);
    }
    if (Kind.hasMessages(kind)) {
      call.setMessages(5);
    }
    return Connect.newBuilder()
        .setStack(stack)
        .setNetwork("tcp")
        .addAddresses(address)
        .setSecurity(Security.newBuilder().setMode("plaintext"))
        .setCall(call)
        .setConnections(2)
        .setInFlight(3)
        .setStreams(Kind.sharesStreams(kind) ? 2 : 0);
  }

  static Connect.Builder encode() {
    Call.Builder call =
        Call.newBuilder()
            .setKind(Kind.ENCODE)
            .setMessage("large")
            .setCodec("none")
            .setSeed(42)
            .setSampleNs(20_000_000)
            .setDeadlineNs(HOUR_NS);
    return Connect.newBuilder().setStack("codec-nothing").setCall(call).setConnections(1).setInFlight(1);
  }

  static Begin.Builder closed(long calls) {
    return Begin.newBuilder()
        .setPhase(Phase.PHASE_MEASURED)
        .setLoad(Load.newBuilder().setArrivals("closed"))
        .setCalls(calls)
        .setDrainNs(HOUR_NS);
  }

  static Begin.Builder constant(double perSec, long durationNs) {
    return Begin.newBuilder()
        .setPhase(Phase.PHASE_MEASURED)
        .setLoad(Load.newBuilder().setArrivals("constant").setPerSec(perSec))
        .setDurationNs(durationNs)
        .setDrainNs(HOUR_NS);
  }
}
