package rpcbench.virtual;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import rpcbench.grpc.Channels;
import rpcbench.grpcjava.NettyStack;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;

/** grpc-java-virtual: grpc-java-netty, with blocking stubs on virtual threads instead of callbacks. */
public final class VirtualStack extends NettyStack {
  /** The kinds that a blocking stub supports without a second thread. */
  private static final List<String> KINDS =
      List.of(Kind.CONNECT, Kind.FIRST_CALL, Kind.UNARY, Kind.UPLOAD, Kind.DOWNLOAD);

  /** Options for the threads of callbacks, of which there are none, and for requesting messages ahead. */
  private static final Set<String> WITHOUT = Set.of("direct_executor", "executor_threads", "prefetch_messages");

  private static final ExecutorService THREADS = threads();

  public VirtualStack() {
    super(describe(), THREADS, (link, call, slot) -> BlockingStub.caller(link, call, slot, THREADS));
  }

  private static Info describe() {
    Info netty = new NettyStack().info();
    return Channels.info(
        "grpc-java-virtual", netty.library(), true, KINDS, netty.networks(),
        Info.Option.without(WITHOUT, netty.options()), true);
  }

  /** Creates the executor by reflection, so that any JDK can compile this; the launcher finds a JDK that has it. */
  private static ExecutorService threads() {
    try {
      return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM has no virtual threads: it must be of version 21 or later", e);
    }
  }
}
