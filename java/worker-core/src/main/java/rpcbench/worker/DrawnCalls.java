package rpcbench.worker;

import static rpcbench.worker.Check.refuse;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import rpcbench.payload.Payload;
import rpcbench.stack.Accesses;
import rpcbench.stack.Bounds;
import rpcbench.stack.Drawn;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.Sizes;
import rpcbench.worker.v1.Worker.Call;
import rpcbench.worker.v1.Worker.Serve;
import rpcbench.worker.v1.Worker.SizeBin;
import rpcbench.worker.v1.Worker.Store;

/** Creates what differs at random between calls, and the store for accesses. */
final class DrawnCalls {
  private static final long MILLION = 1_000_000;

  /** The part of the heap that a store may take. */
  private static final long STORE_PART = 2;

  private DrawnCalls() {}

  /** Returns what differs at random between messages of a call, null if all are alike. */
  static Drawn of(Call call, int requestBytes) {
    if (call.hasSizes()) {
      var sizes = call.getSizes();
      return Sizes.of(sizes.getSeed(), bins(sizes.getRequestsList()), requestBytes, bins(sizes.getRepliesList()));
    }
    if (call.hasAccesses()) {
      var a = call.getAccesses();
      var mix = new Accesses.Mix(a.getRecords(), a.getReadsPerMillion(), a.getZipfTheta(), a.getZipfZeta());
      return Accesses.of(a.getSeed(), mix);
    }
    return null;
  }

  private static List<Sizes.Bin> bins(List<SizeBin> bins) {
    List<Sizes.Bin> made = new ArrayList<>();
    for (SizeBin bin : bins) {
      made.add(new Sizes.Bin(bin.getLeast(), bin.getMost(), bin.getWeight()));
    }
    return made;
  }

  /**
   * Returns the check of replies' bytes, after that of their length; null for accesses, which are checked against their
   * operations.
   */
  static rpcbench.stack.Call.Check check(Call call) {
    if (call.hasAccesses() || call.getLengthsOnly()) {
      return null;
    }
    int maxBytes = Math.max(call.getRequestBytes(), call.getResponseBytes());
    ByteBuffer longest = ByteBuffer.wrap(Payload.of(call.getPayload(), call.getSeed(), maxBytes));
    return reply -> {
      ByteBuffer due = longest.duplicate();
      ((Buffer) due).limit(Math.min(reply.remaining(), maxBytes)); // of Android 8.0, whose ByteBuffer returns a Buffer
      return reply.equals(due) ? null : "the reply of " + reply.remaining() + " bytes has other bytes than expected";
    };
  }

  /** Names the first field that this worker can't honour. */
  static void check(Info info, Call call) throws FaultException {
    if (call.hasSizes()) {
      sizes(info, call);
    }
    if (call.hasAccesses()) {
      accesses(info, call);
    }
  }

  private static void sizes(Info info, Call call) throws FaultException {
    String field = "connect.call.sizes";
    refuse(!info.sizes(), field, info.name() + " draws no lengths");
    refuse(
        call.getBatch() != 0 || call.getKind().equals(Kind.DOWNLOAD) || call.getKind().equals(Kind.BOTH_WAYS)
            || Kind.opens(call.getKind()),
        field, "they are for unary, stream, ping_pong, burst and upload, without a batch");
    bins(field + ".requests", call.getSizes().getRequestsList(), call.getRequestBytes());
    bins(field + ".replies", call.getSizes().getRepliesList(), call.getResponseBytes());
    refuse(
        call.getSizes().getRepliesCount() == 0 && call.getResponseBytes() != call.getRequestBytes(),
        "connect.call.response_bytes", "replies as long as their requests have at most " + call.getRequestBytes());
  }

  private static void bins(String field, List<SizeBin> bins, int maxBytes) throws FaultException {
    long sum = 0;
    for (SizeBin bin : bins) {
      refuse(bin.getLeast() < 0 || bin.getMost() < bin.getLeast(), field, "a bin ends before it begins");
      refuse(
          bin.getMost() > maxBytes, field,
          bin.getMost() + " is more than the " + maxBytes + " bytes that the call has at the most");
      refuse(bin.getWeight() == 0, field, "a bin has no weight");
      refuse(Long.compareUnsigned(sum + bin.getWeight(), sum) < 0, field, "the weights add up to more than 64 bits");
      sum += bin.getWeight();
    }
  }

  private static void accesses(Info info, Call call) throws FaultException {
    String field = "connect.call.accesses";
    var a = call.getAccesses();
    refuse(!info.stores(), field, info.name() + " makes none");
    refuse(call.getBatch() == 0, field, "they are operations of a batch");
    refuse(
        call.getRequestBytes() < Accesses.VALUE_BYTES_MIN || call.getResponseBytes() != call.getRequestBytes(),
        "connect.call.response_bytes",
        "values have as many bytes both ways, at least " + Accesses.VALUE_BYTES_MIN);
    records(field + ".records", a.getRecords());
    refuse(
        Integer.toUnsignedLong(a.getReadsPerMillion()) > MILLION,
        field + ".reads_per_million", "it is more than a million");
    refuse(!(a.getZipfTheta() >= 0 && a.getZipfTheta() < 1), field + ".zipf_theta", "it is not between 0 and 1");
    refuse(a.getZipfTheta() > 0 && !(a.getZipfZeta() >= 1), field + ".zipf_zeta", "it is not a sum that begins with 1");
  }

  private static void records(String field, long records) throws FaultException {
    refuse(
        records < 1 || records > Accesses.RECORDS_MAX,
        field, Long.toUnsignedString(records) + " is not between 1 and " + Accesses.RECORDS_MAX);
  }

  /** Creates the store that a Serve asks for, null for none. */
  static rpcbench.stack.Store store(Info info, Serve c) throws FaultException {
    if (!c.hasStore()) {
      return null;
    }
    Store s = c.getStore();
    long bytes = Integer.toUnsignedLong(s.getValueBytes());
    refuse(!info.stores(), "serve.store", info.name() + " has none");
    records("serve.store.records", s.getRecords());
    refuse(
        bytes < Accesses.VALUE_BYTES_MIN || bytes > Bounds.MESSAGE_BYTES_MAX,
        "serve.store.value_bytes", bytes + " is not between " + Accesses.VALUE_BYTES_MIN + " and " + Bounds.MESSAGE_BYTES_MAX);
    long maxBytes = Runtime.getRuntime().maxMemory() / STORE_PART;
    refuse(
        rpcbench.stack.Store.memoryBytes(s.getRecords(), bytes) > maxBytes,
        "serve.store.records", "the store takes more than " + maxBytes + " bytes, half of the heap");
    return new rpcbench.stack.Store(s.getRecords(), Payload.of(c.getPayload(), c.getSeed(), (int) bytes));
  }
}
