package rpcbench.netty;

import java.util.Map;
import rpcbench.stack.CallException;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;

/** The option for the number of event loops. */
public final class EventLoops {
  private static final int THREADS_MAX = 1 << 12;

  public static final Info.Option OPTION = new Info.Option(
      "event_loop_threads", "Threads that serve all sockets; default two for each processor.", true, true);

  private EventLoops() {}

  /** Reads the option; missing if it is not given. */
  public static int threads(Map<String, String> given, int missing) throws CallException {
    return new OptionValues(given).number(OPTION.name(), 1, THREADS_MAX, missing);
  }
}
