package rpcbench.httpjson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Wire;

class ClientTest {
  private static final String ALL = "rpcbench.httpjson.Clients#all";
  private static final int SLOTS = 3;

  @ParameterizedTest
  @MethodSource("rpcbench.httpjson.Clients#points")
  void everyPointWorksAndIsCounted(Clients.Client client, String security, String compression) throws Exception {
    try (Rig rig = Rig.of(security).serve()) {
      rig.options = client.options();
      int connections = 0;
      for (int[] sizes : new int[][] {{1000, 1000}, {0, 0}, {10, 20}, {0, 100_000}, {100_000, 1}}) {
        List<Caller> callers =
            rig.callers(client.stack(), compression, SLOTS, Rig.unary(sizes[0], sizes[1]));
        for (int round = 0; round < 3; round++) {
          assertEquals(Collections.nCopies(SLOTS, null), Rig.callAll(callers));
        }
        Call batch = Rig.unary(sizes[0], sizes[1]).withBatch(3);
        List<Caller> batches = rig.callers(client.stack(), compression, SLOTS, batch);
        assertEquals(Collections.nCopies(SLOTS, null), Rig.callAll(batches));
        connections += 2;
        long sockets = rig.clientWire.socketsOpened();
        assertTrue(sockets >= connections && sockets <= (long) connections * SLOTS, sockets + " sockets");
      }
      awaitEqualCounts(rig);
    }
  }

