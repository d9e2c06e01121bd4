package rpcbench.grpcjava;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import rpcbench.grpcjava.Shared.Lease;

/**
 * The threads that the sides of one process share: event loops, and the pool of the option executor_threads.
 *
 * @param executor null where the option is not given
 */
record Threads(Lease<EventLoopGroup> loops, Lease<ExecutorService> executor) implements AutoCloseable {
  private static final Shared<LoopsKey, EventLoopGroup> LOOPS = new Shared<>(
      key -> key.transport.loops(key.threads, new DefaultThreadFactory("grpc-loop", true)),
      group -> group.shutdownGracefully(0, 1, TimeUnit.SECONDS));
  private static final Shared<Integer, ExecutorService> POOLS = new Shared<>(Threads::pool, ExecutorService::shutdown);

  private record LoopsKey(Transport transport, int threads) {}

  /** Those of a client over Netty. */
  static Threads ofClient(Options options) {
    return new Threads(loops(options), poolOf(options));
  }

  /** Those of a client that needs no event loops. */
  static Threads withoutLoops(Options options) {
    return new Threads(null, poolOf(options));
  }

  /**
   * Those of a server, which by default has a pool like gRPC's own: gRPC's TLS server takes a share in that for each
   * connection and gives none back (ProtocolNegotiators.ServerTlsHandler of 1.79.0), so that its threads would never
   * end.
   */
  static Threads ofServer(Options options) {
    return new Threads(loops(options), POOLS.take(options.executorThreads()));
  }

  private static Lease<EventLoopGroup> loops(Options options) {
    return LOOPS.take(new LoopsKey(options.transport(), options.loopThreads()));
  }

  private static Lease<ExecutorService> poolOf(Options options) {
    return options.executorThreads() == 0 ? null : POOLS.take(options.executorThreads());
  }

  /** Makes a pool that grows for 0, else one whose queues are first in, first out, as suits events. */
  private static ExecutorService pool(int threads) {
    return threads == 0
        ? Executors.newCachedThreadPool(new DefaultThreadFactory("grpc-executor", true))
        : new ForkJoinPool(threads, Threads::named, null, true);
  }

  private static ForkJoinWorkerThread named(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    thread.setName("grpc-executor-" + thread.getPoolIndex());
    return thread;
  }

  EventLoopGroup group() {
    return loops.value();
  }

  /** Returns null where gRPC's own is to be used. */
  Executor pool() {
    return executor == null ? null : executor.value();
  }

  @Override
  public void close() {
    if (loops != null) {
      loops.close();
    }
    if (executor != null) {
      executor.close();
    }
  }
}
