package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import rpcbench.grpc.ClientOptions;
import rpcbench.grpc.GrpcConn;
import rpcbench.okhttp.OkHttpChannels;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;

/**
 * OkHttp's transport gives a connection up if the second of its threads does not run within a second, as on a machine that is
 * overloaded. That says nothing of the server, so the connection is made again.
 */
final class LackedThreadTest {
  @Test
  void aConnectionThatLackedAThreadIsMadeAgain() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    Rig rig = new Rig(new OkHttpStack());
    try (rig) {
      rig.serve();
      DialConfig config = new DialConfig("tcp", rig.address, null, "none", Calls.SLOTS, rig.clientWire, Map.of());
      ClientOptions options = Options.read(config.options()).client();
      AtomicInteger tasks = new AtomicInteger();
      ManagedChannel channel = new OkHttpChannels()
          .builder(config, options)
          .transportExecutor(task -> {
            if (tasks.incrementAndGet() != 2) {
              threads.execute(task);
            }
          })
          .build();
      try (Conn conn = GrpcConn.open(channel, config, options, GrpcConn.Calls.CALLED_BACK)) {
        List<Code> codes = Calls.call(Calls.callers(conn, Calls.all(10, 20, Calls.SLOTS).get("unary"), Calls.SLOTS));
        Calls.assertAll(Code.OK, codes, "connected again");
      }
      assertTrue(tasks.get() > 3, tasks + " tasks");
    } finally {
      threads.shutdown();
    }
  }
}
