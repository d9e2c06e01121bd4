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
  /** What a blocking stub can do without a second thread. */
  private static final List<String> KINDS =
      List.of(Kind.CONNECT, Kind.FIRST_CALL, Kind.UNARY, Kind.UPLOAD, Kind.DOWNLOAD);

  /** Options about which thread runs a callback, of which there are none, and about asking a stream for more. */
  private static final Set<String> WITHOUT = Set.of("direct_executor", "executor_threads", "prefetch_messages");

  private static final ExecutorService THREADS = threads();

  public VirtualStack() {
    super(describe(), THREADS, (link, call, slot) -> BlockingStub.caller(link, call, slot, THREADS));
  }

  private static Info describe() {
    Info netty = new NettyStack().info();
    return Channels.info(
        "grpc-java-virtual", netty.library(), true, KINDS, netty.networks(),
        netty.options().stream().filter(option -> !WITHOUT.contains(option.name())).toList(), true);
  }

  /** Looked up by its name, so that any JDK can build it; the launcher finds one that has it. */
  private static ExecutorService threads() {
    try {
      return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM has no virtual threads: it must be of version 21 or later", e);
    }
  }
}
