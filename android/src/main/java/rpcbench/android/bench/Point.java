package rpcbench.android.bench;

import java.util.Locale;
import org.json.JSONException;
import org.json.JSONObject;
import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Call;
import rpcbench.worker.v1.Worker.Connect;
import rpcbench.worker.v1.Worker.Load;
import rpcbench.worker.v1.Worker.Phase;
import rpcbench.worker.v1.Worker.Security;

/**
 * What a trial measures, as a specification of the results file and as commands of worker.v1.
 *
 * @param target host:port of a server that runs; empty for encode and decode
 * @param perSec of an open load; 0 is a closed one, of one call at a time
 * @param message of encode and decode, as codec; else empty
 */
public record Point(
    String stack, String protocol, String target, String kind, int requestBytes, int responseBytes, int messages, double perSec,
    String message, String codec, long warmupNs, long durationNs) {
  static final long SEED = 1;

  private static final long SECOND_NS = 1_000_000_000;
  private static final long DEADLINE_NS = 10 * SECOND_NS;
  private static final long SAMPLE_NS = 20_000_000;
  private static final int SLOTS = 1;
  private static final int OPEN_SLOTS = 100; // calls that may be under way at once, where others are late

  /** A call to a server. */
  static Point call(String stack, String protocol, String target, String kind, int request, int response, int messages) {
    return new Point(stack, protocol, target, kind, request, response, messages, 0, "", "", SECOND_NS, 2 * SECOND_NS);
  }

  /** Encode or decode. */
  static Point codec(String stack, String kind, String message, String codec) {
    return new Point(stack, "codec", "", kind, 0, 0, 0, 0, message, codec, SECOND_NS / 2, SECOND_NS / 2);
  }

  /** The same in an open load. */
  Point at(double rate) {
    return new Point(
        stack, protocol, target, kind, requestBytes, responseBytes, messages, rate, message, codec, warmupNs, durationNs);
  }

  /** The same for other times. */
  Point lasting(long warmup, long duration) {
    return new Point(
        stack, protocol, target, kind, requestBytes, responseBytes, messages, perSec, message, codec, warmup, duration);
  }

  private boolean works() {
    return !codec.isEmpty();
  }

  private int slots() {
    return perSec > 0 ? OPEN_SLOTS : SLOTS;
  }

  private String load() {
    return perSec > 0 ? "constant" : "closed";
  }

  /** What makes a worker ready for it. */
  Connect connect() {
    Call.Builder call = Call.newBuilder().setKind(kind).setSeed(SEED).setDeadlineNs(DEADLINE_NS);
    Connect.Builder connect = Connect.newBuilder().setStack(stack).setConnections(1).setInFlight(slots());
    if (works()) {
      return connect.setCall(call.setMessage(message).setCodec(codec).setSampleNs(SAMPLE_NS)).build();
    }
    call.setRequestBytes(requestBytes).setResponseBytes(responseBytes).setMessages(messages);
    call.setCompression("none").setPayload("random");
    return connect.setCall(call).setNetwork("tcp").addAddresses(target).setSecurity(Security.newBuilder().setMode("plaintext")).build();
  }

  /** What begins a phase of it. */
  Begin begin(Phase phase) {
    Load.Builder load = Load.newBuilder().setArrivals(load()).setPerSec(perSec).setSeed(SEED);
    return Begin.newBuilder()
        .setPhase(phase)
        .setLoad(load)
        .setDurationNs(phase == Phase.PHASE_WARMUP ? warmupNs : durationNs)
        .setDrainNs(DEADLINE_NS)
        .build();
  }

  /** The specification in a results file. */
  JSONObject spec() throws JSONException {
    JSONObject spec = new JSONObject().put("stack", stack).put("server", "");
    if (!works()) {
      spec.put("target", target);
    }
    spec.put("protocol", protocol).put("kind", kind).put("request_bytes", requestBytes).put("response_bytes", responseBytes);
    if (messages > 0) {
      spec.put("messages", messages);
    }
    spec.put("connections", 1).put("in_flight", slots()).put("load", load());
    if (perSec > 0) {
      spec.put("offered_per_sec", perSec);
    }
    spec.put("security", "plaintext").put("network", "tcp").put("compression", "none").put("payload", "random");
    spec.put("deadline_ns", DEADLINE_NS).put("drain_ns", DEADLINE_NS).put("warmup_ns", warmupNs).put("duration_ns", durationNs);
    if (works()) {
      spec.put("message", message).put("codec", codec).put("sample_ns", SAMPLE_NS);
    }
    return spec;
  }

  /** What it is, for people: "encode newsfeed, protobuf" or "unary 1 kB, grpc-okhttp". */
  public String words() {
    if (works()) {
      return kind + " " + message + ", " + codec;
    }
    String words = kind + " " + size(requestBytes) + ", " + stack.replace("android-", "");
    if (kind.equals(Kind.DOWNLOAD)) {
      words = messages + " replies of " + size(responseBytes) + " in a call, " + stack.replace("android-", "");
    }
    return perSec > 0 ? words + String.format(Locale.ROOT, ", %.0f calls/s", perSec) : words;
  }

  private static String size(int bytes) {
    return bytes < 1000 ? bytes + " B" : bytes / 1000 + " kB";
  }
}
