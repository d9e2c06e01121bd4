package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rpcbench.grpcjava.Calls.SLOTS;

import io.grpc.Server;
import io.grpc.benchmarks.qps.AsyncClient;
import io.grpc.benchmarks.qps.AsyncServer;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Kind;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/**
 * Our clients with the service of grpc-java's own qps_server, which does not know our metadata; and its client with our server.
 */
class ThirdPartyTest {
  private static final int REQUEST_BYTES = 100;
  private static final int RESPONSE_BYTES = 200;
  private static final int CONNECTIONS = 2;
  private static final int IN_FLIGHT = 3;
  private static final Pattern CALLS_PER_SECOND = Pattern.compile("(?m)^QPS: +([0-9]+)$");

  static java.util.stream.Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void grpcJavasOwnServerIsCalled(Stack client) throws Exception {
    AsyncServer.BenchmarkServiceImpl service = new AsyncServer.BenchmarkServiceImpl();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Server server = NettyServerBuilder.forAddress(any).addService(service).build().start();
    String address = "127.0.0.1:" + server.getPort();
    DialConfig config = new DialConfig("tcp", address, null, "none", SLOTS, new Wire(), Map.of());
    try (Conn conn = client.dial(config)) {
      for (Map.Entry<String, Call> each : Calls.all(10, 20, SLOTS).entrySet()) {
        if (each.getValue().batch() > 0) {
          continue; // a service of ours
        }
        List<Caller> callers = Calls.callers(conn, lengthsOnly(each.getValue()), SLOTS);
        for (int round = 0; round < 3; round++) {
          Calls.assertAll(Code.OK, Calls.call(callers), each.getKey());
        }
      }
    } finally {
      server.shutdownNow().awaitTermination();
    }
  }

  /** The client fails if one call fails. Each slot makes at least one, and one second is the shortest run. */
  @Test
  void grpcJavasOwnClientLoadsOurServer() throws Exception {
    try (Rig rig = new Rig(new NettyStack()).serve()) {
      Process unary = asyncClient(rig.address, "--streaming_rpcs=false");
      Process streaming = asyncClient(rig.address, "--streaming_rpcs=true");
      long least = CONNECTIONS * IN_FLIGHT;
      long calls = Math.max(least, calls(unary)) + Math.max(least, calls(streaming));
      assertEquals(2 * CONNECTIONS, rig.serverWire.socketsOpened());
      assertTrue(rig.serverWire.bytesIn() >= calls * REQUEST_BYTES, rig.serverWire.bytesIn() + " bytes in");
      assertTrue(rig.serverWire.bytesOut() >= calls * RESPONSE_BYTES, rig.serverWire.bytesOut() + " bytes out");
    }
  }

  private static Process asyncClient(String address, String kind) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), AsyncClient.class.getName(), "--address=" + address,
            "--channels=" + CONNECTIONS, "--outstanding_rpcs=" + IN_FLIGHT, "--duration=1", "--warmup_duration=0",
            "--client_payload=" + REQUEST_BYTES, "--server_payload=" + RESPONSE_BYTES, kind)
        .redirectErrorStream(true)
        .start();
  }

  /** Waits for a client and returns the number of calls that it reports for a second. */
  private static long calls(Process client) throws Exception {
    String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, client.waitFor(), said);
    Matcher line = CALLS_PER_SECOND.matcher(said);
    assertTrue(line.find(), said);
    return Long.parseLong(line.group(1));
  }

  /** In both_ways grpc-java's server sends messages of 100 bytes, whatever the request says. */
  private static Call lengthsOnly(Call call) {
    int responseBytes = call.kind().equals(Kind.BOTH_WAYS) ? 100 : call.responseBytes();
    return new Call(call.kind(), call.request(), responseBytes, call.messages(), call.streams(), null);
  }
}
