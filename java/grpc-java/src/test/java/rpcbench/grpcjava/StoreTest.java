package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static rpcbench.grpcjava.Calls.SLOTS;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.batch.v1.Access;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.grpc.Batches;
import rpcbench.payload.Words;
import rpcbench.stack.Accesses;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger.Traffic;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Stack;
import rpcbench.stack.Store;

/** The operations of batches read and write a server's store. */
class StoreTest {
  private static final int RECORDS = 10;
  private static final int VALUE_BYTES = 20;
  private static final int ALL = 1_000_000; // of a million accesses
  private static final Accesses.Mix READS = mix(RECORDS, ALL);
  private static final Accesses.Mix WRITES = mix(RECORDS, 0);

  private static Accesses.Mix mix(int records, int reads) {
    return new Accesses.Mix(records, reads, 0, 0);
  }

  private static byte[] value(char with) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) with);
    return value;
  }

  private static long key(int record) {
    return Words.word(0, record);
  }

  private static Rig rig(Stack client, Stack server) {
    Rig rig = new Rig(client, server);
    rig.store = new Store(RECORDS, value('v'));
    return rig;
  }

  /** Returns a call whose batches of 3 operations access the store. */
  private static Call accessing(String kind, Accesses.Mix mix) {
    return Calls.all(VALUE_BYTES, VALUE_BYTES, SLOTS).get(kind + ", batch").withDrawn(Accesses.of(5, mix));
  }

  /** Returns the last byte of every record's value. */
  private static String records(Store store) throws CallException {
    StringBuilder last = new StringBuilder();
    for (int r = 0; r < RECORDS; r++) {
      last.append((char) store.get(key(r))[VALUE_BYTES - 1]);
    }
    return last.toString();
  }

  static Stream<Arguments> pairs() {
    return Stream.of(
        Arguments.of(new NettyStack(), new NettyStack()),
        Arguments.of(new OkHttpStack(), new NettyStack()),
        Arguments.of(new NettyStack(), new OkHttpServerStack()));
  }

  /** The client checks that a read returns the value of its key. */
  @ParameterizedTest
  @MethodSource("pairs")
  void everyKindReadsAndWrites(Stack client, Stack server) throws Exception {
    try (Rig rig = rig(client, server).serve()) {
      for (String kind : List.of(Kind.UNARY, Kind.PING_PONG, Kind.BURST, Kind.UPLOAD)) {
        for (int r = 0; r < RECORDS; r++) {
          rig.store.put(key(r), Accesses.value(value('v'), key(r)));
        }
        Call call = accessing(kind, mix(RECORDS, ALL / 2));
        try (Conn conn = rig.dial()) {
          List<Caller> callers = Calls.callers(conn, call, SLOTS);
          for (int round = 0; round < 20; round++) {
            Calls.assertAll(Code.OK, Calls.call(callers), kind);
          }
        }
        String written = Character.toString(call.request()[VALUE_BYTES - 1]).repeat(RECORDS);
        assertEquals(written, records(rig.store), kind);
      }
    }
  }

  /** Of two calls of each kind the second is late. */
  @Test
  void aLateCallIsToldApart() throws Exception {
    try (Rig rig = rig(new NettyStack(), new NettyStack()).serve(); Conn conn = rig.dial("none", 1)) {
      for (String kind : List.of(Kind.UNARY, Kind.PING_PONG, Kind.BURST, Kind.UPLOAD)) {
        Call call = accessing(kind, WRITES);
        List<Caller> caller = Calls.callers(conn, call, 1);
        Calls.assertAll(Code.OK, Calls.call(caller), kind);
        assertEquals(Traffic.NONE, call.ledger().lateTraffic(), kind);
        Traffic one = call.ledger().traffic();
        List<CompletableFuture<CallException>> running = Calls.start(caller);
        assertNull(running.get(0).get(), kind);
        caller.get(0).late();
        Calls.assertAll(Code.OK, Calls.codes(caller, running), kind);
        assertEquals(one, call.ledger().lateTraffic(), kind);
        assertEquals(one, call.ledger().traffic().minus(one), kind);
      }
    }
  }

  /** The last message has 7 operations, too few for all records. */
  @ParameterizedTest
  @MethodSource("pairs")
  void everyMessageOfAnUploadWrites(Stack client, Stack server) throws Exception {
    try (Rig rig = rig(client, server).serve(); Conn conn = rig.dial("none", 1)) {
      Call upload = new Call(Kind.UPLOAD, value('u'), VALUE_BYTES, 20, 0, null).withBatch(7).withDrawn(Accesses.of(5, WRITES));
      Calls.assertAll(Code.OK, Calls.call(Calls.callers(conn, upload, 1)), "upload");
      assertEquals("u".repeat(RECORDS), records(rig.store));
      assertEquals(20 * 7 * VALUE_BYTES, upload.ledger().traffic().bytesOut());
    }
  }

  @Test
  void anUploadEndsWithTheFirstAccessThatFails() throws Exception {
    try (Rig rig = rig(new NettyStack(), new NettyStack()).serve()) {
      ManagedChannel channel = NettyChannelBuilder.forTarget(rig.address).usePlaintext().proxyDetector(a -> null).build();
      try {
        CompletableFuture<Status> end = new CompletableFuture<>();
        StreamObserver<Batch> upload = ClientCalls.asyncClientStreamingCall(
            channel.newCall(Batches.UPLOAD, CallOptions.DEFAULT), ended(end));
        for (int record : new int[] {0, RECORDS, 1, 2}) { // there is no record RECORDS
          upload.onNext(write(record));
        }
        upload.onCompleted();
        assertEquals(Status.Code.NOT_FOUND, end.get().getCode());
        assertEquals("wvv", records(rig.store).substring(0, 3));
      } finally {
        channel.shutdownNow().awaitTermination(1, TimeUnit.HOURS);
      }
    }
  }

  private static Batch write(int record) {
    ByteString value = ByteString.copyFrom(Accesses.value(value('w'), key(record)));
    Operation operation =
        Operation.newBuilder().setAccess(Access.ACCESS_WRITE).setKey(key(record)).setPayload(value).build();
    return Batch.newBuilder().addOperations(operation).build();
  }

  private static StreamObserver<Batch> ended(CompletableFuture<Status> end) {
    return new StreamObserver<>() {
      @Override
      public void onNext(Batch answer) {}

      @Override
      public void onError(Throwable failure) {
        end.complete(Status.fromThrowable(failure));
      }

      @Override
      public void onCompleted() {
        end.complete(Status.OK);
      }
    };
  }

  /** Three values of 20 bytes, whatever the request says about the length of answers. Written values are not sent back. */
  @ParameterizedTest
  @CsvSource({"60, OK, OK", "59, RESOURCE_EXHAUSTED, OK"})
  void theValuesThatOneMessageReadsAreLimited(int responseBytes, Code reading, Code writing) throws Exception {
    Rig rig = rig(new NettyStack(), new NettyStack());
    rig.limits = new ServerLimits(0, responseBytes, 0, 0, 0, 0, 0, 0);
    try (rig; Conn conn = rig.serve().dial()) {
      for (String kind : List.of(Kind.UNARY, Kind.PING_PONG, Kind.BURST, Kind.UPLOAD)) {
        for (Map.Entry<Accesses.Mix, Code> each : Map.of(READS, reading, WRITES, writing).entrySet()) {
          List<Caller> callers = Calls.callers(conn, accessing(kind, each.getKey()), SLOTS);
          Calls.assertAll(each.getValue(), Calls.call(callers), kind + " " + each.getKey());
        }
      }
    }
  }

  @Test
  void theValuesThatOneMessageReadsHaveNoMoreThanAnyMessage() throws Exception {
    byte[] mebibyte = new byte[1 << 20];
    Rig rig = new Rig(new NettyStack());
    rig.store = new Store(1, mebibyte);
    try (rig; Conn conn = rig.serve().dial("none", 1)) {
      Call reads = new Call(Kind.UNARY, mebibyte, mebibyte.length, 0, 0, null).withDrawn(Accesses.of(5, mix(1, ALL)));
      Calls.assertAll(Code.INVALID_ARGUMENT, Calls.call(Calls.callers(conn, reads.withBatch(65), 1)), "65 MiB");
      Calls.assertAll(Code.OK, Calls.call(Calls.callers(conn, reads.withBatch(2), 1)), "2 MiB");
    }
  }

  @Test
  void aServerWithoutAStoreRefusesAccesses() throws Exception {
    try (Rig rig = new Rig(new NettyStack()).serve(); Conn conn = rig.dial()) {
      for (String kind : List.of(Kind.UNARY, Kind.PING_PONG, Kind.BURST, Kind.UPLOAD)) {
        List<Caller> callers = Calls.callers(conn, accessing(kind, READS), SLOTS);
        Calls.assertAll(Code.FAILED_PRECONDITION, Calls.call(callers), kind);
      }
    }
  }
}
