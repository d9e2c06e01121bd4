package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.grpcjava.Calls.SLOTS;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Call;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;

/** Nothing is left of what was closed. */
class LeakTest {
  @Test
  void noSocketAndNoThreadIsLeft() throws Exception {
    for (var client : List.of(new NettyStack(), new OkHttpStack())) {
      Rig rig = new Rig(client).secure("mtls");
      rig.clientOptions = Map.of("executor_threads", "2");
      try (rig) {
        rig.serve();
        for (int i = 0; i < 3; i++) {
          try (Conn conn = rig.dial()) {
            for (Call call : Calls.all(10, 20, SLOTS).values()) {
              Calls.assertAll(Code.OK, Calls.call(Calls.callers(conn, call, SLOTS)), call.kind());
            }
          }
          assertEquals(0, rig.clientWire.socketsOpen());
        }
      }
      Calls.until(() -> rig.serverWire.socketsOpen() == 0);
    }
    Calls.until(() -> ours().isEmpty());
  }

  private static List<String> ours() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName).filter(name -> name.startsWith("grpc-")).toList();
  }
}
