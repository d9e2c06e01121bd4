package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger;
import rpcbench.stack.Ledger.Traffic;
import rpcbench.stack.Method;
import rpcbench.stack.Stack;

/** Meaningless bytes in both directions, as in gRPC's generic benchmark clients and servers. */
class GenericTest {
  private static final int REQUEST_BYTES = 13;
  private static final int ANSWER_BYTES = 70_000; // more than a window of HTTP/2

  static java.util.stream.Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  private static final Method.Requests REQUESTS = new Method.Requests() {
    @Override
    public int messages(long call) {
      return 1;
    }

    @Override
    public byte[] message(long call, int i) {
      byte[] noise = new byte[REQUEST_BYTES];
      noise[0] = -1; // not a protobuf message
      return noise;
    }
  };

  @ParameterizedTest
  @MethodSource("clients")
  void everyMessageIsAnsweredAndNoneDecoded(Stack client) throws Exception {
    for (Stack serving : List.of(new NettyStack(), new OkHttpServerStack())) {
      Rig rig = new Rig(client, serving);
      rig.serverOptions = Map.of("generic_response_bytes", Integer.toString(ANSWER_BYTES));
      try (rig; Conn conn = rig.serve().dial("none", 1)) {
        for (Map.Entry<String, String> each : Map.of(Kind.UNARY, "UnaryCall", Kind.PING_PONG, "StreamingCall").entrySet()) {
          Ledger ledger = new Ledger();
          String kind = each.getKey();
          Method method = new Method(
              "grpc.testing.BenchmarkService/" + each.getValue(), REQUESTS, List.of(), "", 100_000, ledger,
              new MethodTest.Clock(new ArrayList<>()));
          Call call = new Call(kind, method, 0, kind.equals(Kind.PING_PONG) ? 1 : 0);
          List<Caller> callers = Calls.callers(conn, kind.equals(Kind.PING_PONG) ? call.withPerStream(2) : call, 1);
          for (int round = 0; round < 5; round++) {
            Calls.assertAll(Code.OK, Calls.call(callers), kind);
          }
          assertEquals(new Traffic(5, 5, 5 * REQUEST_BYTES, 5 * ANSWER_BYTES, 0), ledger.traffic(), kind);
        }
      }
    }
  }

  @Test
  void aLengthThatIsNoneIsRefused() {
    for (String bytes : List.of("-1", "many", "99999999999")) {
      Rig rig = new Rig(new NettyStack());
      rig.serverOptions = Map.of("generic_response_bytes", bytes);
      assertEquals(Code.INVALID_ARGUMENT, assertThrows(CallException.class, rig::serve, bytes).code(), bytes);
    }
  }
}
