package rpcbench.netty;

import io.netty.channel.EventLoopGroup;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import rpcbench.stack.CallException;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;

/** The event loops of a process, and the option for their number. */
public final class EventLoops {
  private static final int THREADS_MAX = 1 << 9;

  public static final Info.Option OPTION = Info.Option.number(
      "event_loop_threads", "Threads that serve all sockets; default two for each processor.", true, true, 1, THREADS_MAX, "");

  private static final Map<Key, EventLoopGroup> SHARED = new ConcurrentHashMap<>();

  private record Key(Object kind, int threads) {}

  private EventLoops() {}

  /** Reads the option; missing if it is not given. */
  public static int threads(Map<String, String> given, int missing) throws CallException {
    return new OptionValues(given).number(OPTION, missing);
  }

  /**
   * Returns the event loops of a kind that all connections of this process share. They are made when they are first asked for, and
   * last as long as the process.
   *
   * @param kind distinguishes loops for different sockets
   * @param make makes them, given the number of threads
   */
  public static EventLoopGroup shared(Object kind, int threads, IntFunction<EventLoopGroup> make) {
    return SHARED.computeIfAbsent(new Key(kind, threads), key -> make.apply(threads));
  }
}
