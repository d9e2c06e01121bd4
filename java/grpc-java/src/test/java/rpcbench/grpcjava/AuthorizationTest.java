package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static rpcbench.grpcjava.Calls.SLOTS;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Stack;

/** Every call is authorized. */
class AuthorizationTest {
  static java.util.stream.Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void whoIsRefusedReachesNothing(Stack client) throws Exception {
    AtomicInteger served = new AtomicInteger();
    AtomicReference<X509Certificate> shown = new AtomicReference<>();
    Rig rig = new Rig(client).secure("mtls");
    rig.reply = bytes -> {
      served.incrementAndGet();
      return Calls.reply(bytes);
    };
    rig.authorize = certificate -> {
      shown.set(certificate);
      return "not you";
    };
    try (rig; Conn conn = rig.serve().dial()) {
      for (int bytes : new int[] {10, Calls.LARGE_BYTES}) {
        for (Map.Entry<String, Call> each : Calls.all(bytes, 20, SLOTS).entrySet()) {
          List<Caller> callers = Calls.callers(conn, each.getValue(), SLOTS);
          for (int round = 0; round < (bytes == Calls.LARGE_BYTES ? 1 : 2); round++) {
            Calls.assertAll(Code.PERMISSION_DENIED, Calls.call(callers), each.getKey() + " of " + bytes);
          }
        }
      }
      assertEquals(0, served.get());
      assertEquals(TestKeys.certificate("client.pem"), shown.get());
      assertEquals(1, rig.clientWire.socketsOpened());
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void everyCallIsAskedForAndTheConnectionKept(Stack client) throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    Rig rig = new Rig(client).secure("mtls");
    rig.authorize = certificate -> {
      asked.incrementAndGet();
      return closed.get() ? "not now" : null;
    };
    try (rig; Conn conn = rig.serve().dial()) {
      for (String kind : List.of("unary", "stream", "upload", "download")) { // a whole ping_pong stream is one call
        List<Caller> callers = Calls.callers(conn, Calls.all(10, 20, SLOTS).get(kind), SLOTS);
        int before = asked.get();
        for (Code want : List.of(Code.OK, Code.PERMISSION_DENIED, Code.PERMISSION_DENIED, Code.OK)) {
          closed.set(want != Code.OK);
          Calls.assertAll(want, Calls.call(callers), kind);
        }
        assertEquals(4 * SLOTS, asked.get() - before, kind);
      }
      assertEquals(1, rig.clientWire.socketsOpened());
    }
  }

  /** A stream is authorized as one call, so calls to authorize count streams. */
  @ParameterizedTest
  @MethodSource("clients")
  void aStreamOfPingPongEndsAfterItsCalls(Stack client) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Rig rig = new Rig(client);
    rig.authorize = certificate -> {
      asked.incrementAndGet();
      return null;
    };
    try (rig; Conn conn = rig.serve().dial()) {
      for (String name : List.of("ping_pong", "ping_pong, batch")) {
        int before = asked.get();
        List<Caller> callers = Calls.callers(conn, Calls.all(10, 20, SLOTS).get(name).withPerStream(3), SLOTS);
        for (int round = 0; round < 7; round++) {
          Calls.assertAll(Code.OK, Calls.call(callers), name);
        }
        assertEquals(3 * SLOTS, asked.get() - before, name);
      }
    }
  }

  @Test
  void withoutACertificateItIsNull() throws Exception {
    for (String security : List.of("plaintext", "tls")) {
      AtomicReference<X509Certificate> shown = new AtomicReference<>(TestKeys.certificate("ca.pem"));
      Rig rig = new Rig(new NettyStack()).secure(security);
      rig.authorize = certificate -> {
        shown.set(certificate);
        return null;
      };
      try (rig; Conn conn = rig.serve().dial()) {
        Calls.assertAll(Code.OK, Calls.call(Calls.callers(conn, Calls.all(1, 1, 1).get("unary"), SLOTS)), security);
        assertNull(shown.get(), security);
      }
    }
  }
}
