package rpcbench.grpcjava;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import rpcbench.netty.EventLoops;

/**
 * The threads of a process: event loops, and the pool of the option executor_threads. Except for ownLoops, connections share
 * them, and they last as long as the process.
 */
final class Threads {
  private static final Map<Integer, Executor> POOLS = new ConcurrentHashMap<>();

  private Threads() {}

  static EventLoopGroup loops(Options options) {
    return EventLoops.shared(options.transport(), options.loopThreads(), threads -> ownLoops(options));
  }

  /** Creates event loops that are not shared. The caller shuts them down. */
  static EventLoopGroup ownLoops(Options options) {
    return options.transport().loops(options.loopThreads(), new DefaultThreadFactory("grpc-loop", true));
  }

  /** Returns a fork-join pool of that many threads with first-in-first-out queues; 0 is a cached pool. */
  static Executor pool(int threads) {
    return POOLS.computeIfAbsent(
        threads,
        key -> threads == 0
            ? Executors.newCachedThreadPool(new DefaultThreadFactory("grpc-executor", true))
            : new ForkJoinPool(threads, Threads::named, null, true));
  }

  private static ForkJoinWorkerThread named(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    thread.setName("grpc-executor-" + thread.getPoolIndex());
    return thread;
  }
}
