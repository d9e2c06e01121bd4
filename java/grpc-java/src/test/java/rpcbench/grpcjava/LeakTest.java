package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.grpcjava.Calls.SLOTS;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Call;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;

/** Closed connections and servers leave nothing but the threads that the next ones use. */
class LeakTest {
  private static final int LOOPS = 2 * Runtime.getRuntime().availableProcessors(); // Netty's default

  @Test
  void noSocketIsLeftAndNoThreadIsAdded() throws Exception {
    for (var client : List.of(new NettyStack(), new OkHttpStack())) {
      Rig rig = new Rig(client).secure("mtls");
      rig.clientOptions = Map.of("executor_threads", "2");
      try (rig) {
        rig.serve();
        for (int i = 0; i < LOOPS; i++) { // each begins with a new connection
          call(rig);
        }
        Set<Thread> before = threads();
        for (int i = 0; i < 3; i++) {
          call(rig);
        }
        Set<Thread> added = threads();
        added.removeAll(before);
        assertEquals(Set.of(), added);
      }
      Calls.until(() -> rig.serverWire.socketsOpen() == 0);
    }
  }

  /** Makes calls of all kinds on a new connection. */
  private static void call(Rig rig) throws Exception {
    try (Conn conn = rig.dial()) {
      for (Call call : Calls.all(10, 20, SLOTS).values()) {
        Calls.assertAll(Code.OK, Calls.call(Calls.callers(conn, call, SLOTS)), call.kind());
      }
    }
    assertEquals(0, rig.clientWire.socketsOpen());
  }

  /** Returns the event loops, and the threads of pools that do not grow. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("grpc-loop-.*|grpc-executor-[0-9]+"))
        .collect(Collectors.toSet());
  }
}
