package rpcbench.grpcjava;

import static rpcbench.grpcjava.Calls.SLOTS;

import io.grpc.Server;
import io.grpc.benchmarks.qps.AsyncServer;
import io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/** Our clients against the service of grpc-java's own qps_server, which knows nothing of our metadata. */
class ThirdPartyTest {
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
        List<Caller> callers = Calls.callers(conn, lengthsOnly(each.getValue()), SLOTS);
        for (int round = 0; round < 3; round++) {
          Calls.assertAll(Code.OK, Calls.call(callers), each.getKey());
        }
      }
    } finally {
      server.shutdownNow().awaitTermination();
    }
  }

  private static Call lengthsOnly(Call call) {
    return new Call(call.kind(), call.request(), call.responseBytes(), call.messages(), call.streams(), null);
  }
}
