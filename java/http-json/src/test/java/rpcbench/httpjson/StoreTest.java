package rpcbench.httpjson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.payload.Words;
import rpcbench.stack.Accesses;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger.Traffic;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Stack;
import rpcbench.stack.Store;

/** The operations of batches read and write a server's store. */
class StoreTest {
  private static final int RECORDS = 10;
  private static final int ALL = 1_000_000; // of a million accesses

  /** Returns a call with that many operations on records of 20 bytes, written as 'r'. */
  private static Call accessing(int records, int reads, int operations) {
    return Rig.unary(20, 20).withBatch(operations).withDrawn(Accesses.of(5, new Accesses.Mix(records, reads, 0, 0)));
  }

  private static Rig rig() {
    Rig rig = new Rig();
    rig.store = new Store(RECORDS, new byte[20]);
    return rig;
  }

  private static Caller caller(Rig rig, Call call) throws CallException {
    return rig.callers(new OkHttpStack(), "none", 1, call).get(0);
  }

  private static Code code(Rig rig, Call call) throws Exception {
    CallException failure = Rig.call(caller(rig, call));
    return failure == null ? Code.OK : failure.code();
  }

  /** The client checks that a read returns the value of its key. */
  @ParameterizedTest
  @ValueSource(ints = {0, ALL / 2})
  void operationsReadAndWrite(int reads) throws Exception {
    try (Rig rig = rig().serve()) {
      Caller caller = caller(rig, accessing(RECORDS, reads, 7));
      for (int i = 0; i < 20; i++) {
        assertNull(Rig.call(caller));
      }
      for (int r = 0; r < RECORDS; r++) {
        assertEquals('r', rig.store.get(Words.word(0, r))[19], "record " + r);
      }
    }
  }

  static Stream<Stack> clients() {
    return Stream.of(new OkHttpStack(), new UrlConnectionStack());
  }

  /** Of two calls the second is late. */
  @ParameterizedTest
  @MethodSource("clients")
  void aLateCallIsToldApart(Stack client) throws Exception {
    try (Rig rig = rig().serve()) {
      Call call = accessing(RECORDS, ALL, 7);
      Caller caller = rig.callers(client, "none", 1, call).get(0);
      assertNull(Rig.call(caller));
      CompletableFuture<CallException> ended = new CompletableFuture<>();
      caller.start(ended::complete);
      assertNull(ended.get());
      caller.late();
      assertNull(caller.after());
      Traffic one = new Traffic(1, 1, 0, 7 * 20, 0);
      assertEquals(one, call.ledger().lateTraffic());
      assertEquals(one, call.ledger().traffic().minus(one));
    }
  }

  /** Three values of 20 bytes. Written values are not sent back. */
  @ParameterizedTest
  @CsvSource({"60, OK", "59, RESOURCE_EXHAUSTED"})
  void theValuesThatOneMessageReadsAreLimited(int responseBytes, Code want) throws Exception {
    try (Rig rig = rig()) {
      rig.limits = new ServerLimits(0, responseBytes, 0, 0, 0, 0, 0, 0);
      rig.serve();
      assertEquals(want, code(rig, accessing(RECORDS, ALL, 3)));
      assertEquals(Code.OK, code(rig, accessing(RECORDS, 0, 3)));
    }
  }

  @Test
  void theValuesThatOneMessageReadsHaveNoMoreThanAnyMessage() throws Exception {
    byte[] mebibyte = new byte[1 << 20];
    try (Rig rig = new Rig()) {
      rig.store = new Store(1, mebibyte);
      rig.serve();
      Accesses reads = Accesses.of(5, new Accesses.Mix(1, ALL, 0, 0));
      Call call = new Call(Kind.UNARY, mebibyte, mebibyte.length, 0, 0, null).withDrawn(reads);
      assertEquals(Code.INTERNAL, code(rig, call.withBatch(65))); // HTTP 400
      assertEquals(Code.OK, code(rig, call.withBatch(2)));
    }
  }

  @Test
  void aKeyOrALengthThatTheStoreDoesNotHaveIsABadRequest() throws Exception {
    try (Rig rig = rig().serve()) {
      assertEquals(Code.INTERNAL, code(rig, accessing(1000, ALL, 7)));
      Call longer = Rig.unary(21, 21).withBatch(1).withDrawn(Accesses.of(5, new Accesses.Mix(RECORDS, 0, 0, 0)));
      assertEquals(Code.INTERNAL, code(rig, longer));
    }
  }
}
