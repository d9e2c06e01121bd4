package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rpcbench.grpcjava.Calls.SLOTS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Stack;
import rpcbench.stack.Tls;

/** Failures have the right code, end, and stop when their cause is gone. */
class FailureTest {
  static Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  static Stream<Arguments> calls() {
    List<Arguments> list = new ArrayList<>();
    clients().forEach(client -> Calls.all(10, 20, SLOTS).keySet()
        .forEach(name -> list.add(Arguments.of(client.info().name(), name, client))));
    return list.stream();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aWrongReplyIsMismatch(Stack client) throws Exception {
    Map<String, IntFunction<byte[]>> wrong =
        Map.of("other bytes", byte[]::new, "too long", bytes -> Calls.reply(bytes + 1));
    for (Map.Entry<String, IntFunction<byte[]>> each : wrong.entrySet()) {
      Rig rig = new Rig(client);
      rig.reply = each.getValue();
      try (rig; Conn conn = rig.serve().dial()) {
        for (Map.Entry<String, Call> call : Calls.all(10, 20, SLOTS).entrySet()) {
          List<Code> codes = Calls.call(Calls.callers(conn, call.getValue(), SLOTS));
          Calls.assertAll(Code.MISMATCH, codes, each.getKey() + ", " + call.getKey());
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("calls")
  void aLostServerIsUnavailableAndComesBack(String client, String name, Stack stack) throws Exception {
    Rig rig = new Rig(stack);
    try (rig; Gate gate = new Gate()) {
      rig.reply = gate::reply;
      rig.serve();
      try (Cable cable = new Cable(rig.address)) {
        rig.address = cable.address();
        try (Conn conn = rig.dial()) {
          List<Caller> callers = Calls.callers(conn, Calls.all(10, 20, SLOTS).get(name), SLOTS);
          List<CompletableFuture<CallException>> running = Calls.start(callers);
          gate.awaitEntered();
          cable.cut();
          Calls.assertAll(Code.UNAVAILABLE, Calls.codes(callers, running), "cut");
          Calls.assertAll(Code.UNAVAILABLE, Calls.call(callers), "nobody there");
          Calls.assertAll(Code.UNAVAILABLE, Calls.call(callers), "nobody there still");
          gate.close();
          cable.mend();
          Calls.until(() -> Calls.call(callers).equals(List.of(Code.OK, Code.OK, Code.OK)));
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("calls")
  void aCancelledCallEnds(String client, String name, Stack stack) throws Exception {
    for (int bytes : new int[] {10, Calls.LARGE_BYTES}) {
      Rig rig = new Rig(stack);
      try (rig; Gate gate = new Gate()) {
        rig.reply = gate::reply;
        rig.serve();
        try (Conn conn = rig.dial()) {
          List<Caller> callers = Calls.callers(conn, Calls.all(bytes, 20, SLOTS).get(name), SLOTS);
          List<CompletableFuture<CallException>> running = Calls.start(callers);
          gate.awaitEntered();
          callers.forEach(Caller::cancel);
          Calls.assertAll(Code.CANCELLED, Calls.codes(callers, running), "cancelled, " + bytes);
          callers.forEach(Caller::cancel); // no call runs
          gate.close();
          Calls.assertAll(Code.OK, Calls.call(callers), "the next call, " + bytes);
        }
      }
    }
  }

  /** One slot of a shared stream leaves; the others' echoes are still theirs. */
  @ParameterizedTest
  @MethodSource("clients")
  void aSlotThatLeavesAWindowDoesNotDisturbTheOthers(Stack client) throws Exception {
    Rig rig = new Rig(client);
    try (rig; Gate gate = new Gate()) {
      rig.reply = gate::reply;
      rig.serve();
      try (Conn conn = rig.dial()) {
        List<Caller> callers = Calls.callers(conn, Calls.all(10, 20, SLOTS).get("window"), SLOTS);
        List<CompletableFuture<CallException>> running = Calls.start(callers);
        gate.awaitEntered();
        callers.get(1).cancel();
        assertEquals(Code.CANCELLED, running.get(1).get().code());
        gate.close();
        assertEquals(List.of(Code.OK, Code.CANCELLED, Code.OK), Calls.codes(callers, running));
        for (int round = 0; round < 3; round++) {
          Calls.assertAll(Code.OK, Calls.call(callers), "round " + round);
        }
      }
    }
  }

  /** Libraries keep without a limit what a server does not read. */
  @ParameterizedTest
  @MethodSource("clients")
  void cancelledCallsLeaveFewMessagesToAServerThatReadsNothing(Stack client) throws Exception {
    for (String name : List.of("window", "window of bursts", "window, batch")) {
      Rig rig = new Rig(client);
      AtomicInteger answers = new AtomicInteger();
      try (rig; Gate gate = new Gate()) {
        rig.reply = bytes -> {
          answers.incrementAndGet();
          return gate.reply(bytes);
        };
        rig.serve();
        try (Conn conn = rig.dial()) {
          List<Caller> callers = Calls.callers(conn, Calls.all(Calls.LARGE_BYTES, 20, SLOTS).get(name), SLOTS);
          List<CompletableFuture<CallException>> waiting = Calls.start(callers.subList(0, 1));
          for (int i = 0; i < 10; i++) {
            List<CompletableFuture<CallException>> left = Calls.start(callers.subList(1, 2));
            callers.get(1).cancel();
            assertEquals(Code.CANCELLED, left.get(0).get().code());
          }
          List<CompletableFuture<CallException>> next = Calls.start(callers.subList(2, 3));
          gate.close();
          assertEquals(List.of(Code.OK), Calls.codes(callers.subList(0, 1), waiting));
          assertEquals(List.of(Code.OK), Calls.codes(callers.subList(2, 3), next));
          Calls.assertAll(Code.OK, Calls.call(callers), name);
          // The first call, one that was cancelled, the next one, and one on each slot.
          assertEquals(6 * Calls.all(1, 20, SLOTS).get(name).messagesOut(), answers.get(), name);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void closingAConnectionEndsItsCalls(Stack client) throws Exception {
    for (Map.Entry<String, Call> each : Calls.all(10, 20, SLOTS).entrySet()) {
      Rig rig = new Rig(client);
      try (rig; Gate gate = new Gate()) {
        rig.reply = gate::reply;
        Conn conn = rig.serve().dial();
        List<Caller> callers = Calls.callers(conn, each.getValue(), SLOTS);
        List<CompletableFuture<CallException>> running = Calls.start(callers);
        gate.awaitEntered();
        conn.close();
        for (Code code : Calls.codes(callers, running)) {
          assertTrue(code == Code.UNAVAILABLE || code == Code.CANCELLED, each.getKey() + ": " + code);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aRefusedCertificateIsUnavailable(Stack client) throws Exception {
    Tls good = TestKeys.server("mtls");
    Map<String, Tls[]> strangers = Map.of(
        "a server of nobody", new Tls[] {TestKeys.server("badserver", true), TestKeys.client("mtls")},
        "a client of nobody", new Tls[] {good, TestKeys.client("ca.pem", "badclient")},
        "a client without a certificate", new Tls[] {good, TestKeys.client("tls")},
        "a client that trusts another", new Tls[] {good, TestKeys.client("badserver.pem", "client")});
    for (Map.Entry<String, Tls[]> each : strangers.entrySet()) {
      AtomicInteger asked = new AtomicInteger();
      Rig rig = new Rig(client);
      rig.serverTls = each.getValue()[0];
      rig.clientTls = each.getValue()[1];
      rig.authorize = certificate -> {
        asked.incrementAndGet();
        return null;
      };
      try (rig) {
        rig.serve();
        CallException failure = assertThrows(CallException.class, rig::dial, each.getKey());
        assertEquals(Code.UNAVAILABLE, failure.code(), each.getKey() + ": " + failure.getMessage());
        assertEquals(0, asked.get(), each.getKey());
        Calls.until(() -> rig.clientWire.socketsOpen() == 0);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aDeadPortIsUnavailableAndSaysWhy(Stack client) throws Exception {
    try (DeadPort nobody = new DeadPort(0)) {
      Rig rig = new Rig(client);
      rig.address = nobody.address();
      CallException failure = assertThrows(CallException.class, rig::dial);
      assertEquals(Code.UNAVAILABLE, failure.code());
      assertTrue(failure.getMessage().contains("refused"), failure.getMessage());
      assertEquals(0, rig.clientWire.socketsOpened());
    }
  }
}