  /** Waits until both sides have counted the same. */
  private static void awaitEqualCounts(Rig rig) throws InterruptedException {
    Rig.until(
        () ->
            rig.clientWire.bytesOut() == rig.serverWire.bytesIn()
                && rig.clientWire.bytesIn() == rig.serverWire.bytesOut()
                && rig.clientWire.socketsOpened() == rig.serverWire.socketsOpened());
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void theEndOfTheHandshakeIsTold(Clients.Client client) throws Exception {
    for (String security : List.of("plaintext", "tls", "mtls")) {
      try (Rig rig = Rig.of(security).serve()) {
        rig.options = client.options();
        assertNull(Rig.call(rig.callers(client.stack(), "none", 1, Rig.unary(1, 1)).get(0)));
        Wire wire = rig.clientWire;
        if (security.equals("plaintext")) {
          assertEquals(0, wire.firstSecuredNs());
          continue;
        }
        Rig.until(() -> wire.firstSecuredNs() != 0); // some report it on another thread
        assertTrue(wire.firstSecuredNs() - wire.firstOpenedNs() >= 0, security);
        assertEquals(0, rig.serverWire.firstSecuredNs());
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aHandshakeThatHasOnlyBegunIsNotTold(Clients.Client client) throws Exception {
    for (String security : List.of("tls", "mtls")) {
      try (RawServer silent = RawServer.silent(); Rig rig = Rig.of(security)) {
        rig.options = client.options();
        rig.address = silent.address();
        Caller caller = rig.callers(client.stack(), "none", 1, Rig.unary(1, 1)).get(0);
        CompletableFuture<CallException> call = Rig.start(caller);
        Rig.until(() -> rig.clientWire.bytesOut() > 0);
        assertEquals(0, rig.clientWire.firstSecuredNs(), security);
        caller.cancel();
        assertEquals(Code.CANCELLED, Rig.await(call).code());
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aLargeBatchWorks(Clients.Client client) throws Exception {
    try (Rig rig = new Rig().serve()) {
      rig.options = client.options();
      assertNull(Rig.call(rig.callers(client.stack(), "none", 1, Rig.unary(8, 9).withBatch(100_000)).get(0)));
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aLargeMessageWorksAndIsCounted(Clients.Client client) throws Exception {
    try (Rig rig = new Rig().serve()) {
      rig.options = client.options();
      int bytes = 16 << 20; // in base64 longer than Jackson's limit for strings, which does not apply to bytes
      assertNull(Rig.call(rig.callers(client.stack(), "none", 1, Rig.unary(bytes, bytes)).get(0)));
      awaitEqualCounts(rig); // partial writes included
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void gzipShrinksBothWays(Clients.Client client) throws Exception {
    int size = 20_000;
    long[] plain = wire(client, "none", size);
    assertTrue(plain[0] > size && plain[1] > size, "it was compressed: " + plain[0] + ", " + plain[1]);
    long[] packed = wire(client, "gzip", size);
    assertTrue(packed[0] < size / 2 && packed[1] < size / 2, "not compressed: " + packed[0] + ", " + packed[1]);
  }

  /** Returns the bytes of one call, sent and received. */
  private static long[] wire(Clients.Client client, String compression, int size) throws Exception {
    try (Rig rig = new Rig().serve()) {
      rig.options = client.options();
      assertNull(Rig.call(rig.callers(client.stack(), compression, 1, Rig.unary(size, size)).get(0)));
      return new long[] {rig.clientWire.bytesOut(), rig.clientWire.bytesIn()};
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aSlotKeepsItsConnection(Clients.Client client) throws Exception {
    try (Rig rig = new Rig().serve()) {
      rig.options = client.options();
      Caller caller = rig.callers(client.stack(), "none", 1, Rig.unary(100, 100)).get(0);
      for (int i = 0; i < 50; i++) {
        assertNull(Rig.call(caller));
      }
      assertEquals(1, rig.clientWire.socketsOpened());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aWrongReplyIsAMismatch(Clients.Client client) throws Exception {
    try (Rig rig = new Rig()) {
      rig.options = client.options();
      rig.reply = n -> n == 20 ? new byte[20] : Rig.bytes(n + 1);
      rig.serve();
      List<Caller> otherBytes = rig.callers(client.stack(), "none", 1, Rig.unary(10, 20));
      List<Caller> tooLong = rig.callers(client.stack(), "none", 1, Rig.unary(10, 30));
      assertEquals(Code.MISMATCH, Rig.call(otherBytes.get(0)).code());
      assertEquals(Code.MISMATCH, Rig.call(tooLong.get(0)).code());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aLostServerIsUnavailableAndComesBack(Clients.Client client) throws Exception {
    try (Gate gate = new Gate(); Rig rig = new Rig()) {
      rig.options = client.options();
      rig.reply = gate::reply;
      rig.serve();
      List<Caller> callers = rig.callers(client.stack(), "none", SLOTS, Rig.unary(10, 20));
      List<CompletableFuture<CallException>> waiting = callers.stream().map(Rig::start).toList();
      gate.awaitEntered(SLOTS);
      rig.server.stop(0);
      for (CompletableFuture<CallException> one : waiting) {
        assertEquals(Code.UNAVAILABLE, Rig.await(one).code());
      }
      try (DeadPort nobody = new DeadPort(rig.port())) {
        for (CallException failure : Rig.callAll(callers)) {
          assertEquals(Code.UNAVAILABLE, failure.code(), nobody.address());
        }
      }
      gate.open();
      rig.serve();
      assertEquals(Collections.nCopies(SLOTS, null), Rig.callAll(callers));
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aCancelledCallEndsAndTheNextWorks(Clients.Client client) throws Exception {
    try (Gate gate = new Gate(); Rig rig = new Rig()) {
      rig.options = client.options();
      rig.reply = gate::reply;
      rig.serve();
      List<Caller> callers = rig.callers(client.stack(), "none", SLOTS, Rig.unary(10, 20));
      callers.forEach(Caller::cancel); // no call is running, so nothing happens
      List<CompletableFuture<CallException>> waiting = callers.stream().map(Rig::start).toList();
      gate.awaitEntered(SLOTS);
      assertCancelled(callers, waiting);
      gate.open();
      callers.forEach(Caller::cancel);
      for (int round = 0; round < 2; round++) {
        assertEquals(Collections.nCopies(SLOTS, null), Rig.callAll(callers));
      }
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aCallThatCanNotSendIsCancelled(Clients.Client client) throws Exception {
    try (RawServer silent = RawServer.silent(); Rig rig = new Rig()) {
      rig.options = client.options();
      rig.address = silent.address();
      List<Caller> callers = rig.callers(client.stack(), "none", 1, Rig.unary(16 << 20, 20));
      List<CompletableFuture<CallException>> waiting = callers.stream().map(Rig::start).toList();
      Rig.until(() -> rig.clientWire.bytesOut() > 0);
      assertCancelled(callers, waiting);
      Rig.until(() -> rig.clientWire.socketsOpen() == 0);
    }
  }

  /** Cancels calls whose server never answers. */
  private static void assertCancelled(List<Caller> callers, List<CompletableFuture<CallException>> waiting)
      throws Exception {
    callers.forEach(Caller::cancel);
    for (CompletableFuture<CallException> one : waiting) {
      assertEquals(Code.CANCELLED, Rig.await(one).code());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aClosedConnectionEndsItsCallsAndSockets(Clients.Client client) throws Exception {
    try (Gate gate = new Gate(); Rig rig = new Rig()) {
      rig.options = client.options();
      rig.reply = gate::reply;
      rig.serve();
      Conn idle = rig.dial(client.stack(), "none", 1);
      assertNull(Rig.call(idle.caller(Rig.unary(10, 10), 0)));
      Conn busy = rig.dial(client.stack(), "none", 1);
      CompletableFuture<CallException> running = Rig.start(busy.caller(Rig.unary(10, 20), 0));
      gate.awaitEntered(1);
      assertEquals(2, rig.clientWire.socketsOpen());
      idle.close();
      busy.close();
      assertTrue(Rig.await(running) != null);
      Rig.until(() -> rig.clientWire.socketsOpen() == 0);
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void aFailedHandshakeIsUnavailable(Clients.Client client) throws Exception {
    try (Rig rig = Rig.of("mtls")) {
      rig.options = client.options();
      rig.reply = n -> {
        throw new AssertionError("a call was served");
      };
      rig.serve();
      for (var tls :
          List.of(
              TestKeys.strangeClient(),
              TestKeys.mistrustfulClient(),
              TestKeys.client(false),
              TestKeys.clientOf("other.test"))) {
        rig.clientTls = tls;
        Caller caller = rig.callers(client.stack(), "none", 1, Rig.unary(10, 20)).get(0);
        for (int i = 0; i < 2; i++) {
          CallException failure = Rig.call(caller);
          assertEquals(Code.UNAVAILABLE, failure == null ? Code.OK : failure.code(), tls.serverName());
        }
      }
      Rig.until(() -> rig.clientWire.socketsOpen() == 0);
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void nobodyThereIsUnavailable(Clients.Client client) throws Exception {
    try (DeadPort nobody = new DeadPort(0); Rig rig = new Rig()) {
      rig.options = client.options();
      rig.address = nobody.address();
      CallException failure = Rig.call(rig.callers(client.stack(), "none", 1, Rig.unary(10, 20)).get(0));
      assertEquals(Code.UNAVAILABLE, failure.code());
      assertEquals(0, rig.clientWire.socketsOpened());
    }
  }

  @ParameterizedTest
  @MethodSource(ALL)
  void anAddressThatIsNoneIsRefused(Clients.Client client) {
    DialConfig config = new DialConfig("tcp", "nowhere:port", null, "none", 1, new Wire(), Map.of());
    CallException refusal = assertThrows(CallException.class, () -> client.stack().dial(config));
    assertEquals(Code.INVALID_ARGUMENT, refusal.code());
  }
}
