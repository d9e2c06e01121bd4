package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rpcbench.grpcjava.Calls.SLOTS;

import io.netty.util.Version;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/** Everything that Info promises works, and is counted alike on both sides. */
class EveryPointTest {
  static Stream<Stack> clients() {
    return Stream.of(new NettyStack(), new OkHttpStack());
  }

  static Stream<Arguments> points() {
    List<Arguments> points = new ArrayList<>();
    Stream.concat(clients(), Stream.of(new OkHttpServerStack())).forEach(stack -> {
      Info info = stack.info();
      Stack client = info.calls() ? stack : new NettyStack();
      Stack server = info.serves() ? stack : new NettyStack();
      for (String network : info.networks()) {
        for (String security : info.securities()) {
          for (String compression : info.compressions()) {
            points.add(Arguments.of(info.name(), client, server, network, security, compression));
          }
        }
      }
    });
    return points.stream();
  }

  @ParameterizedTest(name = "{0}, {3}, {4}, {5}")
  @MethodSource("points")
  void everyKindWorks(String name, Stack client, Stack server, String network, String security, String compression)
      throws Exception {
    Rig rig = new Rig(client, server).secure(security);
    rig.network = network;
    try (rig) {
      rig.serve();
      long connections = 0;
      for (Map.Entry<String, Call> each : Calls.all(1000, 1000, SLOTS).entrySet()) {
        point(rig, each.getKey(), compression, each.getValue(), SLOTS, 3);
        connections++;
      }
      for (Map.Entry<String, Call> each : Calls.all(0, 0, 1).entrySet()) {
        point(rig, each.getKey() + ", empty, one slot", compression, each.getValue(), 1, 3);
        connections++;
      }
      point(rig, "window of 64", compression, Calls.all(100, 100, 64).get("window"), 64, 3);
      connections++;
      assertEquals(connections, rig.clientWire.socketsOpened());
      assertEquals(0, rig.clientWire.socketsOpen());
      Calls.until(() -> rig.serverWire.socketsOpen() == 0);
      assertEquals(connections, rig.serverWire.socketsOpened());
    }
  }

