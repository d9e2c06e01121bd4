import io.grpc.ServerInterceptors;
import io.grpc.testing.integration.TestServiceImpl;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import rpcbench.grpcjava.NettyStack;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Wire;

/** grpc-java's own interoperability service on a server as grpc-java-netty sets servers up, until its input ends. */
final class InteropServer {
  private InteropServer() {}

  public static void main(String[] arguments) throws Exception {
    ServeConfig config =
        new ServeConfig("tcp", "127.0.0.1:0", null, null, size -> new byte[size], new Wire(), Map.of());
    TestServiceImpl service = new TestServiceImpl(Executors.newSingleThreadScheduledExecutor());
    Server server =
        new NettyStack()
            .serveOther(config, List.of(ServerInterceptors.intercept(service, TestServiceImpl.interceptors())));
    System.out.println(server.address());
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