  private static void point(Rig rig, String what, String compression, Call call, int slots, int rounds)
      throws Exception {
    try (Conn conn = rig.dial(compression, slots)) {
      List<Caller> callers = Calls.callers(conn, call, slots);
      for (int round = 0; round < rounds; round++) {
        Calls.assertAll(Code.OK, Calls.call(callers), what);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void everySizeWorks(Stack client) throws Exception {
    int[] sizes = {0, 1, 1000, 100_000, 1_000_000};
    try (Rig rig = new Rig(client).serve()) {
      for (int i = 0; i < sizes.length; i++) {
        for (int response : new int[] {sizes[i], sizes[(i + 1) % sizes.length]}) {
          for (Map.Entry<String, Call> each : Calls.all(sizes[i], response, 2).entrySet()) {
            point(rig, each.getKey() + " of " + sizes[i] + " and " + response, "none", each.getValue(), 2, 1);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void theLongestMessageArrives(Stack client) throws Exception {
    byte[] longest = new byte[64 << 20];
    longest[longest.length - 1] = 1;
    Call.Check check = got -> got.remaining() == longest.length && got.get(longest.length - 1) == 1 ? null : "another";
    try (Rig rig = new Rig(client).serve(); Conn conn = rig.dial("none", 1)) {
      List<Caller> one = Calls.callers(conn, new Call("unary", longest, longest.length, 0, 0, check), 1);
      Calls.assertAll(Code.OK, Calls.call(one), "64 MiB");
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void bytesAreCountedAlikeOnBothSides(Stack client) throws Exception {
    for (String security : client.info().securities()) {
      try (Rig rig = new Rig(client).secure(security).serve(); Conn conn = rig.dial()) {
        for (Call call : Calls.all(5000, 3000, SLOTS).values()) {
          Calls.assertAll(Code.OK, Calls.call(Calls.callers(conn, call, SLOTS)), call.kind());
        }
        Wire there = rig.serverWire;
        Wire here = rig.clientWire;
        Calls.until(() -> here.bytesOut() == there.bytesIn() && here.bytesIn() == there.bytesOut());
        long out = 0;
        long in = 0;
        for (Call call : Calls.all(5000, 3000, SLOTS).values()) {
          out += SLOTS * 5000L * call.messagesOut() * call.payloads();
          in += SLOTS * 3000L * call.messagesIn() * call.payloads();
        }
        assertTrue(here.bytesOut() > out && here.bytesOut() < out * 1.2, here.bytesOut() + " bytes out, payload " + out);
        assertTrue(here.bytesIn() > in && here.bytesIn() < in * 1.2, here.bytesIn() + " bytes in, payload " + in);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void gzipShrinksBothWays(Stack client) throws Exception {
    int size = 20_000;
    for (String compression : client.info().compressions()) {
      try (Rig rig = new Rig(client).serve(); Conn conn = rig.dial(compression, 1)) {
        List<Caller> one = Calls.callers(conn, Calls.all(size, size, 1).get("unary"), 1);
        Calls.assertAll(Code.OK, Calls.call(one), compression);
        boolean small = compression.equals("gzip");
        assertEquals(small, rig.clientWire.bytesOut() < size / 2, compression + ": " + rig.clientWire.bytesOut());
        assertEquals(small, rig.clientWire.bytesIn() < size / 2, compression + ": " + rig.clientWire.bytesIn());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void theEndOfTheHandshakeIsTold(Stack client) throws Exception {
    for (String security : client.info().securities()) {
      try (Rig rig = new Rig(client).secure(security).serve(); Conn conn = rig.dial()) {
        long readyNs = System.nanoTime();
        Wire wire = rig.clientWire;
        if (security.equals("plaintext")) {
          assertEquals(0, wire.firstSecuredNs());
          continue;
        }
        assertTrue(wire.firstSecuredNs() != 0, security);
        assertTrue(wire.firstSecuredNs() - wire.firstOpenedNs() >= 0, security + ": before its socket was open");
        assertTrue(readyNs - wire.firstSecuredNs() >= 0, security + ": it was ready before");
        assertEquals(0, rig.serverWire.firstSecuredNs());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aHandshakeThatHasOnlyBegunIsNotTold(Stack client) throws Exception {
    for (String security : List.of("tls", "mtls")) {
      Rig rig = new Rig(client).secure(security);
      try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        rig.address = "127.0.0.1:" + silent.getLocalPort();
        FutureTask<CallException> failure = new FutureTask<>(() -> assertThrows(CallException.class, rig::dial));
        Thread dialling = new Thread(failure);
        dialling.start();
        Calls.until(() -> rig.clientWire.bytesOut() > 0);
        assertEquals(0, rig.clientWire.firstSecuredNs(), security);
        dialling.interrupt();
        assertEquals(Code.CANCELLED, failure.get().code());
      }
    }
  }

  /** The burst has more bytes than windows and sockets hold together. */
  @ParameterizedTest
  @MethodSource("clients")
  void aLongBurstDoesNotStandStill(Stack client) throws Exception {
    byte[] request = Calls.request(100_000);
    Call call = new Call("burst", request, request.length, 160, 1, null);
    try (Rig rig = new Rig(client).serve()) {
      point(rig, "16 MB", "none", call, 2, 2);
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aLargeBatchArrives(Stack client) throws Exception {
    Call call = new Call("unary", Calls.request(8), 8, 0, 0, null).withBatch(100_000);
    try (Rig rig = new Rig(client).serve()) {
      point(rig, "100,000 operations", "none", call, 1, 2);
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void noHandshakeIsResumed(Stack client) throws Exception {
    try (Rig rig = new Rig(client).secure("mtls").serve()) {
      long before = 0;
      long first = 0;
      for (int i = 0; i < 4; i++) {
        try (Conn conn = rig.dial("none", 1)) {
          Calls.assertAll(Code.OK, Calls.call(Calls.callers(conn, Calls.all(0, 0, 1).get("unary"), 1)), "call");
          long bytes = rig.clientWire.bytesIn() - before;
          first = i == 0 ? bytes : first;
          // A resumed session lacks the certificate of about 900 bytes.
          assertTrue(bytes > first - 300, "connection " + i + " received " + bytes + " bytes, the first " + first);
        }
        before = rig.clientWire.bytesIn();
      }
    }
  }

  @Test
  void infoSaysWhatRuns() {
    assertTrue(new NettyStack().info().library().matches(
        "io\\.grpc:grpc-netty 1\\.85\\.1 \\(Netty 4\\.2\\.\\d+\\.Final, TLS by (BoringSSL|the JDK)\\)"),
        new NettyStack().info().library());
    List<String> versions = Version.identify().entrySet().stream().filter(e -> !e.getKey().contains("tcnative"))
        .map(e -> e.getValue().artifactVersion()).distinct().toList();
    assertEquals(1, versions.size(), "Netty of several versions: " + Version.identify());
    assertEquals("io.grpc:grpc-okhttp 1.82.2 (gRPC 1.85.1, TLS by the JDK)", new OkHttpStack().info().library());
  }
}
